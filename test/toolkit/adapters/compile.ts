import { readFileSync } from "node:fs";
import path from "node:path";
import { PROJECT } from "../../support/api-document.js";
import { runCompiler } from "../../support/type-check.js";

/** Type-checks files more strictly than this project does, and returns one line for each error. */
export function findCompileErrors(files: readonly string[]): string[] {
  const config: { compilerOptions: object } = JSON.parse(
    readFileSync(path.join(PROJECT, "tsconfig.json"), "utf8"),
  );
  return runCompiler(files, {
    ...config.compilerOptions,
    types: [],
    rootDir: "/",
    noEmit: true,
    noUnusedParameters: true,
    noImplicitReturns: true,
    exactOptionalPropertyTypes: true,
  });
}
