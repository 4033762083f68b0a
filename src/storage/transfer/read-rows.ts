import { createLineError, type Footer, type Header, parseLine, type Row, type RowLine } from "./format.js";
import type { Line } from "./lines.js";
import { type Columns, parseRow } from "./table-columns.js";
import { belongsToWorkspace, EXPORTED_TABLES, type Tables } from "../tables.js";

/** A row of a file, and the number and length of its line. */
export interface ImportedRow {
  readonly table: keyof Tables;
  readonly row: Row;
  readonly line: number;
  readonly length: number;
}

/** Parses and checks the lines after the header, and yields their rows. Throws a UserError for an invalid line or incomplete file. */
export async function* readRows(
  lines: AsyncIterable<Line>,
  header: Header,
  columns: Columns,
): AsyncGenerator<ImportedRow> {
  const counts = new Map<string, number>(EXPORTED_TABLES.map((table) => [table, 0]));
  const workspaceIds = new Set<unknown>();
  let footer: Footer | undefined;
  let last = 1;
  for await (const { number, text } of lines) {
    last = number;
    if (footer !== undefined) {
      throw createLineError(number, "unexpected line after the last line of the export.");
    }
    const line = parseLine(text, number);
    if ("end" in line) {
      footer = line;
      continue;
    }
    const imported = { ...parseTableRow(line, columns, number), line: number, length: text.length };
    const { table } = imported;
    counts.set(table, (counts.get(table) ?? 0) + 1);
    if (table === "workspaces") workspaceIds.add(imported.row.id);
    if (header.scope === "workspace" && workspaceIds.size > 1) {
      throw createLineError(number, "an export of one workspace must not contain a second workspace.");
    }
    checkWorkspace(imported, workspaceIds);
    yield imported;
  }
  if (footer === undefined) {
    throw createLineError(last, "the file is incomplete: it ends without its last line.");
  }
  checkCounts(counts, footer, last);
}

function parseTableRow(
  { table: name, row: given }: RowLine,
  columns: Columns,
  number: number,
): Pick<ImportedRow, "table" | "row"> {
  const table = EXPORTED_TABLES.find((each) => each === name);
  if (table === undefined) throw createLineError(number, `unknown table ${JSON.stringify(name)}.`);
  const row = parseRow(columns.get(name) ?? [], given);
  if (typeof row === "string") throw createLineError(number, `a row of "${name}": ${row}`);
  return { table, row };
}

function checkWorkspace({ table, row, line }: ImportedRow, workspaceIds: ReadonlySet<unknown>): void {
  const id = row.workspace_id;
  if (!belongsToWorkspace(table) || workspaceIds.has(id)) return;
  throw createLineError(line, `the workspace ${JSON.stringify(id)} is not in the file.`);
}

function checkCounts(counts: ReadonlyMap<string, number>, { end }: Footer, number: number): void {
  for (const [name, rows] of counts) {
    const expected = end[name] ?? 0;
    if (expected === rows) continue;
    throw createLineError(
      number,
      `the file is incomplete: it has ${rows} rows of "${name}", but its last line counts ${String(expected)}.`,
    );
  }
}
