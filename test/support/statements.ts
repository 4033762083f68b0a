import {
  type Connection,
  getConnection,
  isPostgres,
  openPostgres,
  openSqlite,
} from "../../src/storage/engine/dialect.js";
import type { ReadScope } from "../../src/operations/execution/scope.js";
import type { Db } from "../../src/storage/tables.js";

/** Wraps a connection, and records the SQL of its statements. */
export function recordStatements(
  db: Db,
  statements: string[] = [],
): { readonly db: Db; readonly statements: string[] } {
  const connection = getConnection(db);
  if (connection === undefined) throw new Error("There is no connection.");
  const recorder: Connection = {
    executeQuery(query) {
      statements.push(query.sql);
      return connection.executeQuery(query);
    },
  };
  return { db: isPostgres(db) ? openPostgres(recorder) : openSqlite(recorder), statements };
}

/** Records the SQL of the statements of a scope from now on. */
export function recordReads(scope: ReadScope): readonly string[] {
  const { db, statements } = recordStatements(scope.db);
  const { workspaceId, scanScope } = scope;
  Object.assign(scope, { db });
  Object.defineProperty(scope, "scanScope", {
    value: { db: recordStatements(scanScope.db, statements).db, workspaceId },
  });
  return statements;
}
