import { createLineError, type Footer, type Header, parseLine, type Row, type RowLine } from "./format.js";
import type { Line } from "./lines.js";
import { type Column, type Columns, parseRow } from "./table-columns.js";
import { TRANSFER_TABLES, type TransferTable } from "./transfer-tables.js";

/** A row of a file, and the number and length of its line. */
export interface ImportedRow {
  readonly table: TransferTable;
  readonly row: Row;
  readonly line: number;
  readonly length: number;
}

/**
 * Parses and checks the lines after the header, and yields their rows. Throws a UserError for an invalid line, and at the end if the
 * file is incomplete.
 */
export async function* readRows(
  lines: AsyncIterable<Line>,
  header: Header,
  columns: Columns,
): AsyncGenerator<ImportedRow> {
  const parser = new RowParser(header, columns);
  let footer: Footer | undefined;
  let last = 1;
  for await (const { number, text } of lines) {
    last = number;
    if (footer !== undefined) {
      throw createLineError(number, "unexpected line after the last line of the export.");
    }
    const line = parseLine(text, number);
    if ("end" in line) footer = line;
    else yield { ...parser.parse(line, number), line: number, length: text.length };
  }
  if (footer === undefined) {
    throw createLineError(last, "the file is incomplete: it ends without its last line.");
  }
  parser.checkCounts(footer, last);
}

/** Rows of a table that were read so far. */
interface ReadTable {
  readonly table: TransferTable;
  readonly columns: readonly Column[];
  rows: number;
}

class RowParser {
  readonly #header: Header;
  readonly #tables: ReadTable[];
  readonly #workspaces = new Set<unknown>();

  constructor(header: Header, columns: Columns) {
    this.#header = header;
    this.#tables = TRANSFER_TABLES.map((table) => {
      return { table, columns: columns.get(table.name) ?? [], rows: 0 };
    });
  }

  parse(line: RowLine, number: number): Pick<ImportedRow, "table" | "row"> {
    const read = this.#tables.find((each) => each.table.name === line.table);
    if (read === undefined) throw createLineError(number, `unknown table ${JSON.stringify(line.table)}.`);
    const { table, columns } = read;
    const row = parseRow(columns, line.row);
    if (typeof row === "string") throw createLineError(number, `a row of "${table.name}": ${row}`);
    this.#checkWorkspace(table, row, number);
    read.rows += 1;
    return { table, row };
  }

  #checkWorkspace({ name, belongsToWorkspace }: TransferTable, row: Row, number: number): void {
    if (name === "workspaces") {
      this.#workspaces.add(row.id);
      if (this.#header.scope === "workspace" && this.#workspaces.size > 1) {
        throw createLineError(number, "an export of one workspace must not contain a second workspace.");
      }
    }
    const id = row.workspace_id;
    if (belongsToWorkspace && !this.#workspaces.has(id)) {
      throw createLineError(number, `the workspace ${JSON.stringify(id)} is not in the file.`);
    }
  }

  checkCounts({ end }: Footer, number: number): void {
    for (const { table, rows } of this.#tables) {
      const expected = end[table.name] ?? 0;
      if (expected === rows) continue;
      throw createLineError(
        number,
        `the file is incomplete: it has ${rows} rows of "${table.name}", but its last line counts ${String(expected)}.`,
      );
    }
  }
}
