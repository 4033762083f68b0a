import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { generateFiles } from "../../../scripts/generation.js";
import { PROJECT } from "../../support/api-document.js";

/** A document as JSON that the tests change. */
type Json = Record<string, unknown>;
interface ApiJson extends Json {
  info: Json;
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
}

/** Maximum numbers of lines that a change adds to and removes from a generated file. */
interface Bound {
  added: number;
  removed: number;
}

const GENERATOR = "0".repeat(64);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "minimal-diff-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Loads the project's own document. */
function loadOwnDocument(): ApiJson {
  // The cast: the bundled document has paths and schemas.
  return JSON.parse(readFileSync(path.join(PROJECT, "generated/openapi.json"), "utf8")) as ApiJson;
}

/** Creates a document with ten tags of five operations, schemas that refer to each other, headers, lists and bodies. */
function createMediumDocument(): ApiJson {
  const kinds = Array.from({ length: 10 }, (_, index) => `Kind${String.fromCodePoint(65 + index)}`);
  const json = (schema: Json): Json => ({ "application/json": { schema } });
  const api: ApiJson = {
    openapi: "3.1.0",
    info: { title: "t", version: "1" },
    paths: {},
    components: { schemas: {} },
  };
  kinds.forEach((kind, index) => {
    const ref = { $ref: `#/components/schemas/${kind}` };
    const created = { $ref: `#/components/schemas/New${kind}` };
    const headers = {
      [`X-${kind}-Total`]: { required: true, schema: { type: "integer" } },
      ETag: { schema: { type: "string" } },
    };
    const id = { name: "id", in: "path", required: true, schema: { type: "string", format: "uuid" } };
    const common = { tags: [kind] };
    const missing = {
      "404": { description: "None.", content: json({ $ref: "#/components/schemas/Problem" }) },
    };
    const one = { "200": { description: "It.", content: json(ref) }, ...missing };
    api.components.schemas[kind] = {
      allOf: [
        created,
        {
          type: "object",
          required: ["id"],
          properties: {
            id: { type: "string" },
            other: { $ref: `#/components/schemas/${kinds[(index + 1) % 10]}` },
          },
        },
      ],
    };
    api.components.schemas[`New${kind}`] = {
      type: "object",
      required: ["name"],
      properties: {
        name: { type: "string", minLength: 1, maxLength: 100 },
        size: { type: "integer", minimum: index },
        tags: { type: "array", items: { type: "string", pattern: `^${kind}` }, uniqueItems: true },
        color: { enum: ["red", "green", kind] },
      },
    };
    const listed = { "200": { description: "All.", headers, content: json({ type: "array", items: ref }) } };
    api.paths[`/${kind}`] = {
      get: {
        ...common,
        operationId: `list${kind}`,
        parameters: [{ name: "limit", in: "query", schema: { type: "integer", maximum: 100 } }],
        responses: listed,
      },
      post: {
        ...common,
        operationId: `create${kind}`,
        requestBody: { required: true, content: json(created) },
        responses: one,
      },
    };
    api.paths[`/${kind}/{id}`] = {
      get: { ...common, operationId: `get${kind}`, parameters: [id], responses: one },
      patch: {
        ...common,
        operationId: `update${kind}`,
        parameters: [id],
        requestBody: { content: json(created) },
        responses: one,
      },
      delete: {
        ...common,
        operationId: `delete${kind}`,
        parameters: [id],
        responses: { "204": { description: "Gone." }, ...missing },
      },
    };
  });
  api.components.schemas.Problem = {
    type: "object",
    required: ["title"],
    properties: { title: { type: "string" } },
  };
  return api;
}

let made = 0;
/** Generates code for a document and returns the output folder. */
async function generateFolder(api: ApiJson): Promise<string> {
  made += 1;
  const spec = path.join(folder, `${made}.json`);
  const out = path.join(folder, `out${made}`);
  writeFileSync(spec, JSON.stringify(api));
  mkdirSync(out);
  const { files } = await generateFiles({ spec, out }, GENERATOR);
  for (const { path: file, content } of files) writeFileSync(path.join(out, file), content);
  return out;
}

/** Counts the lines added to and removed from each changed file. git reports `-` for binary files. */
function countChangedLines(before: string, after: string): Record<string, Bound> {
  const args = ["diff", "--no-index", "--numstat", "--minimal", "--no-renames", before, after];
  const { stdout, stderr, status } = spawnSync("git", args, { encoding: "utf8" });
  expect(status, stderr).toBeLessThan(2);
  const lines = stdout
    .trim()
    .split("\n")
    .filter((line) => line !== "");
  return Object.fromEntries(
    lines.map((line) => {
      const [added, removed, file = ""] = line.split("\t");
      return [path.basename(file.replace(/\}$/, "")), { added: Number(added), removed: Number(removed) }];
    }),
  );
}

