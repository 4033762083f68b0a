import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { PROJECT } from "../../support/api-document.js";

const FILE = path.join(import.meta.dirname, "types.check.ts");
const FILES = [FILE, path.join(import.meta.dirname, "builders.check.ts")];

/** Type-checks the files with the project's settings, and returns the errors. `change` edits the text of the first file. */
function findErrors(change: (text: string) => string = (text) => text): string[] {
  const { config } = ts.readConfigFile(path.join(PROJECT, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, { ...ts.sys, readDirectory: () => [] }, PROJECT);
  const host = ts.createCompilerHost(options);
  const read = host.readFile;
  host.readFile = (file) => (path.resolve(file) === FILE ? change(readFileSync(FILE, "utf8")) : read(file));
  const program = ts.createProgram(FILES, { ...options, noEmit: true }, host);
  return ts.getPreEmitDiagnostics(program).map(({ file, start, messageText }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start ?? 0).line + 1 : 0;
    return `${path.basename(file?.fileName ?? "")}:${line} ${ts.flattenDiagnosticMessageText(messageText, " ")}`;
  });
}

describe("the client's types", () => {
  test("match types.check.ts and builders.check.ts", () => {
    expect(findErrors()).toEqual([]);
  });

  test("are checked: a wrong type fails", () => {
    const found = findErrors((text) =>
      text
        .replace(
          'expectTypeOf(headers["X-RateLimit-Limit"]).toEqualTypeOf<number>()',
          'expectTypeOf(headers["X-RateLimit-Limit"]).toEqualTypeOf<string>()',
        )
        .replaceAll("// @ts-expect-error", "//"),
    );
    expect(found.length).toBeGreaterThanOrEqual(8);
    for (const line of found) expect(line).toMatch(/^types\.check\.ts:/);
  });
});
