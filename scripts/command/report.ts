import path from "node:path";
import { DiagnosticError, printDiagnostics } from "../diagnostic.js";
import type { GenerationPlan } from "../generation.js";
import type { CommandOptions } from "./options.js";

/** Lists the files that a plan writes or removes, one per line. */
export function describeChanges({ files, adapters }: GenerationPlan, out: string): string[] {
  const show = (file: string): string => path.relative(process.cwd(), path.join(out, file));
  return [
    ...files.added.map((file) => `  added    ${show(file)}`),
    ...files.changed.map((file) => `  changed  ${show(file)}`),
    ...files.stale.map((file) => `  removed  ${show(file)}`),
    ...adapters.edits.map(({ file, added, created }) => {
      const change = `  ${created ? "added  " : "changed"}  ${path.relative(process.cwd(), file)}`;
      if (added.length === 0) return change;
      const handlers = `${added.length === 1 ? "handler" : "handlers"} ${added.join(", ")}`;
      return `${change}: ${handlers} to implement (answers 501 until then)`;
    }),
  ];
}

/** The name of the document in messages. */
export function formatDocumentName({ spec }: CommandOptions): string {
  return path.relative(process.cwd(), spec);
}

/** Prints an error without a stack trace. */
export function printError(error: unknown): void {
  if (error instanceof DiagnosticError) {
    printDiagnostics(error.diagnostics);
  } else if (error instanceof Error && "code" in error) {
    // An error of the arguments or the file system; its message is sufficient.
    printDiagnostics([{ severity: "error", message: error.message }]);
  } else {
    printDiagnostics([{ severity: "error", message: describeInternalError(error) }]);
    if (process.env["DEBUG"]) console.error(error);
  }
}

/** The message for a bug of the toolkit. A stack trace would quote the document and help no user. */
function describeInternalError(error: unknown): string {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return `The generator failed on this document (${reason}). Report it with the document; DEBUG=1 prints the stack.`;
}
