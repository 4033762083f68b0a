import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { generate } from "../../scripts/pipeline.js";
import { PROJECT } from "../support/api-document.js";

/** What a document gave, in a folder of its own. */
export interface Generated extends Awaited<ReturnType<typeof generate>> {
  folder: string;
}

/**
 * A folder that packages resolve from and that neither git nor the compiler looks into. It is removed by whoever
 * made it.
 */
export function temporaryFolder(): string {
  const parent = path.join(PROJECT, "dist/test");
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(path.join(parent, "generated-"));
}

/** Generates from a document and writes the files, as the command does after it has looked at what is there. */
export async function generateInto(folder: string, spec: string): Promise<Generated> {
  const generated = await generate(spec, folder, "0".repeat(64));
  for (const { path: file, content } of generated.files) writeFileSync(path.join(folder, file), content);
  return { ...generated, folder };
}

/** Writes a document beside nothing else, generates from it into the same folder, and removes it after `use`. */
export async function withGenerated<T>(
  document: string | object,
  use: (generated: Generated) => T | Promise<T>,
): Promise<T> {
  const folder = temporaryFolder();
  try {
    const spec = path.join(folder, "document.yaml");
    // JSON is YAML as well.
    writeFileSync(spec, typeof document === "string" ? document : JSON.stringify(document));
    return await use(await generateInto(folder, spec));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What the compiler says about files under strict settings, one line for each complaint. */
export function complaints(files: string[]): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    types: ["node"],
    strict: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
  };
  const program = ts.createProgram(files, options);
  // Of these files alone: to check the libraries as well takes longer than all the rest.
  return files.flatMap((name) => {
    const file = program.getSourceFile(name);
    if (!file) return [`${path.basename(name)} is not there`];
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      (found) => {
        const { line } = file.getLineAndCharacterOfPosition(found.start ?? 0);
        const message = ts.flattenDiagnosticMessageText(found.messageText, " ");
        return `${path.basename(name)}:${line + 1} ${message}`;
      },
    );
  });
}

/** The TypeScript files that a generation wrote. */
export function sourcesOf({ folder, files }: Generated): string[] {
  return files.filter(({ path: file }) => file.endsWith(".ts")).map((file) => path.join(folder, file.path));
}
