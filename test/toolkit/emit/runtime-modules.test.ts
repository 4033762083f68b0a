import { writeFileSync } from "node:fs";
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
