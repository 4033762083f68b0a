import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const root = path.resolve(import.meta.dirname, "../..");

/** Compiles files as strictly as this project does, and more so; returns what the compiler has to say. */
export function compileErrors(files: string[]): string[] {
  const config: unknown = ts.readConfigFile(path.join(root, "tsconfig.json"), (file) =>
    readFileSync(file, "utf8"),
  ).config;
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, root);
  const program = ts.createProgram(files, {
    ...options,
    types: [],
    rootDir: undefined,
    noEmit: true,
    noUnusedParameters: true,
    noImplicitReturns: true,
    exactOptionalPropertyTypes: true,
  });
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
}
