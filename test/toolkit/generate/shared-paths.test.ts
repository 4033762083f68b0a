import path from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatDiagnosticIn } from "../../../scripts/print-diagnostics.js";
import { servePair } from "./shapes-server.js";
import { type Generation, Workspace } from "./workspace.js";

const FIXTURES = fileURLToPath(new URL("../../fixtures/generate", import.meta.url));

let workspace: Workspace;
let generation: Generation;

beforeAll(async () => {
  workspace = new Workspace();
  generation = await workspace.generate(path.join(FIXTURES, "shared-paths.yaml"));
});
afterAll(() => workspace.remove());

test("the generated code compiles in a strict project, and generation reports no problems", () => {
  const files = ["generated/routes.ts", "generated/client.ts", "generated/types.ts"];
  expect(workspace.compile(files)).toEqual([]);
});

test("warns once about a query string in a path", () => {
  const shown = generation.warnings.map((warning) => formatDiagnosticIn(FIXTURES, warning));
  expect(shown).toEqual([
    expect.stringMatching(/^shared-paths\.yaml:\d+:3 {2}warning .*query string of \/kites\?view=full/),
    expect.stringMatching(
      /^shared-paths\.yaml:\d+:3 {2}warning .*query string of \/kites\/\{kite\}\/flights/,
    ),
  ]);
});

describe.each(["router", "express"] as const)("each reaches its own handler, on %s", (mount) => {
  test.each([
    ["count", { headers: { "X-Target": "Kites.Count" } }, "/"],
    ["clear", { headers: { "X-Target": "Kites.Clear" } }, "/"],
    ["listFullKites", { query: { view: "full" } }, "/kites?view=full"],
    ["listKites", { query: { view: "short" } }, "/kites?view=short"],
    ["listKites", { query: {} }, "/kites"],
    [
      "listFlights",
      { path: { kite: "a" }, query: { from: "b", days: [1, 2], unit: "m/s" } },
      "/kites/a/flights?days=1,2&from=b&unit=m/s",
    ],
    ["getLines", { path: { kite: "a" }, query: { lines: true } }, "/kites/a?lines=true"],
    ["getTail", { path: { kite: "a" }, headers: { "X-Tail": 3 } }, "/kites/a"],
    ["getPlan", { path: { name: "a/b", page: "1.json", extension: ".txt+" } }, "/kites/a/b.plan/1.json.txt+"],
    ["getKite", { path: { name: "a" } }, "/kites/a"],
    ["listCapitalKites", {}, "/Kites"],
    ["listFolder", {}, "/kites/"],
    ["getCapitalKite", { path: { kite: "a é" } }, "/KITES/a é"],
  ])("%s with %j", async (operation, request, url) => {
    const pair = await servePair(workspace, mount);
    const { seen } = await pair.call(operation, request, { status: 204 });
    expect(seen).toMatchObject({ operation, request });
    const [pathname, query = ""] = decodeURIComponent(seen.url).split("?");
    expect([pathname, query.split("&").sort().join("&")].filter(Boolean).join("?")).toBe(url);
  });
});
