import { sql, type Kysely } from "kysely";
import { UserError } from "../../errors.js";
import { isPostgresUrl } from "../engine/location.js";
import { readLastMigration, LATEST_MIGRATION, runMigrations } from "../engine/migrations/index.js";
import { BatchInsert } from "./batch.js";
import { type Column, type Columns, parseRow, readColumns } from "./table-columns.js";
import {
  createLineError,
  type Footer,
  type Header,
  parseHeader,
  parseLine,
  type Row,
  type RowLine,
} from "./format.js";
import { type Line, readLines } from "./lines.js";
import { checkDanglingReferences } from "./dangling-references.js";
import type { Db } from "../tables.js";
import { indexTexts } from "./index-texts.js";
import { TRANSFER_TABLES, type TransferTable } from "./transfer-tables.js";
import { beginWriting } from "./begin-transfer.js";

export interface ImportResult {
  readonly workspaces: number;
  readonly rows: number;
}

/**
 * Imports a file of exportDatabase into a database without workspaces, or, when the file holds a single workspace, into one
 * without this workspace. Creates a SQLite file that does not exist. Runs in one transaction, so that a failed import
 * changes nothing. Throws a UserError when the file is truncated or invalid, and the errors of beginWriting.
 */
export async function importDatabase(
  location: string,
  file: AsyncIterable<Uint8Array>,
  onProgress?: (rows: number) => void,
): Promise<ImportResult> {
  const lines = readLines(file);
  try {
    const first = await lines.next();
    const header = parseHeader(first.done === true ? undefined : first.value.text);
    return await importIntoDatabase(location, header, lines, onProgress);
  } finally {
    // Closes the file when the import fails.
    await lines.return(undefined);
  }
}

async function importIntoDatabase(
  location: string,
  header: Header,
  lines: AsyncIterable<Line>,
  onProgress: ((rows: number) => void) | undefined,
): Promise<ImportResult> {
  if (header.schema !== LATEST_MIGRATION) {
    throw createLineError(
      1,
      `the file has the tables of a different version of this program ("${header.schema}"). ` +
        `Import it with page-service ${header.program}.`,
    );
  }
  const transaction = await beginWriting(location);
  try {
    await prepareDatabase(transaction.db, header);
    const columns = await readColumns(transaction.db);
    const result = await new Importer(transaction.db, columns, header, onProgress).run(lines);
    // Otherwise PostgreSQL would plan queries without statistics of the rows until autovacuum runs.
    if (isPostgresUrl(location))
      await sql`analyze pages, property_values, page_texts, blocks`.execute(transaction.db);
    await transaction.commit();
    return result;
  } finally {
    await transaction.close();
  }
}

/** Migrates the database and checks that the file can be imported into it. */
async function prepareDatabase(db: Kysely<unknown>, { scope }: Header): Promise<void> {
  const isNew = (await readLastMigration(db)) === undefined;
  await runMigrations(db, { disableTransactions: true });
  if (isNew || scope === "workspace") return;
  const { rows } = await sql<{ name: string }>`select name from workspaces union all
    select email from accounts limit 1`.execute(db);
  if (rows.length > 0) {
    throw new UserError(
      "The database is not empty. Import the export of a whole service into an empty database: " +
        "choose one with DATABASE_URL or DATA_DIR.",
    );
  }
}

/** Progress of an import in one table. */
interface ImportedTable {
  readonly table: TransferTable;
  readonly columns: readonly Column[];
  rows: number;
}

class Importer {
  readonly #db: Kysely<unknown>;
  readonly #header: Header;
  readonly #tables: ImportedTable[];
  readonly #batch: BatchInsert;
  readonly #workspaces = new Set<string>();
  #rows = 0;
  readonly #onProgress: ((rows: number) => void) | undefined;

  constructor(
    db: Kysely<unknown>,
    columns: Columns,
    header: Header,
    onProgress: ((rows: number) => void) | undefined,
  ) {
    this.#db = db;
    // Members can already have accounts.
    this.#batch = new BatchInsert(db, header.scope === "workspace");
    this.#header = header;
    this.#tables = TRANSFER_TABLES.map((table) => {
      return { table, columns: columns.get(table.name) ?? [], rows: 0 };
    });
    this.#onProgress = onProgress;
  }

  /** Imports the lines after the header. */
  async run(lines: AsyncIterable<Line>): Promise<ImportResult> {
    let footer: Footer | undefined;
    let last = 1;
    for await (const { number, text } of lines) {
      last = number;
      if (footer !== undefined)
        throw createLineError(number, "unexpected line after the last line of the export.");
      const line = parseLine(text, number);
      if ("end" in line) footer = line;
      else await this.#add(line, number, text.length);
    }
    if (footer === undefined) {
      throw createLineError(last, "the file is incomplete: it ends without its last line.");
    }
    this.#checkCounts(footer, last);
    await this.#batch.flush();
    const [first] = this.#workspaces;
    const workspaceId = this.#header.scope === "workspace" ? first : undefined;
    await checkDanglingReferences(this.#db, workspaceId);
    // Safe cast: the migration has created all tables.
    await indexTexts(this.#db as Db, this.#workspaces);
    return { workspaces: this.#workspaces.size, rows: this.#rows };
  }

  async #add(line: RowLine, number: number, length: number): Promise<void> {
    const imported = this.#tables.find((each) => each.table.name === line.table);
    if (imported === undefined) throw createLineError(number, `unknown table ${JSON.stringify(line.table)}.`);
    const { table, columns } = imported;
    const row = parseRow(columns, line.row);
    if (typeof row === "string") throw createLineError(number, `a row of "${table.name}": ${row}`);
    await this.#checkWorkspace(table, row, number);
    imported.rows += 1;
    this.#rows += 1;
    await this.#batch.add(table, row, number, length);
    if (this.#rows % 100 === 0) this.#onProgress?.(this.#rows);
  }

  async #checkWorkspace(
    { name, belongsToWorkspace }: TransferTable,
    row: Row,
    number: number,
  ): Promise<void> {
    if (name === "workspaces") {
      this.#workspaces.add(String(row.id));
      if (this.#header.scope === "service") return;
      if (this.#workspaces.size > 1) {
        throw createLineError(number, "an export of one workspace must not contain a second workspace.");
      }
      await this.#refuseExisting(row, number);
    }
    const id = row.workspace_id;
    if (belongsToWorkspace && !this.#workspaces.has(String(id))) {
      throw createLineError(number, `the workspace ${JSON.stringify(id)} is not in the file.`);
    }
  }

  async #refuseExisting({ id, name }: Row, number: number): Promise<void> {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from workspaces where id = ${id} or name = ${name}`.execute(this.#db);
    const [existing] = rows;
    if (existing === undefined) return;
    const problem = existing.id === id ? "this workspace exists already" : "another workspace has this name";
    throw createLineError(number, `${problem}: ${JSON.stringify(existing.name)} (${existing.id}).`);
  }

  #checkCounts({ end }: Footer, number: number): void {
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
