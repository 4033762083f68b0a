import { sql, type Kysely } from "kysely";
import type { Position, SortValue } from "../../domain/query/cursor.js";
import { connectionOf } from "../dialect.js";
import type { Tables } from "../tables.js";
import type { Fragment } from "./scope.js";

/** A page that a query found. */
export interface FoundPage {
  readonly id: string;
  /** That of its row; it grows with every change. */
  readonly version: number;
}

/** A page that a query found, with its place in the order. */
export type PlacedPage = FoundPage & Position;

/**
 * Runs a statement that was built for this one time.
 *
 * @param db `store.read`, or the transaction of a job
 */
export async function run<Row>(db: Kysely<Tables>, statement: Fragment): Promise<Row[]> {
  const compiled = sql<Row>`${statement}`.compile(db);
  const { rows } = await (connectionOf(db) ?? db).executeQuery<Row>(compiled);
  return rows;
}

/** Runs a SELECT of id, version and the sort values k0, k1 and so on. */
export async function readPlaced(
  db: Kysely<Tables>,
  statement: Fragment,
  keys: number,
): Promise<PlacedPage[]> {
  const rows = await run<{ id: string; version: number } & Record<`k${number}`, SortValue>>(db, statement);
  const names = Array.from({ length: keys }, (_, index) => `k${index}` as const);
  return rows.map((row) => ({
    id: row.id,
    version: row.version,
    values: names.map((name) => row[name] ?? null),
  }));
}
