import { sql, type Kysely, type RawBuilder } from "kysely";
import { lastMigration } from "../migrations/index.js";
import { readColumns } from "./columns.js";
import { FORMAT, FORMAT_VERSION, formatLine, type Cell, type Row, TransferError } from "./format.js";
import { keyOf } from "./keys.js";
import { TRANSFER_TABLES, type TransferTable } from "./tables.js";
import { beginReading } from "./transaction.js";

/** Rows that are read at once. */
const BATCH = 200;

export interface ExportOptions {
  /** Name of the one workspace that is exported; all of the service when it is left out. */
  readonly workspace?: string | undefined;
  /** Version of the program, for the header. */
  readonly program: string;
  /** Is told how many rows there are so far. */
  readonly onProgress?: (rows: number) => void;
}

/**
 * Exports a database, as it is at this moment, while it is in use. Nothing in it is changed, and of its rows only a few
 * are in memory at a time.
 *
 * @param location see openStore
 * @returns the text of the file, in parts that are whole lines
 * @throws TransferError when there is no such database or workspace; StorageUnavailableError
 */
export async function* exportDatabase(location: string, options: ExportOptions): AsyncGenerator<string> {
  const transaction = await beginReading(location);
  const { db } = transaction;
  try {
    const schema = await lastMigration(db);
    if (schema === undefined) throw new TransferError("The database is empty: nothing was ever kept in it.");
    const { workspace, program } = options;
    const workspaceId = workspace === undefined ? undefined : await findWorkspaceId(db, workspace);
    const scope = workspace === undefined ? "service" : "workspace";
    yield formatLine({ format: FORMAT, version: FORMAT_VERSION, program, schema, scope });
    const end: Record<string, number> = {};
    let total = 0;
    // A database of an earlier version may lack a table.
    const columns = await readColumns(db);
    for (const table of TRANSFER_TABLES.filter(({ name }) => columns.has(name))) {
      let count = 0;
      for await (const rows of readTable(db, table, workspaceId)) {
        yield rows.map((row) => formatLine({ table: table.name, row })).join("");
        count += rows.length;
        options.onProgress?.((total += rows.length));
      }
      end[table.name] = count;
    }
    yield formatLine({ end });
  } finally {
    await transaction.close();
  }
}

async function findWorkspaceId(db: Kysely<unknown>, name: string): Promise<string> {
  const found = await sql<{ id: string }>`select id from workspaces where name = ${name}`.execute(db);
  const id = found.rows[0]?.id;
  if (id === undefined) {
    throw new TransferError(
      `There is no workspace ${JSON.stringify(name)}. \`page-service workspaces list\` shows those that there are.`,
    );
  }
  return id;
}

/** Reads the rows of a table in the order of its key, some at a time. */
async function* readTable(
  db: Kysely<unknown>,
  table: TransferTable,
  workspaceId: string | undefined,
): AsyncGenerator<readonly Row[]> {
  const key = sql.join(table.key.map((column) => sql.ref(column)));
  let after: readonly Cell[] | undefined;
  for (;;) {
    const { rows } = await sql<Row>`
      select * from ${sql.table(table.name)}
      where ${workspaceId === undefined ? sql`1 = 1` : isOfWorkspace(table, workspaceId)}
        and ${after === undefined ? sql`1 = 1` : sql`(${key}) > (${sql.join(after)})`}
      order by ${key} limit ${sql.lit(BATCH)}
    `.execute(db);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    if (rows.length < BATCH) return;
    after = keyOf(table, last);
  }
}

/** Of accounts, those of the workspace's members are its own. */
function isOfWorkspace({ name, ofWorkspace }: TransferTable, workspaceId: string): RawBuilder<unknown> {
  if (ofWorkspace) return sql`workspace_id = ${workspaceId}`;
  if (name === "workspaces") return sql`id = ${workspaceId}`;
  return sql`id in (select account_id from members where workspace_id = ${workspaceId})`;
}
