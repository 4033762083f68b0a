import { type Kysely, sql } from "kysely";
import { UserError } from "../../errors.js";
import { readLastMigration, LATEST_MIGRATION, runMigrations } from "../engine/migrations/index.js";
import type { Db } from "../tables.js";
import { BatchInsert } from "./batch.js";
import { beginWriting, runTransfer } from "./begin-transfer.js";
import { collectStatistics } from "./collect-statistics.js";
import { checkDanglingReferences } from "./dangling-references.js";
import { createLineError, type Header, parseHeader } from "./format.js";
import { importWorkspace } from "./import-workspace.js";
import { indexTexts } from "./index-texts.js";
import { type Line, readLines } from "./lines.js";
import { readRows } from "./read-rows.js";
import { readColumns } from "./table-columns.js";

export interface ImportResult {
  readonly workspaces: number;
  readonly rows: number;
}

/**
 * Imports a file of exportDatabase into a database without workspaces, or, when the file holds a single workspace, into one
 * without this workspace. Creates a SQLite file that does not exist. A failed import leaves nothing visible. Throws a UserError when
 * the file is truncated or invalid, a LockTimeoutError or a StorageUnavailableError.
 */
export async function importDatabase(
  location: string,
  file: AsyncIterable<Uint8Array>,
  onProgress: (rows: number) => void = () => {},
): Promise<ImportResult> {
  const lines = readLines(file);
  try {
    const first = await lines.next();
    const header = parseHeader(first.done === true ? undefined : first.value.text);
    if (header.schema !== LATEST_MIGRATION) {
      throw createLineError(
        1,
        `the file has the tables of a different version of this program ("${header.schema}"). ` +
          `Import it with page-service ${header.program}.`,
      );
    }
    if (header.scope === "service") return await importService(location, header, lines, onProgress);
    return { workspaces: 1, rows: await importWorkspace(location, header, lines, onProgress) };
  } finally {
    // Closes the file when the import fails.
    await lines.return(undefined);
  }
}

/** Imports all workspaces in one transaction, because an empty database has no others that would wait for it. */
function importService(
  location: string,
  header: Header,
  lines: AsyncIterable<Line>,
  onProgress: (rows: number) => void,
): Promise<ImportResult> {
  return runTransfer(beginWriting(location), async (connection) => {
    await prepareEmptyDatabase(connection);
    // Safe cast: the migration has created all tables.
    const db = connection as Db;
    const write = (run: (tx: Db) => Promise<void>) => run(db);
    const batch = new BatchInsert(write);
    const workspaceIds: string[] = [];
    let rows = 0;
    for await (const imported of readRows(lines, header, await readColumns(db))) {
      if (imported.table === "workspaces") workspaceIds.push(String(imported.row.id));
      await batch.add(imported);
      onProgress((rows += 1));
    }
    await batch.flush();
    await checkDanglingReferences(db, undefined);
    await indexTexts(db, write, workspaceIds);
    await collectStatistics(db);
    return { workspaces: workspaceIds.length, rows };
  });
}

/** Migrates a database, and checks that it is empty. */
async function prepareEmptyDatabase(db: Kysely<unknown>): Promise<void> {
  const isNew = (await readLastMigration(db)) === undefined;
  await runMigrations(db, { disableTransactions: true });
  if (isNew) return;
  const { rows } = await sql<{ name: string }>`select name from workspaces union all
    select email from accounts limit 1`.execute(db);
  if (rows.length > 0) {
    throw new UserError(
      "The database is not empty. Import the export of a whole service into an empty database: " +
        "choose one with DATABASE_URL or DATA_DIR.",
    );
  }
}
