import { sql, type QueryExecutorProvider, type RawBuilder } from "kysely";
import { chunk } from "../../lists.js";
import { MAX_IMPORTED_CHARACTERS, MAX_IMPORTED_ROWS } from "../../budgets.js";
import { joinColumns } from "../sql-helpers.js";
import { OperationalError, UserError } from "../../errors.js";
import type { Row } from "./format.js";
import type { ImportedRow } from "./read-rows.js";
import type { Db, Tables } from "../tables.js";

/** Rows of one statement, because databases limit its parameters. */
const MAX_STATEMENT_ROWS = 200;

/** Runs statements on a connection for writes, in a transaction. */
export type Write = (run: (db: Db) => Promise<void>) => Promise<void>;

/** Inserts rows in batches, each in one call of `write`. */
export class BatchInsert {
  readonly #write: Write;
  readonly #keepAccounts: boolean;
  #table: keyof Tables | undefined;
  #rows: Row[] = [];
  #lastLine = 0;
  #length = 0;

  /** @param options.keepAccounts whether existing accounts stay unchanged */
  constructor(write: Write, { keepAccounts = false } = {}) {
    this.#write = write;
    this.#keepAccounts = keepAccounts;
  }

  /** Adds a row. Inserts the rows before it when the batch is full or the table changes. */
  async add({ table, row, line, length }: ImportedRow): Promise<void> {
    const isFull = this.#rows.length >= MAX_IMPORTED_ROWS || this.#length >= MAX_IMPORTED_CHARACTERS;
    if (this.#table !== table || isFull) await this.flush();
    this.#table = table;
    this.#rows.push(row);
    this.#lastLine = line;
    this.#length += length;
  }

  /** Inserts the remaining rows. Throws a UserError with the lines of the batch when a row violates a constraint. */
  async flush(): Promise<void> {
    const [table, rows] = [this.#table, this.#rows];
    this.#rows = [];
    this.#length = 0;
    if (table === undefined || rows.length === 0) return;
    try {
      await this.#write(async (db) => {
        for (const part of chunk(rows, MAX_STATEMENT_ROWS)) await this.#insert(db, table, part);
      });
    } catch (error) {
      if (error instanceof OperationalError || error instanceof UserError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      // The database does not report which row failed.
      throw new UserError(
        `lines ${this.#lastLine - rows.length + 1} to ${this.#lastLine}: a row of "${table}" cannot be added: ${reason}.`,
      );
    }
  }

  async #insert(db: QueryExecutorProvider, table: keyof Tables, rows: readonly Row[]): Promise<void> {
    const clause = this.#keepAccounts && table === "accounts" ? sql`on conflict (id) do nothing` : sql``;
    await sql`${buildInsert(table, rows)} ${clause}`.execute(db);
  }
}

/** Builds the INSERT of rows with the same columns. */
export function buildInsert(table: keyof Tables, rows: readonly Row[]): RawBuilder<unknown> {
  const columns = Object.keys(rows[0] ?? {});
  const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
  return sql`insert into ${sql.table(table)} (${joinColumns(columns)}) values ${sql.join(values)}`;
}
