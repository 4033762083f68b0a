import { type Compilable, type InsertObject, type InsertQueryBuilder, type InsertResult, sql } from "kysely";
import { chunk } from "../lists.js";
import { compileOnce } from "./engine/compile-once.js";
import { isPostgres } from "./engine/dialect.js";
import { joinColumns } from "./sql-helpers.js";
import type { Db, Tables } from "./tables.js";

/** Rows of one statement on PostgreSQL, so that it takes less than its time limit. */
const ROWS_PER_STATEMENT = 500;

type Insert<Table extends keyof Tables> = InsertQueryBuilder<Tables, Table, InsertResult>;

/** Creates a function that inserts rows with these columns: on PostgreSQL from one JSON text, on SQLite one by one, see DECISIONS.md. */
export function compileInsert<Table extends "blocks" | "property_values" | "long_texts">(
  table: Table,
  columns: readonly (keyof Tables[Table] & string)[],
  complete: (insert: Insert<Table>) => Compilable = (insert) => insert,
): (tx: Db, rows: readonly InsertObject<Tables, Table>[]) => Promise<void> {
  const insertRow = compileOnce((db, row: InsertObject<Tables, Table>) =>
    complete(db.insertInto(table).values(row)),
  );
  const insertJson = compileOnce((db, rows: string) =>
    complete(
      db
        .insertInto(table)
        .columns(columns)
        .expression(
          sql`select ${joinColumns(columns)} from json_populate_recordset(null::${sql.table(table)}, ${rows})`,
        ),
    ),
  );
  return async (tx, rows) => {
    if (!isPostgres(tx)) for (const row of rows) await insertRow(tx, row);
    else for (const part of chunk(rows, ROWS_PER_STATEMENT)) await insertJson(tx, JSON.stringify(part));
  };
}
