/** Prints one line of JSON if `--json` is given, otherwise lines of text. */
export function printResult(asJson: boolean | undefined, json: unknown, lines: readonly string[]): void {
  console.log(asJson ? JSON.stringify(json) : lines.join("\n"));
}

/**
 * Prints a list: one line of JSON if `--json` is given, otherwise a table.
 *
 * @param cells cells of the table, by line
 * @param emptyText text instead of a table without lines
 */
export function printList(
  asJson: boolean | undefined,
  json: readonly unknown[],
  cells: readonly (readonly string[])[],
  emptyText = "",
): void {
  printResult(asJson, json, cells.length === 0 ? [emptyText] : formatTable(cells));
}

/** Formats rows of cells as lines with aligned columns. */
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

/** Formats a time in milliseconds as ISO 8601; null stays null. */
export function formatTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