/** A new operation with a parameter, a body and a response, which refers to no existing component. */
const OPERATION: Json = {
  operationId: "inspectThing",
  summary: "Inspect a thing",
  parameters: [{ name: "deep", in: "query", schema: { type: "boolean" } }],
  requestBody: {
    content: {
      "application/json": { schema: { type: "object", properties: { why: { type: "string" } } } },
    },
  },
  // With a body, because the first operation without one imports its reader.
  responses: { "200": { description: "Inspected.", content: { "application/json": {} } } },
};

interface Edit {
  name: string;
  edit(api: ApiJson, about: { schema: string; route: string }): void;
  /** Limits by file; other files must not change. */
  bounds: Record<string, Bound>;
}

const EDITS: Edit[] = [
  {
    name: "a schema that nothing uses yet",
    edit: (api) => {
      api.components.schemas.Middle = { type: "object", properties: { a: { type: "string" } } };
    },
    // Includes a member of `components` and the exported type.
    bounds: { "openapi.json": { added: 8, removed: 0 }, "types.ts": { added: 4, removed: 0 } },
  },
  {
    name: "an optional property of a schema in use",
    edit: (api, { schema }) => {
      getProperties(api, schema).extra = { type: "string", maxLength: 7 };
    },
    bounds: {
      "openapi.json": { added: 4, removed: 0 },
      "types.ts": { added: 1, removed: 0 },
      "validators.js": { added: 16, removed: 1 },
    },
  },
  {
    name: "an operation of a tag that is there",
    edit: (api, { route }) => {
      const { tags } = Object.values(api.paths[route] ?? {})[0] ?? {};
      api.paths[`${route}/inspection`] = { put: { ...OPERATION, tags } };
    },
    bounds: {
      "operations.ts": { added: 26, removed: 0 },
      "openapi.json": { added: 40, removed: 0 },
      "routes.ts": { added: 45, removed: 0 },
      "types.ts": { added: 50, removed: 0 },
      "validators.js": { added: 45, removed: 0 },
      "validators.d.ts": { added: 1, removed: 0 },
    },
  },
  {
    name: "a tag with an operation",
    edit: (api) => {
      api.paths["/middle"] = { put: { ...OPERATION, tags: ["Middle"] } };
    },
    bounds: {
      "operations.ts": { added: 26, removed: 0 },
      "openapi.json": { added: 40, removed: 0 },
      "routes.ts": { added: 50, removed: 0 },
      "types.ts": { added: 50, removed: 0 },
      "validators.js": { added: 45, removed: 0 },
      "validators.d.ts": { added: 1, removed: 0 },
    },
  },
  {
    name: "another description of an operation",
    edit: (api, { route }) => {
      const operation = Object.values(api.paths[route] ?? {})[0] ?? {};
      operation.description = "In other words.";
    },
    bounds: {
      // The removed description has at most four lines.
      "operations.ts": { added: 1, removed: 4 },
      "openapi.json": { added: 1, removed: 1 },
      "routes.ts": { added: 1, removed: 4 },
      "types.ts": { added: 1, removed: 4 },
    },
  },
  {
    name: "another version",
    edit: (api) => {
      api.info.version = "2";
    },
    bounds: { "openapi.json": { added: 1, removed: 1 } },
  },
];

/** Returns the properties that a schema declares itself. */
function getProperties(api: ApiJson, name: string): Json {
  const found = api.components.schemas[name]?.properties;
  if (typeof found !== "object" || found === null) throw new Error(`${name} has no properties`);
  // The cast: an object has members.
  return found as Json;
}

describe.each([
  { which: "our document", make: loadOwnDocument, schema: "CreatePageBody", route: "/v1/pages" },
  {
    which: "a document of fifty operations",
    make: createMediumDocument,
    schema: "NewKindD",
    route: "/KindE",
  },
])("$which", ({ make, ...about }) => {
  let before: string;
  beforeAll(async () => {
    before = await generateFolder(make());
  });

  // The output depends only on the document, so removing the part removes the same lines.
  test.each(EDITS)("$name changes no line that it need not", async ({ edit, bounds }) => {
    const api = make();
    edit(api, about);
    const { "manifest.json": manifest, ...files } = countChangedLines(before, await generateFolder(api));
    // Only the hashes of changed files differ in the manifest.
    expect(manifest?.added).toBe(Object.keys(files).length + 1);
    const beyond = Object.entries(files).filter(([file, { added, removed }]) => {
      const bound = bounds[file];
      return !bound || !(added <= bound.added) || !(removed <= bound.removed);
    });
    expect(beyond).toEqual([]);
  });
});
