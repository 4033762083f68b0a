import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findRuntimeModules } from "../../../scripts/emit/runtime.js";

test.each([
  ["{}", "openapi-compiler"],
  ["not JSON", "openapi-compiler"],
  ['{ "openapi-compiler": { "runtime": 1 } }', "openapi-compiler"],
  ['{ "openapi-compiler": { "runtime": "src" } }', "../src"],
  ['{ "openapi-compiler": { "runtime": "out/lib" } }', "./lib"],
])("with the package.json %s, generated code imports the runtimes from %s", async (manifest, expected) => {
  const folder = mkdtempSync(path.join(tmpdir(), "runtime-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, "package.json"), manifest);
  const file = expected === "openapi-compiler" ? "" : "/index.js";
  expect(await findRuntimeModules(path.join(folder, "out"))).toEqual({
    http: `${expected}/http${file}`,
    fetch: `${expected}/fetch${file}`,
  });
});
