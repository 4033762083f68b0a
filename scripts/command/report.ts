import path from "node:path";
import { hasErrors } from "../diagnostic.js";
import { describeUserError, printDiagnostics } from "../print-diagnostics.js";
import type { GenerationPlan } from "../generation.js";
import type { CommandOptions } from "./options.js";

/** Lists the files that a plan writes or removes, one per line. */
export function describeChanges({ files, adapters }: GenerationPlan, out: string): string[] {
  const toDisplayPath = (file: string): string => path.relative(process.cwd(), path.join(out, file));
  return [
    ...files.added.map((file) => `  added    ${toDisplayPath(file)}`),
    ...files.changed.map((file) => `  changed  ${toDisplayPath(file)}`),
    ...files.stale.map((file) => `  removed  ${toDisplayPath(file)}`),
    ...adapters.edits.flatMap(({ file, addedHandlers, created }) => {
      const change = `  ${created ? "added  " : "changed"}  ${path.relative(process.cwd(), file)}`;
      if (addedHandlers.length === 0) return [change];
      if (addedHandlers.length === 1)
        return [`${change}: handler ${addedHandlers.join("")} to implement (responds with 501 until then)`];
      return [
        `${change}: ${addedHandlers.length} handlers to implement (each responds with 501 until then):`,
        ...addedHandlers.map((handler) => `    ${handler}`),
      ];
    }),
  ];
}

/** Formats the path of the document for messages, relative to the working directory. */
export function formatDocumentName({ spec }: CommandOptions): string {
  return path.relative(process.cwd(), spec);
}

export function printPlanDiagnostics({ warnings, adapters }: GenerationPlan): void {
  printDiagnostics([...warnings, ...adapters.diagnostics]);
}

/** Reports what a plan has written. Returns the exit code. */
export function reportWritten(plan: GenerationPlan, options: CommandOptions, startMs: number): number {
  const changes = describeChanges(plan, options.out);
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  console.log(
    changes.length > 0
      ? [`Generated from ${formatDocumentName(options)} in ${seconds} s:`, ...changes].join("\n")
      : `Nothing to do: up to date with ${formatDocumentName(options)}.`,
  );
  return hasErrors(plan.adapters.diagnostics) ? 2 : 0;
}

/** Prints an error without a stack trace, which would not help users. */
export function printError(error: unknown): void {
  const diagnostics = describeUserError(error);
  if (diagnostics) return printDiagnostics(diagnostics);
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const message = `Internal error: ${reason}. Report it with your document. Set DEBUG=1 to print the stack.`;
  printDiagnostics([{ severity: "error", message }]);
  if (process.env["DEBUG"]) console.error(error);
}
