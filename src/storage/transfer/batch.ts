import { sql, type Kysely } from "kysely";
import { ConflictError, StorageUnavailableError } from "../errors.js";
import { type Row, TransferError } from "./format.js";
import type { TransferTable } from "./tables.js";
import type { WholeTransaction } from "./transaction.js";

/** Rows that are written at once. */
const MAX_ROWS = 200;

interface Entry {
  readonly row: Row;
  readonly line: number;
}

/** Gathers rows of a table, and writes many at once. */
export class Batch {
  readonly #transaction: WholeTransaction;
  readonly #keepAccounts: boolean;
  #table: TransferTable | undefined;
  #entries: Entry[] = [];

  /** @param keepAccounts whether accounts whose ids are there already stay as they are */
  constructor(transaction: WholeTransaction, keepAccounts: boolean) {
    this.#transaction = transaction;
    this.#keepAccounts = keepAccounts;
  }

  /** Takes a row, and writes those before it when they are many, or of another table. */
  async add(table: TransferTable, row: Row, line: number): Promise<void> {
    if (this.#table !== table || this.#entries.length >= MAX_ROWS) await this.flush();
    this.#table = table;
    this.#entries.push({ row, line });
  }

  /**
   * Writes what is left.
   *
   * @throws TransferError when a row breaks a rule of the database, with its line
   */
  async flush(): Promise<void> {
    const [table, entries] = [this.#table, this.#entries];
    this.#entries = [];
    if (table === undefined || entries.length === 0) return;
    const { db, exec } = this.#transaction;
    await exec("SAVEPOINT batch");
    try {
      await this.#insert(db, table, entries);
    } catch (error) {
      if (error instanceof StorageUnavailableError || error instanceof ConflictError) throw error;
      // Which one it was, the database does not tell.
      await exec("ROLLBACK TO SAVEPOINT batch");
      for (const entry of entries) await this.#insertOne(db, table, entry);
    }
    await exec("RELEASE SAVEPOINT batch");
  }

  async #insertOne(db: Kysely<unknown>, table: TransferTable, entry: Entry): Promise<void> {
    try {
      await this.#insert(db, table, [entry]);
    } catch (error) {
      if (error instanceof StorageUnavailableError || error instanceof ConflictError) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      throw TransferError.at(entry.line, `this row of "${table.name}" cannot be added: ${reason}.`);
    }
  }

  async #insert(db: Kysely<unknown>, table: TransferTable, entries: readonly Entry[]): Promise<void> {
    const columns = Object.keys(entries[0]?.row ?? {});
    const rows = entries.map(({ row }) => sql`(${sql.join(columns.map((column) => row[column]))})`);
    const known = this.#keepAccounts && table.name === "accounts" ? sql`on conflict (id) do nothing` : sql``;
    await sql`
      insert into ${sql.table(table.name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(rows)} ${known}
    `.execute(db);
  }
}
