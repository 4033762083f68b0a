import { sql } from "kysely";
import { joinColumns } from "../sql-helpers.js";
import { ConflictError, StorageUnavailableError } from "../engine/errors.js";
import { type Row, TransferError } from "./format.js";
import type { TransferTable } from "./tables.js";
import type { TransferTransaction } from "./transaction.js";

const MAX_ROWS = 200;
/** Length of all lines after which a batch is inserted. Bounds the memory, because the line of a page can have 2 MB. */
const MAX_LENGTH = 1_000_000;

interface Entry {
  readonly row: Row;
  readonly line: number;
}

/** Inserts rows in batches. */
export class BatchInsert {
  readonly #transaction: TransferTransaction;
  readonly #keepAccounts: boolean;
  #table: TransferTable | undefined;
  #entries: Entry[] = [];
  #length = 0;

  /** @param keepAccounts whether existing accounts stay unchanged */
  constructor(transaction: TransferTransaction, keepAccounts: boolean) {
    this.#transaction = transaction;
    this.#keepAccounts = keepAccounts;
  }

  /** Adds a row and the length of its line. Inserts the rows before it when the batch is full or the table changes. */
  async add(table: TransferTable, row: Row, line: number, length: number): Promise<void> {
    const isFull = this.#entries.length >= MAX_ROWS || this.#length >= MAX_LENGTH;
    if (this.#table !== table || isFull) await this.flush();
    this.#table = table;
    this.#entries.push({ row, line });
    this.#length += length;
  }

  /** Inserts the remaining rows. Throws a TransferError with the line of the row that violates a constraint. */
  async flush(): Promise<void> {
    const [table, entries] = [this.#table, this.#entries];
    this.#entries = [];
    this.#length = 0;
    if (table === undefined || entries.length === 0) return;
    await this.#insert(table, entries);
  }

  async #insert(table: TransferTable, entries: readonly Entry[]): Promise<void> {
    const { exec } = this.#transaction;
    await exec("SAVEPOINT batch");
    try {
      await this.#insertRows(table, entries);
    } catch (error) {
      if (error instanceof StorageUnavailableError || error instanceof ConflictError) throw error;
      const [first, ...others] = entries;
      if (first !== undefined && others.length === 0) {
        const reason = error instanceof Error ? error.message : String(error);
        throw TransferError.at(first.line, `this row of "${table.name}" cannot be added: ${reason}.`);
      }
      // The database does not report which row failed, so they are inserted one by one.
      await exec("ROLLBACK TO SAVEPOINT batch");
      for (const entry of entries) await this.#insert(table, [entry]);
    }
    await exec("RELEASE SAVEPOINT batch");
  }

  async #insertRows(table: TransferTable, entries: readonly Entry[]): Promise<void> {
    const columns = Object.keys(entries[0]?.row ?? {});
    const rows = entries.map(({ row }) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    const clause = this.#keepAccounts && table.name === "accounts" ? sql`on conflict (id) do nothing` : sql``;
    await sql`
      insert into ${sql.table(table.name)} (${joinColumns(columns)})
      values ${sql.join(rows)} ${clause}
    `.execute(this.#transaction.db);
  }
}
