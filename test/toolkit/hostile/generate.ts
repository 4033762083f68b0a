import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { type Diagnostic, DiagnosticError } from "../../../scripts/diagnostic.js";
import type { GeneratedFile } from "../../../scripts/emit/generated-file.js";
import { generateFiles } from "../../../scripts/generation.js";
import { PROJECT } from "../../support/api-document.js";
import { type Case, createDocument, mayBeRefused } from "./corpus.js";

/** Exit code and output of the command. */
export interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the built generate command as a process in a folder, with options for Node. */
export function runCommand(folder: string, args: string[], node: string[] = []): Promise<Outcome> {
  const all = [...node, path.join(PROJECT, "dist/openapi-compiler/cli.js"), "generate", ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, all, { cwd: folder, maxBuffer: 1 << 28 }, (error, stdout, stderr) => {
      // A process that was killed by a signal has no exit code.
      resolve({ code: error ? (typeof error.code === "number" ? error.code : -1) : 0, stdout, stderr });
    });
  });
}

/** The cases of a document by result. */
export interface Sorted {
  /** Cases that were generated in one document. */
  generated: Case[];
  refused: { case: Case; diagnostic: Diagnostic }[];
  /** Generated files; empty if all cases were refused. */
  files: readonly GeneratedFile[];
  /** Failures: errors without a location, errors of cases that must generate, and other exceptions. */
  mistakes: string[];
}

/**
 * Generates code for a document with all cases, and again without the refused cases until the document is accepted. This
 * takes a few runs, because each stage of the generator reports all its errors together.
 */
export async function sortCases(all: readonly Case[], folder: string): Promise<Sorted> {
  const result: Sorted = { generated: [...all], refused: [], files: [], mistakes: [] };
  const spec = path.join(folder, "openapi.json");
  mkdirSync(folder, { recursive: true });
  while (result.generated.length > 0) {
    const { document, ownersOf } = createDocument(result.generated);
    writeFileSync(spec, JSON.stringify(document));
    const { files, errors } = await tryToGenerate(spec);
    if (errors.length === 0) {
      result.files = files;
      break;
    }
    const gone = new Set<Case>();
    for (const diagnostic of errors) {
      for (const each of diagnostic.position ? ownersOf(diagnostic.position.pointer) : []) {
        if (gone.has(each)) continue;
        gone.add(each);
        result.refused.push({ case: each, diagnostic });
        if (!mayBeRefused(each))
          result.mistakes.push(`${each.sink}, ${each.payload}: ${diagnostic.message.slice(0, 200)}`);
      }
    }
    if (gone.size === 0) {
      result.mistakes.push(`no place in the document: ${JSON.stringify(errors[0]).slice(0, 1_000)}`);
      break;
    }
    result.generated = result.generated.filter((each) => !gone.has(each));
  }
  return result;
}

/** Generates code for a document without writing it, and returns the files and the warnings, or the errors. */
export async function tryToGenerate(
  spec: string,
): Promise<{ files: readonly GeneratedFile[]; warnings: Diagnostic[]; errors: Diagnostic[] }> {
  const failure = { files: [], warnings: [] };
  try {
    const { files, warnings } = await generateFiles({
      spec,
      out: path.join(path.dirname(spec), "generated"),
    });
    return { files, warnings, errors: [] };
  } catch (error) {
    if (error instanceof DiagnosticError)
      return { ...failure, errors: error.diagnostics.filter(({ severity }) => severity === "error") };
    const reason = error instanceof Error ? `${error.stack} ${String(error.cause ?? "")}` : String(error);
    return { ...failure, errors: [{ severity: "error", message: `not a diagnostic: ${reason}` }] };
  }
}
