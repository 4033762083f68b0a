import { cpSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DiagnosticError } from "../../../scripts/diagnostic.js";
import { formatDiagnosticIn } from "../../../scripts/print-diagnostics.js";
import { generateFiles } from "../../../scripts/generation.js";
import { servePair } from "./shapes-server.js";
import { buildModel } from "./generated.js";
import { type Generation, Workspace } from "./workspace.js";

const ORCHARD = fileURLToPath(new URL("../../fixtures/orchard", import.meta.url));

let workspace: Workspace;
let generation: Generation;

beforeAll(async () => {
  workspace = new Workspace();
  generation = await workspace.generate(path.join(ORCHARD, "openapi.yaml"));
});
afterAll(() => workspace.remove());

/** Copies the document, changes one of its files, and returns the diagnostics of generating code for the copy. */
async function generateAfterChange(file: string, from: string, to: string): Promise<string[]> {
  const copy = workspace.path(`copy-${path.basename(file)}-${to.length}`);
  cpSync(ORCHARD, copy, { recursive: true });
  const text = readFileSync(path.join(copy, file), "utf8");
  expect(text).toContain(from);
  writeFileSync(path.join(copy, file), text.replace(from, to));
  return generateFiles({ spec: path.join(copy, "openapi.yaml"), out: workspace.path("never") }).then(
    ({ warnings }) => warnings.map((one) => formatDiagnosticIn(copy, one)),
    (error: unknown) => {
      if (!(error instanceof DiagnosticError)) throw error;
      const errors = error.diagnostics.filter(({ severity }) => severity === "error");
      return errors.map((one) => formatDiagnosticIn(copy, one));
    },
  );
}

test("a document in many files gives code that compiles, and one component for each reference target", () => {
  expect(workspace.compile(["generated/routes.ts", "generated/client.ts", "generated/types.ts"])).toEqual([]);
  const { components } = buildModel(generation).document;
  const names = Object.entries(components ?? {}).map(([kind, members]) => [kind, Object.keys(members ?? {})]);
  expect(Object.fromEntries(names)).toEqual({
    examples: ["all", "unauthorized"],
    headers: ["limit", "remaining"],
    parameters: ["page", "per_page", "species", "tree_id"],
    requestBodies: ["harvest"],
    responses: ["no_content", "not_found", "unauthorized", "unexpected"],
    // prettier-ignore
    schemas: [
      "Plant", "error", "harvest", "id", "id-2", "links", "links-2", "links-3", "links-4", "meta", "pagination",
      "plant", "shrub", "species", "tree", "weight",
    ],
  });
  expect(generation.files.find(({ path: file }) => file === "openapi.json")?.content).not.toMatch(
    /\.(yml|json)[#"]/,
  );
});

test("generated code is independent of the location of the document's folder", async () => {
  const moved = workspace.path("elsewhere/b/orchard");
  cpSync(ORCHARD, moved, { recursive: true });
  const again = await generateFiles({ spec: path.join(moved, "openapi.yaml"), out: workspace.path("moved") });
  const texts = ({ files }: Generation) => files.filter(({ path: file }) => file !== "manifest.json");
  expect(texts(again)).toEqual(texts(generation));
});

describe("client and routes agree", () => {
  const tree = {
    id: 1,
    kind: "tree",
    last_harvest: { id: "h1", weight: 2, trees: [{ id: 2, kind: "tree" }] },
  };
  test.each([
    [
      "listTrees",
      { query: { per_page: 10, species: "apple" } },
      {
        status: 200,
        headers: { "RateLimit-Limit": 9 },
        body: { trees: [tree], meta: { total: 1 } },
      },
    ],
    [
      "createTree",
      { body: { kind: "shrub", height: 1.5 } },
      { status: 201, headers: { "RateLimit-Limit": 9 }, body: { plant: tree } },
    ],
    ["getTree", { path: { tree_id: 1 } }, { status: 200, body: tree }],
    ["removeTree", { path: { tree_id: 1 } }, { status: 204 }],
    ["createHarvest", { body: { weight: 3, trees: [1] } }, { status: 201, body: tree.last_harvest }],
    ["listHarvestTrees", { path: { harvest_id: "h1" } }, { status: 200, body: [tree] }],
  ])("%s", async (operation, request, reply) => {
    const pair = await servePair(workspace, "router");
    const { seen, response } = await pair.call(operation, request, reply);
    expect(seen.request).toMatchObject(request);
    expect(response).toMatchObject(reply);
  });

  test.each([
    ["createTree", { body: { kind: "bush" } }],
    ["createTree", { body: { kind: "shrub" } }],
    ["getTree", { path: { tree_id: 0 } }],
    ["createHarvest", { body: { weight: 3, trees: [0] } }],
    ["listHarvestTrees", { path: { harvest_id: "1" } }],
  ])("%s is refused with %j by a schema in another file", async (operation, request) => {
    const pair = await servePair(workspace, "router");
    await expect(pair.call(operation, request)).rejects.toThrow("599");
  });
});

describe("reports mistakes with file, line and column", () => {
  test.each([
    [
      "resources/trees/models/tree.yml",
      "last_harvest: { $ref: ../../harvests",
      "last_harvest: { $ref: ../../harvest",
      /^resources\/trees\/models\/tree\.yml:8:\d+ {2}error .* \.\.\/\.\.\/harvest\/models\/harvest\.yml does not exist/,
    ],
    [
      "shared/pages.yml",
      'meta: { $ref: "#/meta" }',
      'meta: { $ref: "#/mata" }',
      /^shared\/pages\.yml:5:\d+ {2}error .*"#\/mata": nothing is there/,
    ],
    [
      "resources/harvests/models/harvest.yml",
      'pattern: "^h[0-9]+$"',
      "minLength: -1",
      /^resources\/harvests\/models\/harvest\.yml:4:\d+ {2}error .*minLength/,
    ],
    [
      "resources/harvests/harvests.yml",
      '"201":',
      '"2o1":',
      /^resources\/harvests\/harvests\.yml:\d+:\d+ {2}error .*"2o1" is not a status/,
    ],
    [
      "shared/headers/ratelimit.yml",
      "schema: { type: integer }",
      "schema: { type: whole }",
      /^shared\/headers\/ratelimit\.yml:1:\d+ {2}error .*`type` must be one of/,
    ],
  ])("%s", async (file, from, to, message) => {
    const [first, ...others] = await generateAfterChange(file, from, to);
    expect(first).toMatch(message);
    expect(others.every((line) => line.startsWith(file))).toBe(true);
  });
});
