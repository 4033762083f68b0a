/** A measurement and its target. */
export interface Row {
  what: string;
  figure: string;
  beside: string;
  ratio: string;
  target: string;
  met: boolean;
}

/** Formats rows as a plain text table. */
export function formatTable(rows: Row[]): string {
  const head = ["what", "figure", "beside", "ratio", "target", "met"];
  const lines = [
    head,
    ...rows.map((row) => [row.what, row.figure, row.beside, row.ratio, row.target, row.met ? "yes" : "NO"]),
  ];
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

/** Formats a throughput, with the processor time of the server's main thread per response if it is known. */
export function formatSpeed(perSecond: number, micros?: number): string {
  const time = micros === undefined ? "" : `, ${Math.round(micros).toLocaleString("en")} µs`;
  return `${Math.round(perSecond).toLocaleString("en")}/s${time}`;
}
