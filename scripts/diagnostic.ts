import { readFileSync } from "node:fs";
import path from "node:path";
import { compareText } from "./text.js";

/** Location in a source file. Lines and columns count from 1, as in editors. */
export interface Position {
  /** Absolute path of the file. */
  file: string;
  line: number;
  col: number;
  /** JSON pointer inside that file, e.g. `/paths/~1v1~1pages/post`; empty for the whole file. */
  pointer: string;
}

/** A problem in a document, in hand-written adapters or in the arguments. */
export interface Diagnostic {
  severity: "error" | "warning";
  /** The problem and its remedy, in one or two sentences. */
  message: string;
  /** Location of the cause; absent for problems without one, such as a wrong argument. */
  position?: Position;
}

/** Stops the pipeline with all diagnostics found so far. The command prints them and exits with 2. */
export class DiagnosticError extends Error {
  readonly diagnostics: Diagnostic[];

  /** @param problems diagnostics, or the message of an error without a location */
  constructor(problems: Diagnostic[] | string) {
    const diagnostics: Diagnostic[] =
      typeof problems === "string" ? [{ severity: "error", message: problems }] : problems;
    super(diagnostics.map(({ message }) => message).join("\n"));
    this.name = "DiagnosticError";
    this.diagnostics = diagnostics;
  }
}

/** Creates a diagnostic about a whole file. */
export function createFileDiagnostic(
  severity: Diagnostic["severity"],
  file: string,
  message: string,
): Diagnostic {
  return { severity, message, position: { file, line: 1, col: 1, pointer: "" } };
}

/** Prints diagnostics to stderr, in color when that is a terminal with colors (NO_COLOR switches them off). */
export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const color = process.stderr.isTTY && process.stderr.hasColors();
  console.error(renderDiagnostics(diagnostics, { color }));
}

/** Prints an error that users can fix. Prints nothing and returns false for any other error, which is a bug. */
export function printUserError(error: unknown): boolean {
  if (error instanceof DiagnosticError) printDiagnostics(error.diagnostics);
  // Errors of `parseArgs` and of the file system have a code and a message for users.
  else if (error instanceof Error && "code" in error)
    printDiagnostics([{ severity: "error", message: error.message }]);
  else return false;
  return true;
}

/**
 * Renders diagnostics for people: the line of `formatDiagnostic`, then the source line with carets.
 *
 *     openapi.yaml:7:9  error  Property `sumary` is not expected here. Did you mean `summary`?  at #/paths/~1a/get/sumary
 *         7 |         sumary: List the pages
 *           |         ^^^^^^
 */
export function renderDiagnostics(
  diagnostics: readonly Diagnostic[],
  { cwd = process.cwd(), color = false }: { cwd?: string; color?: boolean } = {},
): string {
  const files = new Map<string, string[]>();
  return diagnostics
    .flatMap((diagnostic) => {
      const { severity, position } = diagnostic;
      const paint = (text: string): string => (color ? `${COLORS[severity]}${text}${RESET}` : text);
      const header = formatDiagnostic(diagnostic, cwd).replace(`  ${severity}  `, `  ${paint(severity)}  `);
      return [
        header,
        ...(position ? renderExcerpt(position, readCachedLines(position.file, files), paint) : []),
      ];
    })
    .join("\n");
}

/** SGR escape sequences: red and yellow. */
const COLORS = { error: "\u001b[31m", warning: "\u001b[33m" };
const RESET = "\u001b[0m";

/**
 * Formats a diagnostic as one line: `file:line:col  severity  message  at #/pointer`.
 * The file is relative to `cwd` when it lies inside it.
 */
export function formatDiagnostic(diagnostic: Diagnostic, cwd: string = process.cwd()): string {
  const { position, severity, message } = diagnostic;
  const parts = [severity, shorten(message)];
  if (position) {
    const relative = path.relative(cwd, position.file);
    const file = relative.startsWith("..") ? position.file : relative;
    parts.unshift(`${file}:${position.line}:${position.col}`);
    if (position.pointer) parts.push(`at #${shorten(position.pointer)}`);
  }
  return escapeControlCharacters(parts.join("  "));
}

/** Escapes control characters, so that text from a document cannot break the line or control the terminal. */
export function escapeControlCharacters(text: string): string {
  return text.replace(
    CONTROL_CHARACTERS,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Maximum number of characters of a source line in an excerpt, and of those before the caret. */
const MAX_EXCERPT_LENGTH = 120;
const MAX_LENGTH_BEFORE_CARET = 60;

/** Renders the source line of a position with carets below the key or value; empty if the file has no such line. */
function renderExcerpt(
  { line, col }: Position,
  lines: readonly string[],
  paint: (text: string) => string,
): string[] {
  const text = lines[line - 1];
  if (text === undefined || text.trim() === "") return [];
  const start =
    col - 1 > MAX_EXCERPT_LENGTH - MAX_LENGTH_BEFORE_CARET ? col - 1 - MAX_LENGTH_BEFORE_CARET : 0;
  const printRange = (from: number, to: number): string =>
    escapeControlCharacters(text.slice(from, to).replaceAll("\t", " "));
  const before = `${start > 0 ? "…" : ""}${printRange(start, col - 1)}`;
  const after = printRange(col - 1, start + MAX_EXCERPT_LENGTH);
  const rest = text.length > start + MAX_EXCERPT_LENGTH ? "…" : "";
  const [marked = "^"] = /^(?:"(?:[^"\\]|\\.)*"|[\w$./{}-]+)/.exec(after) ?? [];
  const margin = String(line).padStart(5);
  const carets = " ".repeat([...before].length) + paint("^".repeat([...marked].length));
  return [`${margin} | ${before}${after}${rest}`, `${" ".repeat(margin.length)} | ${carets}`];
}

/** Returns the lines of a file, which is read once; empty for a file that cannot be read. */
function readCachedLines(file: string, cache: Map<string, string[]>): string[] {
  const lines = cache.get(file) ?? readLines(file);
  cache.set(file, lines);
  return lines;
}

function readLines(file: string): string[] {
  try {
    return readFileSync(file, "utf8").split(/\r\n?|\n/);
  } catch {
    // The file was removed in the meantime, or was never readable.
    return [];
  }
}

/** Maximum length of a message or a pointer, in characters. */
const MAX_TEXT_LENGTH = 1_000;

/** Shortens a message or a pointer, because the names in a document can have megabytes. */
function shorten(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}

/** Characters that break a line, control a terminal, change the direction of text or are invisible. */
const CONTROL_CHARACTERS =
  /[\u0000-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** Compares diagnostics by file, then position, then message. */
export function compareDiagnostics(one: Diagnostic, other: Diagnostic): number {
  return (
    compareText(one.position?.file ?? "", other.position?.file ?? "") ||
    (one.position?.line ?? 0) - (other.position?.line ?? 0) ||
    (one.position?.col ?? 0) - (other.position?.col ?? 0) ||
    compareText(one.message, other.message)
  );
}

/** Sorts diagnostics by position, and drops repeated messages at the same position. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const unique = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const key = JSON.stringify([diagnostic.position, diagnostic.message]);
    if (diagnostic.severity === "error" || !unique.has(key)) unique.set(key, diagnostic);
  }
  return [...unique.values()].sort(compareDiagnostics);
}
