import { isUnlimited } from "../domain/limits.js";

/** Prints one line of JSON if `--json` is given, otherwise lines of text. */
export function printResult(asJson: boolean | undefined, json: unknown, lines: readonly string[]): void {
  console.log(asJson ? JSON.stringify(json) : lines.join("\n"));
}

/** Prints a list: one line of JSON if `--json` is given, otherwise a table with the cells of each row, or `emptyText`. */
export function printList<Row>(
  asJson: boolean | undefined,
  rows: readonly Row[],
  emptyText: string,
  toCells: (row: Row) => readonly string[],
): void {
  printResult(asJson, rows, rows.length === 0 ? [emptyText] : formatTable(rows.map(toCells)));
}

function formatTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, column) => (widths[column] = Math.max(widths[column] ?? 0, cell.length)));
  }
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
}

/** Returns a limit in requests per minute for JSON; null for no limit. */
export function toJsonLimit(limit: number): number | null {
  return isUnlimited(limit) ? null : limit;
}

/** Formats a time in milliseconds as ISO 8601; null stays null. */
export function formatTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
