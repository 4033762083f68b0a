import type { Position, SortValue } from "../../domain/query/position.js";
import { getConnection, isPostgres } from "../engine/dialect.js";
import type { Db } from "../tables.js";
import { compile, type Fragment } from "./sql.js";

/** A page that a query found, with its position in the results. */
export interface PageRow extends Position {
  /** Version of the page's row, which grows with every change. */
  readonly version: number;
}

/** Runs a statement. */
export async function runStatement<Row>(db: Db, statement: Fragment): Promise<Row[]> {
  const compiled = compile(statement, isPostgres(db));
  const { rows } = await (getConnection(db) ?? db).executeQuery<Row>(compiled);
  return rows;
}

/** Runs a SELECT of id, version and the sort values k0, k1 and so on. */
export async function readPageRows(db: Db, statement: Fragment, keys: number): Promise<PageRow[]> {
  const rows = await runStatement<{ id: string; version: number } & Record<`k${number}`, SortValue>>(
    db,
    statement,
  );
  const names = Array.from({ length: keys }, (_, index) => `k${index}` as const);
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    values: names.map((name) => row[name] ?? null),
  }));
}
