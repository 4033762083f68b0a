import path from "node:path";

/** A place in a source file. Lines and columns count from 1, as editors do. */
export interface Position {
  /** Absolute path of the file. */
  file: string;
  line: number;
  col: number;
  /** JSON pointer inside that file, e.g. `/paths/~1v1~1pages/post`; empty for the whole file. */
  pointer: string;
}

/** One problem found in a document, in hand-written adapters or in the arguments. */
export interface Diagnostic {
  severity: "error" | "warning";
  message: string;
  /** Where it is; absent when the problem has no place (a missing file, say). */
  position?: Position;
  /** The lint rule that found it, where one did. */
  rule?: string;
}

/** Stops the pipeline with everything found so far. The command prints the diagnostics and exits with 2. */
export class DiagnosticError extends Error {
  constructor(readonly diagnostics: Diagnostic[]) {
    super(diagnostics.map((diagnostic) => diagnostic.message).join("\n"));
    this.name = "DiagnosticError";
  }
}

/**
 * Renders a diagnostic as `file:line:col  severity  message  (rule)  at #/pointer`.
 * The file is shown relative to `cwd` when it lies inside it.
 */
export function formatDiagnostic(diagnostic: Diagnostic, cwd: string = process.cwd()): string {
  const { position, severity, message, rule } = diagnostic;
  const parts = [severity, shorten(message)];
  if (rule) parts.push(`(${rule})`);
  if (position) {
    const relative = path.relative(cwd, position.file);
    const file = relative.startsWith("..") ? position.file : relative;
    parts.unshift(`${file}:${position.line}:${position.col}`);
    if (position.pointer) parts.push(`at #${shorten(position.pointer)}`);
  }
  return printableLine(parts.join("  "));
}

/** A line for a terminal: it quotes documents from anywhere, which must not break the line or steer the terminal. */
export function printableLine(text: string): string {
  return text.replace(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Longest message and longest pointer that are shown, in characters. */
const LONGEST = 1_000;

/** Both quote documents, which can hold a name of megabytes. */
function shorten(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/** What breaks a line, steers a terminal, turns the direction of text or cannot be seen. */
const CONTROL_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Order of two texts by code unit: the same in every locale. */
export function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Orders diagnostics by file, then position, then text. */
export function compareDiagnostics(one: Diagnostic, other: Diagnostic): number {
  return (
    compareText(one.position?.file ?? "", other.position?.file ?? "") ||
    (one.position?.line ?? 0) - (other.position?.line ?? 0) ||
    (one.position?.col ?? 0) - (other.position?.col ?? 0) ||
    compareText(one.message, other.message)
  );
}
