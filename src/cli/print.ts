import { UNSAFE_CHARACTERS } from "../access/checks.js";
import { isUnlimited } from "../domain/plans.js";

/** Prints one line of JSON if `--json` is given, otherwise lines of text. */
export function printResult(asJson: boolean | undefined, json: unknown, lines: readonly string[]): void {
  console.log(asJson ? JSON.stringify(json) : lines.join("\n"));
}

/** Prints a list: JSON if `asJson`, otherwise a table, or `emptyText`. `columns` formats the cells by their headings. */
export function printList<Row>(
  asJson: boolean | undefined,
  rows: readonly Row[],
  emptyText: string,
  columns: Readonly<Record<string, (row: Row) => string>>,
): void {
  printResult(asJson, rows, rows.length === 0 ? [emptyText] : formatTable(rows, columns));
}

function formatTable<Row>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string>>,
): string[] {
  // Titles of pages can contain escape sequences of terminals.
  const unsafe = new RegExp(UNSAFE_CHARACTERS, "gu");
  const padded = Object.entries(columns).map(([heading, format]) => {
    const cells = [heading, ...rows.map((row) => format(row).replace(unsafe, "\ufffd"))];
    const widths = cells.map(measureWidth);
    const width = widths.reduce((widest, each) => Math.max(widest, each), 0);
    return cells.map((cell, line) => cell + " ".repeat(width - (widths[line] ?? width)));
  });
  return ["", ...rows].map((_, line) =>
    padded
      .map((cells) => cells[line])
      .join("  ")
      .trimEnd(),
  );
}

const characters = new Intl.Segmenter();

/** Matches characters that take two columns of a terminal: those of East Asian scripts, and emoji (Unicode, Annex 11). */
const WIDE_CHARACTER =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]|\ufe0f/u;

/** Returns the number of columns that a text takes in a terminal. */
function measureWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const { segment } of characters.segment(text)) width += WIDE_CHARACTER.test(segment) ? 2 : 1;
  return width;
}

/** Returns a limit in requests per minute for JSON; null for no limit. */
export function toJsonLimit(limit: number): number | null {
  return isUnlimited(limit) ? null : limit;
}

/** Formats a time in milliseconds as ISO 8601; null stays null. */
export function formatTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** Formats an ISO 8601 time for a table as its day and minute in UTC; "never" if there is none. */
export function formatMinute(time: string | null): string {
  return time === null ? "never" : time.slice(0, 16).replace("T", " ");
}
