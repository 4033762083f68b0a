import { sql, type Kysely } from "kysely";
import { isMigration, lastMigration, LATEST, migrateTo } from "../migrations/index.js";
import { Batch } from "./batch.js";
import { readColumns, readRow } from "./columns.js";
import {
  type Footer,
  type Header,
  parseHeader,
  parseLine,
  type Row,
  type RowLine,
  TransferError,
} from "./format.js";
import { compareKeys, keyOf } from "./keys.js";
import { type Line, readLines } from "./lines.js";
import { checkReferences, type Imported } from "./references.js";
import { TRANSFER_TABLES, type TransferTable } from "./tables.js";
import { beginFilling, type WholeTransaction } from "./transaction.js";

/** What an import has brought. */
export interface ImportResult {
  readonly workspaces: number;
  readonly rows: number;
}

/**
 * Imports what exportDatabase made, into a database that has no workspace yet, or for an export of one workspace, not this
 * one. In one transaction: an import that fails leaves nothing behind. A file of an earlier version of the program is
 * brought up to date, in a database that has no tables yet.
 *
 * @param location see openStore; a SQLite file that does not exist is made
 * @param file its bytes
 * @param onProgress is told how many rows there are so far
 * @throws TransferError when the file is not whole or does not fit, with the number of the line; ConflictError when
 *   another process holds the lock for too long; StorageUnavailableError
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
    return await importLines(location, header, lines, onProgress);
  } finally {
    // What is left of the file is not wanted.
    await lines.return(undefined);
  }
}

async function importLines(
  location: string,
  header: Header,
  lines: AsyncIterable<Line>,
  onProgress: ((rows: number) => void) | undefined,
): Promise<ImportResult> {
  if (!isMigration(header.schema)) {
    throw TransferError.at(
      1,
      `the file was written by a newer version of this program (it has the change "${header.schema}"). ` +
        `Import it with page-service ${header.program} or later.`,
    );
  }
  const transaction = await beginFilling(location);
  try {
    await prepare(transaction.db, header);
    const importing = await Importing.begin(transaction, header, onProgress);
    const result = await importing.readAll(lines);
    await migrateTo(transaction.db, LATEST);
    await transaction.commit();
    return result;
  } finally {
    await transaction.close();
  }
}

/** Gives the database the tables of the file. */
async function prepare(db: Kysely<unknown>, { schema, scope }: Header): Promise<void> {
  const present = await lastMigration(db);
  await migrateTo(db, present === undefined ? schema : LATEST);
  if (present !== undefined && schema !== LATEST) {
    throw TransferError.at(
      1,
      `the file is of an earlier version (its last change is "${schema}"), and is imported into a database ` +
        "that is new: one without any tables.",
    );
  }
  if (present === undefined || scope === "workspace") return;
  const { rows } = await sql<{ name: string }>`select name from workspaces union all
    select email from accounts limit 1`.execute(db);
  if (rows.length > 0) {
    throw new TransferError(
      "The database is not empty, and the export of a whole service is imported into an empty one. " +
        "Choose another with DATABASE_URL or DATA_DIR.",
    );
  }
}

/** An import under way. */
class Importing {
  readonly #db: Kysely<unknown>;
  readonly #header: Header;
  readonly #tables: Imported[];
  readonly #batch: Batch;
  readonly #workspaces = new Set<string>();
  #rows = 0;
  /** Where the file is, in TRANSFER_TABLES. */
  #place = 0;
  #previous: Row | undefined;
  readonly #onProgress: ((rows: number) => void) | undefined;

  private constructor(
    db: Kysely<unknown>,
    batch: Batch,
    header: Header,
    tables: Imported[],
    onProgress: ((rows: number) => void) | undefined,
  ) {
    this.#db = db;
    this.#batch = batch;
    this.#header = header;
    this.#tables = tables;
    this.#onProgress = onProgress;
  }

  static async begin(
    transaction: WholeTransaction,
    header: Header,
    onProgress: ((rows: number) => void) | undefined,
  ): Promise<Importing> {
    const columns = await readColumns(transaction.db);
    const tables = TRANSFER_TABLES.flatMap((table) => {
      const known = columns.get(table.name);
      return known === undefined ? [] : [{ table, columns: known, firstLine: 0, rows: 0 }];
    });
    // Of the people who are here already nothing changes.
    const keepAccounts = header.scope === "workspace";
    return new Importing(transaction.db, new Batch(transaction, keepAccounts), header, tables, onProgress);
  }

