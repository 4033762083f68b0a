/** Prints what a program can read where `--json` asks for it, and lines for people else. */
export function print(asJson: boolean, json: unknown, lines: readonly string[]): void {
  console.log(asJson ? JSON.stringify(json) : lines.join("\n"));
}

/** Lines of cells, each column as wide as its widest cell. */
export function table(rows: readonly (readonly string[])[]): string[] {
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

/** A time as programs read it; null stays null. */
export function isoTime(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
