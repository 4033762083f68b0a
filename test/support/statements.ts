import {
  type Connection,
  getConnection,
  isPostgres,
  openPostgres,
  openSqlite,
} from "../../src/storage/engine/dialect.js";
import type { Db } from "../../src/storage/tables.js";

/** Wraps a connection, and records the SQL of its statements. */
export function recordStatements(db: Db): { readonly db: Db; readonly statements: string[] } {
  const connection = getConnection(db);
  if (connection === undefined) throw new Error("There is no connection.");
  const statements: string[] = [];
  const recorder: Connection = {
    executeQuery(query) {
      statements.push(query.sql);
      return connection.executeQuery(query);
    },
  };
  return { db: isPostgres(db) ? openPostgres(recorder) : openSqlite(recorder), statements };
}
