import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { PROJECT } from "../../support/api-document.js";
import { createProjectFolder } from "../../toolkit/generate/generated.js";
import { type CompilerOptions, runCompiler } from "../../support/type-check.js";

const FILES = ["types.check.ts", "builders.check.ts"].map((name) => path.join(import.meta.dirname, name));

/** Replaces a type that is right, and removes the expectations of errors. */
function breakTypes(text: string): string {
  return text
    .replace(
      'expectTypeOf(headers["X-RateLimit-Limit"]).toEqualTypeOf<number>()',
      'expectTypeOf(headers["X-RateLimit-Limit"]).toEqualTypeOf<string>()',
    )
    .replaceAll("// @ts-expect-error", "//");
}

/** Type-checks the files and a broken copy of the first one, with the project's settings. Returns the errors. */
function findErrors(): string[] {
  const config: { compilerOptions: CompilerOptions } = JSON.parse(
    readFileSync(path.join(PROJECT, "tsconfig.json"), "utf8"),
  );
  // As deep as this folder, because the file imports by relative paths.
  const folder = createProjectFolder();
  try {
    const broken = path.join(folder, "broken.ts");
    const text = readFileSync(FILES[0] ?? "", "utf8");
    writeFileSync(broken, breakTypes(text));
    return runCompiler([...FILES, broken], { ...config.compilerOptions, rootDir: "/", noEmit: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("the client's types", () => {
  let errors: string[];
  beforeAll(() => {
    errors = findErrors();
  });
  const isBroken = (line: string): boolean => line.includes("/broken.ts:");

  test("match types.check.ts and builders.check.ts", () => {
    expect(errors.filter((line) => !isBroken(line))).toEqual([]);
  });

  test("are checked: a wrong type fails", () => {
    expect(errors.filter(isBroken).length).toBeGreaterThanOrEqual(8);
  });
});
