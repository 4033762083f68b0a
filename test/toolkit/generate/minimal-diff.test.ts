import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compile } from "../../../scripts/pipeline.js";
import { PROJECT } from "../../support/api-document.js";

/** A document as JSON, of which the tests know what they change. */
type Json = Record<string, unknown>;
interface ApiJson extends Json {
  info: Json;
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
}

/** Lines that a change may add to and take out of a generated file. */
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

/** Our own document. */
function own(): ApiJson {
  // The cast: the bundled document has paths and schemas.
  return JSON.parse(readFileSync(path.join(PROJECT, "generated/openapi.json"), "utf8")) as ApiJson;
}

/** Ten tags with five operations each, schemas that refer to one another, headers, lists and bodies. */
function midSize(): ApiJson {
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
/** Generates from a document; gives the folder of the result. */
async function generated(api: ApiJson): Promise<string> {
  made += 1;
  const spec = path.join(folder, `${made}.json`);
  const out = path.join(folder, `out${made}`);
  writeFileSync(spec, JSON.stringify(api));
  mkdirSync(out);
  const { files } = await compile(spec, out, GENERATOR);
  for (const { path: file, content } of files) writeFileSync(path.join(out, file), content);
  return out;
}

/** Lines added and removed in each file that is not the same; `-` would be a file that git takes for no text. */
function differences(before: string, after: string): Record<string, Bound> {
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

/** A new operation with a parameter, a body and a response, that uses nothing that is there. */
const OPERATION: Json = {
  operationId: "inspectThing",
  summary: "Inspect a thing",
  parameters: [{ name: "deep", in: "query", schema: { type: "boolean" } }],
  requestBody: {
    content: { "application/json": { schema: { type: "object", properties: { why: { type: "string" } } } } },
  },
  responses: { "204": { description: "Inspected." } },
};

interface Edit {
  name: string;
  edit(api: ApiJson, about: { schema: string; route: string }): void;
  /** At most this; a file that is not named must not differ at all. */
  bounds: Record<string, Bound>;
}

const EDITS: Edit[] = [
  {
    name: "a schema that nothing uses yet",
    edit: (api) => {
      api.components.schemas.Middle = { type: "object", properties: { a: { type: "string" } } };
    },
    // A member of `components` and the exported type.
    bounds: { "openapi.json": { added: 8, removed: 0 }, "types.ts": { added: 4, removed: 0 } },
  },
  {
    name: "an optional property of a schema in use",
    edit: (api, { schema }) => {
      properties(api, schema).extra = { type: "string", maxLength: 7 };
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
      "openapi.json": { added: 37, removed: 0 },
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
      "openapi.json": { added: 37, removed: 0 },
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
      // The description that goes has four lines at most.
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

/** The properties that a schema declares itself. */
function properties(api: ApiJson, name: string): Json {
  const found = api.components.schemas[name]?.properties;
  if (typeof found !== "object" || found === null) throw new Error(`${name} has no properties`);
  // The cast: an object has members.
  return found as Json;
}

describe.each([
  { which: "our document", make: own, schema: "CreatePageBody", route: "/v1/pages" },
  { which: "a document of fifty operations", make: midSize, schema: "NewKindD", route: "/KindE" },
])("$which", ({ make, ...about }) => {
  let before: string;
  beforeAll(async () => {
    before = await generated(make());
  });

  // The output depends on the document alone, so removing a part again removes the same lines.
  test.each(EDITS)("$name changes no line that it need not", async ({ edit, bounds }) => {
    const api = make();
    edit(api, about);
    const { "manifest.json": manifest, ...files } = differences(before, await generated(api));
    // In the manifest only the hashes of changed files differ.
    expect(manifest?.added).toBe(Object.keys(files).length + 1);
    const beyond = Object.entries(files).filter(([file, { added, removed }]) => {
      const bound = bounds[file];
      return !bound || !(added <= bound.added) || !(removed <= bound.removed);
    });
    expect(beyond).toEqual([]);
  });
});
