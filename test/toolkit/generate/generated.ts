import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { generateFiles } from "../../../scripts/generation.js";
import type { Api } from "../../../scripts/model/model.js";
import { PROJECT } from "../../support/api-document.js";
import { type Compiler, runCompiler } from "../../support/type-check.js";
import { build } from "../model/document.js";

/** Generated files of a document in a folder. */
export interface Generated extends Awaited<ReturnType<typeof generateFiles>> {
  folder: string;
}

/**
 * Creates a folder in the project, from which packages resolve, and which git and the compiler ignore. The caller removes it.
 */
export function createProjectFolder(): string {
  const parent = path.join(PROJECT, "dist/test");
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(path.join(parent, "generated-"));
}

/** Generates code for a document and writes all files. */
export async function generateInto(folder: string, spec: string): Promise<Generated> {
  const generated = await generateFiles({ spec, out: folder });
  for (const { path: file, content } of generated.files) writeFileSync(path.join(folder, file), content);
  return { ...generated, folder };
}

/** Builds the model of the generated openapi.json. */
export function buildModel({ files }: Pick<Generated, "files">): Api {
  return build(JSON.parse(files.find(({ path: file }) => file === "openapi.json")?.content ?? ""));
}

/** Writes a document to a new folder, generates code in it, and removes the folder after `use`. */
export async function withGenerated<T>(
  document: string | object,
  use: (generated: Generated) => T | Promise<T>,
): Promise<T> {
  const folder = createProjectFolder();
  try {
    const spec = path.join(folder, "document.yaml");
    // JSON is valid YAML.
    writeFileSync(spec, typeof document === "string" ? document : JSON.stringify(document));
    return await use(await generateInto(folder, spec));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Type-checks files under strict settings, and returns one line for each error. */
export function findTypeErrors(files: readonly string[], compiler?: Compiler): string[] {
  const options = {
    target: "ES2023",
    // For String.prototype.isWellFormed in the runtime, whose source is checked too.
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

/** Lists the generated TypeScript files. */
export function listSources({ folder, files }: Generated): string[] {
  return files.filter(({ path: file }) => file.endsWith(".ts")).map((file) => path.join(folder, file.path));
}
