import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { findRuntimeModules } from "../../../scripts/emit/runtime-modules.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

test.each([
  ["{}", "openapi-compiler"],
  ["not JSON", "openapi-compiler"],
  ['{ "openapi-compiler": { "runtime": 1 } }', "openapi-compiler"],
  ['{ "openapi-compiler": { "runtime": "src" } }', "../src"],
  ['{ "openapi-compiler": { "runtime": "out/lib" } }', "./lib"],
])("with the package.json %s, generated code imports the runtimes from %s", async (manifest, expected) => {
  const folder = createTemporaryFolder();
  writeFileSync(path.join(folder, "package.json"), manifest);
  const file = expected === "openapi-compiler" ? "" : "/index.js";
  expect(await findRuntimeModules(path.join(folder, "out"))).toEqual({
    http: `${expected}/http${file}`,
    fetch: `${expected}/fetch${file}`,
  });
});

test("a package.json in the folder of the generated code comes before those above it", async () => {
  const folder = createTemporaryFolder();
  const outDir = path.join(folder, "out");
  mkdirSync(outDir);
  for (const [place, runtime] of [
    [folder, "above"],
    [outDir, "lib"],
  ] as const)
    writeFileSync(path.join(place, "package.json"), JSON.stringify({ "openapi-compiler": { runtime } }));
  expect((await findRuntimeModules(outDir)).http).toBe("./lib/http/index.js");
});
