import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { compile } from "../../../scripts/pipeline.js";
import { PROJECT } from "../../support/api-document.js";
import { type Compiler, runCompiler } from "../../support/type-check.js";

/** Output for a document, in its own folder. */
export interface Generated extends Awaited<ReturnType<typeof compile>> {
  folder: string;
}

/**
 * A folder that packages resolve from and that neither git nor the compiler looks into. It is removed by whoever
 * made it.
 */
export function createTemporaryFolder(): string {
  const parent = path.join(PROJECT, "dist/test");
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(path.join(parent, "generated-"));
}

/** Generates from a document and writes the files, as the command does after it has looked at what is there. */
export async function generateInto(folder: string, spec: string): Promise<Generated> {
  const generated = await compile(spec, folder, "0".repeat(64));
  for (const { path: file, content } of generated.files) writeFileSync(path.join(folder, file), content);
  return { ...generated, folder };
}

/** Writes a document beside nothing else, generates from it into the same folder, and removes it after `use`. */
export async function withGenerated<T>(
  document: string | object,
  use: (generated: Generated) => T | Promise<T>,
): Promise<T> {
  const folder = createTemporaryFolder();
  try {
    const spec = path.join(folder, "document.yaml");
    // JSON is YAML as well.
    writeFileSync(spec, typeof document === "string" ? document : JSON.stringify(document));
    return await use(await generateInto(folder, spec));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Type-checks files under strict settings; returns one line for each error. */
export function typeErrors(files: readonly string[], compiler?: Compiler): string[] {
  const options = {
    target: "ES2023",
    // The runtime, which is checked as source here, uses String.prototype.isWellFormed.
    lib: ["ES2023", "ES2024.String"],
    module: "NodeNext",
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
  };
  return runCompiler(files, options, PROJECT, compiler);
}

/** The TypeScript files that a generation wrote. */
export function sourcesOf({ folder, files }: Generated): string[] {
  return files.filter(({ path: file }) => file.endsWith(".ts")).map((file) => path.join(folder, file.path));
}
