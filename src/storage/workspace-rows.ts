import type {
  Compilable,
  DeleteQueryBuilder,
  DeleteResult,
  InsertObject,
  InsertQueryBuilder,
  InsertResult,
  SelectQueryBuilder,
  UpdateQueryBuilder,
  UpdateResult,
} from "kysely";
import { compileOnce, type CompiledArgument } from "./engine/compile-once.js";
import type { StorageScope, Tables } from "./tables.js";

/* Statements on rows of one workspace, with the condition on it. Only joins, unions and SQL texts repeat the condition. */

/** Tables whose rows belong to a workspace. */
type WorkspaceTable = {
  [Table in keyof Tables]: Tables[Table] extends { workspace_id: string } ? Table : never;
}[keyof Tables];

/** Begins a SELECT of rows of the workspace. */
export function selectFrom<Table extends WorkspaceTable>(
  { db, workspaceId }: StorageScope,
  table: Table,
): SelectQueryBuilder<Tables, Table, object> {
  return whereWorkspace(db.selectFrom(table), workspaceId);
}

/** Begins an UPDATE of rows of the workspace. */
export function updateTable<Table extends WorkspaceTable>(
  { db, workspaceId }: StorageScope,
  table: Table,
): UpdateQueryBuilder<Tables, Table, Table, UpdateResult> {
  return whereWorkspace(db.updateTable(table), workspaceId);
}

/** Begins a DELETE of rows of the workspace. */
export function deleteFrom<Table extends WorkspaceTable>(
  { db, workspaceId }: StorageScope,
  table: Table,
): DeleteQueryBuilder<Tables, Table, DeleteResult> {
  return whereWorkspace(db.deleteFrom(table), workspaceId);
}

function whereWorkspace<Query>(query: unknown, workspaceId: string): Query {
  // Safe cast: TypeScript does not evaluate Kysely's types for a table that is a type parameter. All these queries have `where`.
  const filterable = query as { where(column: "workspace_id", operator: "=", value: string): Query };
  return filterable.where("workspace_id", "=", workspaceId);
}

/** Begins an INSERT of a row of the workspace. */
export function insertInto<Table extends WorkspaceTable>(
  { db, workspaceId }: StorageScope,
  table: Table,
  row: Omit<InsertObject<Tables, Table>, "workspace_id">,
): InsertQueryBuilder<Tables, Table, InsertResult> {
  // Safe cast: TypeScript does not know that `Omit` leaves out nothing but the column that is added.
  const values = { ...row, workspace_id: workspaceId } as InsertObject<Tables, Table>;
  return db.insertInto(table).values(values);
}

/** Creates a query on rows of one workspace that is compiled once, see compileOnce. */
export function compileForWorkspace<Arguments extends CompiledArgument[], Row>(
  build: (scope: StorageScope, ...args: Arguments) => Compilable<Row>,
): (scope: StorageScope, ...args: Arguments) => Promise<Row[]> {
  const run = compileOnce((db, workspaceId: string, ...args: Arguments) =>
    build({ db, workspaceId }, ...args),
  );
  return ({ db, workspaceId }, ...args) => run(db, workspaceId, ...args);
}
