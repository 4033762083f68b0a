import { sql, type Kysely } from "kysely";
import { joinColumns } from "../sql-helpers.js";
import { StorageError, UserError } from "../../errors.js";
import type { Row } from "./format.js";
import type { TransferTable } from "./transfer-tables.js";

const MAX_BATCH_ROWS = 200;
/** Length of all lines after which a batch is inserted. Bounds the memory, because the line of a page can have 2 MB. */
const MAX_BATCH_CHARACTERS = 1_000_000;

/** Inserts rows in batches. */
export class BatchInsert {
  readonly #db: Kysely<unknown>;
  readonly #keepAccounts: boolean;
  #table: TransferTable | undefined;
  #rows: Row[] = [];
  #lastLine = 0;
  #length = 0;

  /** @param keepAccounts whether existing accounts stay unchanged */
  constructor(db: Kysely<unknown>, keepAccounts: boolean) {
    this.#db = db;
    this.#keepAccounts = keepAccounts;
  }

  /** Adds a row and the length of its line. Inserts the rows before it when the batch is full or the table changes. */
  async add(table: TransferTable, row: Row, line: number, length: number): Promise<void> {
    const isFull = this.#rows.length >= MAX_BATCH_ROWS || this.#length >= MAX_BATCH_CHARACTERS;
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
      await this.#insert(table, rows);
    } catch (error) {
      if (error instanceof StorageError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      // The database does not report which row failed.
      throw new UserError(
        `lines ${this.#lastLine - rows.length + 1} to ${this.#lastLine}: a row of "${table.name}" cannot be added: ${reason}.`,
      );
    }
  }

  async #insert(table: TransferTable, rows: readonly Row[]): Promise<void> {
    const columns = Object.keys(rows[0] ?? {});
    const values = rows.map((row) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    const clause = this.#keepAccounts && table.name === "accounts" ? sql`on conflict (id) do nothing` : sql``;
    await sql`
      insert into ${sql.table(table.name)} (${joinColumns(columns)})
      values ${sql.join(values)} ${clause}
    `.execute(this.#db);
  }
}
