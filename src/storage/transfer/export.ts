import { sql, type QueryExecutorProvider, type RawBuilder } from "kysely";
import { UserError } from "../../errors.js";
import { joinColumns } from "../sql-helpers.js";
import { LATEST_MIGRATION, NoTablesError, readLastMigration } from "../engine/migrations/index.js";
import { type Cell, EXPORT_FORMAT, FORMAT_VERSION, formatLine, type Row } from "./format.js";
import { belongsToWorkspace, type Db, EXPORTED_TABLES, TABLE_METADATA, type Tables } from "../tables.js";
import { beginReading } from "./begin-transfer.js";

/** Rows that one SELECT reads. Bounds the memory, because a page can have 2 MB. */
const BATCH_ROWS = 50;

export interface ExportOptions {
  /** Finds the workspace to export; the whole service when omitted. */
  readonly findWorkspace?: ((db: Db) => Promise<{ readonly id: string }>) | undefined;
  /** Version of this program, for the header. */
  readonly programVersion: string;
  /** Receives the number of rows exported so far. */
  readonly onProgress?: (rows: number) => void;
}

/** Exports a consistent snapshot of a database, in pieces of whole lines. Throws a UserError or StorageUnavailableError. */
export async function* exportDatabase(location: string, options: ExportOptions): AsyncGenerator<string> {
  const transaction = await beginReading(location);
  const { db } = transaction;
  try {
    const schema = await readLastMigration(db);
    if (schema === undefined) throw new NoTablesError();
    if (schema !== LATEST_MIGRATION) {
      throw new UserError(
        "The database has the tables of an earlier version. Start the service once to migrate it, then export it.",
      );
    }
    const { programVersion: program } = options;
    // Safe cast: the database has the tables of the last migration.
    const workspace = await options.findWorkspace?.(db as Db);
    const scope = workspace === undefined ? "service" : "workspace";
    yield formatLine({ format: EXPORT_FORMAT, version: FORMAT_VERSION, program, schema, scope });
    const end: Record<string, number> = {};
    let total = 0;
    for (const table of EXPORTED_TABLES) {
      let count = 0;
      for await (const rows of readTable(db, table, workspace?.id)) {
        yield rows.map((row) => formatLine({ table, row })).join("");
        count += rows.length;
        options.onProgress?.((total += rows.length));
      }
      end[table] = count;
    }
    yield formatLine({ end });
  } finally {
    await transaction.close();
  }
}

/** Reads the rows of a table in batches, in the order of its key; those of one workspace if it is given. */
export async function* readTable(
  db: QueryExecutorProvider,
  table: keyof Tables,
  workspaceId: string | undefined,
): AsyncGenerator<readonly Row[]> {
  // Without the column that is the same in all rows: if it is compared too, each batch reads all earlier rows again.
  const { primaryKey } = TABLE_METADATA[table];
  const columns = workspaceId !== undefined && belongsToWorkspace(table) ? primaryKey.slice(1) : primaryKey;
  const key = joinColumns(columns);
  let after: readonly Cell[] | undefined;
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table)}
      where ${workspaceId === undefined ? sql`1 = 1` : restrictToWorkspace(table, workspaceId)}
        and ${after === undefined ? sql`1 = 1` : sql`(${key}) > (${sql.join(after)})`}
      order by ${key} limit ${sql.lit(BATCH_ROWS)}
    `.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH_ROWS) return;
    after = columns.map((column) => last[column] ?? null);
  }
}

/** Restricts a table to a workspace: its row, the accounts of its members, or the rows that belong to it. */
function restrictToWorkspace(table: keyof Tables, workspaceId: string): RawBuilder<unknown> {
  if (belongsToWorkspace(table)) return sql`workspace_id = ${workspaceId}`;
  if (table === "workspaces") return sql`id = ${workspaceId}`;
  return sql`id in (select account_id from members where workspace_id = ${workspaceId})`;
}
