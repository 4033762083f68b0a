import { readFileSync } from "node:fs";
import path from "node:path";
import { escapeCharacters, escapeInvisible } from "./code/encode.js";
import { type Diagnostic, DiagnosticError, type Position } from "./diagnostic.js";
import { describeFileError } from "./file-system.js";
import { getOrCreate, groupBy } from "./maps.js";

/** SGR escape sequences: red and yellow. */
const COLORS = { error: "\u001b[31m", warning: "\u001b[33m" };
const RESET = "\u001b[0m";

/** Maximum number of characters of a source line in an excerpt, and of those before the caret. */
const MAX_EXCERPT_LENGTH = 120;
const MAX_LENGTH_BEFORE_CARET = 60;

/** Maximum length of a message or a pointer, in characters. */
const MAX_TEXT_LENGTH = 1_000;

/** Maximum number of printed warnings with the same message, because a document can repeat a mistake in every operation. */
const MAX_EQUAL_WARNINGS = 5;

/** Prints diagnostics to stderr, in color when that is a terminal with colors (NO_COLOR switches them off). */
export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  if (diagnostics.length === 0) return;
  const color = process.stderr.isTTY && process.stderr.hasColors();
  console.error(renderDiagnostics(limitEqualWarnings(diagnostics), { color }));
}

/** Replaces all but the first few warnings with the same message by one that counts them, at the end of the list. */
export function limitEqualWarnings(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const warnings = diagnostics.filter(({ severity }) => severity === "warning");
  const groups = [...groupBy(warnings, ({ message }) => message)];
  const omitted = new Set(groups.flatMap(([, equal]) => equal.slice(MAX_EQUAL_WARNINGS)));
  return [
    ...diagnostics.filter((diagnostic) => !omitted.has(diagnostic)),
    ...groups.flatMap(([message, { length }]): Diagnostic[] =>
      length <= MAX_EQUAL_WARNINGS
        ? []
        : [{ severity: "warning", message: `${length - MAX_EQUAL_WARNINGS} more: ${message}` }],
    ),
  ];
}

/** Describes an error that users can fix; undefined for any other error, which is a bug. */
export function describeUserError(error: unknown): readonly Diagnostic[] | undefined {
  if (error instanceof DiagnosticError) return error.diagnostics;
  const message = describeArgumentError(error) ?? describeFileError(error);
  return message === undefined ? undefined : [{ severity: "error", message }];
}

/** Describes an error of `parseArgs`; undefined for any other error. */
export function describeArgumentError(error: unknown): string | undefined {
  if (!(error instanceof Error && "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS")))
    return undefined;
  // The rest is advice for other programs.
  const [sentence = ""] = error.message.split(/\. |\n/);
  return `${sentence.replace(/\.$/, "")}.`;
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
      const line = formatDiagnosticIn(cwd, diagnostic, paint);
      if (!position) return [line];
      const lines = getOrCreate(files, position.file, () => readLines(position.file));
      return [line, ...renderExcerpt(position, lines, paint)];
    })
    .join("\n");
}

/** Formats a diagnostic as one line: `file:line:col  severity  message  at #/pointer`. Has one parameter, so that `map` can call it. */
export function formatDiagnostic(diagnostic: Diagnostic): string {
  return formatDiagnosticIn(process.cwd(), diagnostic);
}

/** Formats a diagnostic like `formatDiagnostic`, with the file relative to `cwd`. */
export function formatDiagnosticIn(
  cwd: string,
  { position, severity, message }: Diagnostic,
  paint = (text: string): string => text,
): string {
  const parts = [paint(severity), escapeControlCharacters(truncateText(message))];
  if (position) {
    const relative = path.relative(cwd, position.file);
    const file = relative.startsWith("..") ? position.file : relative;
    parts.unshift(escapeControlCharacters(`${file}:${position.line}:${position.col}`));
    if (position.pointer) parts.push(escapeControlCharacters(`at #${truncateText(position.pointer)}`));
  }
  return parts.join("  ");
}

/** Escapes control characters, so that text from a document cannot break the line or control the terminal. */
export function escapeControlCharacters(text: string): string {
  return escapeInvisible(escapeCharacters(text, /[\t\n\r]/g));
}

/** Renders the source line of a position with carets below the key or value; empty if the file has no such line. */
function renderExcerpt(
  { line, col }: Position,
  lines: readonly string[],
  paint: (text: string) => string,
): string[] {
  const text = lines[line - 1];
  if (text === undefined || text.trim() === "") return [];
  // Omits the beginning of a long line, so that the column is inside the excerpt.
  const start = Math.max(0, col - 1 - MAX_LENGTH_BEFORE_CARET);
  const printRange = (from: number, to: number): string =>
    escapeControlCharacters(text.slice(from, to).replaceAll("\t", " "));
  const before = `${start > 0 ? "…" : ""}${printRange(start, col - 1)}`;
  const after = printRange(col - 1, start + MAX_EXCERPT_LENGTH);
  const ellipsis = text.length > start + MAX_EXCERPT_LENGTH ? "…" : "";
  // Underlines a quoted or plain key or text, or one character.
  const [underlined = "^"] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[\w$./{}-]+)/.exec(after) ?? [];
  const margin = String(line).padStart(5);
  const carets = " ".repeat([...before].length) + paint("^".repeat([...underlined].length));
  return [`${margin} | ${before}${after}${ellipsis}`, `${" ".repeat(margin.length)} | ${carets}`];
}

function readLines(file: string): string[] {
  try {
    // Columns do not count the byte order mark.
    const text = readFileSync(file, "utf8").replace(/^\ufeff/, "");
    return text.split(/\r\n?|\n/);
  } catch {
    // The file was removed in the meantime, or was never readable.
    return [];
  }
}

/** Truncates a message or a pointer, because the names in a document can have megabytes. */
function truncateText(text: string): string {
  return text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
}