  /** Reads the lines after the first, to the last. */
  async readAll(lines: AsyncIterable<Line>): Promise<ImportResult> {
    let footer: Footer | undefined;
    let last = 1;
    for await (const { number, text } of lines) {
      last = number;
      if (footer !== undefined) throw TransferError.at(number, "there is something after the last line.");
      const line = parseLine(text, number);
      if ("end" in line) footer = line;
      else await this.#add(line, number);
    }
    if (footer === undefined) {
      throw TransferError.at(last, "the file is not whole: it ends here, without the line of its counts.");
    }
    this.#checkCounts(footer, last);
    await this.#batch.flush();
    const [only] = this.#workspaces;
    const one = this.#header.scope === "workspace" ? only : undefined;
    await checkReferences(this.#db, this.#tables, one);
    return { workspaces: this.#workspaces.size, rows: this.#rows };
  }

  async #add(line: RowLine, number: number): Promise<void> {
    const imported = this.#enter(line.table, number);
    const { table, columns } = imported;
    const row = readRow(columns, line.row);
    if (typeof row === "string") throw TransferError.at(number, `a row of "${table.name}": ${row}`);
    this.#checkOrder(table, row, number);
    await this.#checkWorkspace(table, row, number);
    imported.firstLine ||= number;
    imported.rows += 1;
    this.#rows += 1;
    await this.#batch.add(table, row, number);
    if (this.#rows % 100 === 0) this.#onProgress?.(this.#rows);
  }

  /** The table of a line. */
  #enter(name: string, number: number): Imported {
    const place = this.#tables.findIndex(({ table }) => table.name === name);
    const found = this.#tables[place];
    if (found === undefined) {
      throw TransferError.at(number, `there is no table ${JSON.stringify(name)} in an export.`);
    }
    if (place < this.#place) {
      const before = this.#tables[this.#place]?.table.name;
      throw TransferError.at(number, `rows of "${name}" come before those of "${before}".`);
    }
    if (place > this.#place) this.#previous = undefined;
    this.#place = place;
    return found;
  }

  /** In order no row can be there twice, and a row's line is known by its rank. */
  #checkOrder(table: TransferTable, row: Row, number: number): void {
    const key = keyOf(table, row);
    if (key.includes(null)) throw TransferError.at(number, `a row of "${table.name}" has no id.`);
    if (this.#previous !== undefined && compareKeys(keyOf(table, this.#previous), key) >= 0) {
      const order = table.key.join(", ");
      throw TransferError.at(
        number,
        `the rows of "${table.name}" must be in the order of ${order}, each once.`,
      );
    }
    this.#previous = row;
  }

  async #checkWorkspace({ name, ofWorkspace }: TransferTable, row: Row, number: number): Promise<void> {
    if (name === "workspaces") {
      this.#workspaces.add(String(row.id));
      if (this.#header.scope === "service") return;
      if (this.#workspaces.size > 1) {
        throw TransferError.at(number, "the export of one workspace has a second one.");
      }
      await this.#refuseKnown(row, number);
    }
    const id = row.workspace_id;
    if (ofWorkspace && !this.#workspaces.has(String(id))) {
      throw TransferError.at(number, `the workspace ${JSON.stringify(id)} is not in the file.`);
    }
  }

  async #refuseKnown({ id, name }: Row, number: number): Promise<void> {
    const { rows } = await sql<{ id: string; name: string }>`
      select id, name from workspaces where id = ${id} or name = ${name}`.execute(this.#db);
    const [known] = rows;
    if (known === undefined) return;
    const what =
      known.id === id ? "this workspace is there already" : "there is another workspace of this name";
    throw TransferError.at(number, `${what}: ${JSON.stringify(known.name)} (${known.id}).`);
  }

  #checkCounts({ end }: Footer, number: number): void {
    for (const { table, rows } of this.#tables) {
      const told = end[table.name] ?? 0;
      if (told === rows) continue;
      throw TransferError.at(
        number,
        `the file is not whole: it has ${rows} rows of "${table.name}", and its last line tells of ${told}.`,
      );
    }
  }
}
