import { findAccountByEmail } from "../access/accounts.js";
import { isPostgresUrl } from "../engine/location.js";
import { openStore } from "../engine/open-store.js";
import type { Db } from "../tables.js";
import { BatchInsert, type Write } from "./batch.js";
import { beginReading, beginWriting, runTransfer } from "./begin-transfer.js";
import { collectStatistics } from "./collect-statistics.js";
import { checkDanglingReferences } from "./dangling-references.js";
import { createLineError, type Header } from "./format.js";
import { HiddenWorkspace } from "./hidden-workspace.js";
import { indexTexts } from "./index-texts.js";
import type { Line } from "./lines.js";
import { type ImportedRow, readRows } from "./read-rows.js";
import { readColumns } from "./table-columns.js";

/** Tables whose rows are inserted in the last transaction: accounts belong to no workspace, members refer to them, and jobs run. */
const LAST_TABLES: ReadonlySet<string> = new Set(["accounts", "members", "jobs"]);

/** Imports one workspace in many transactions, of which the last one makes it visible. Returns the number of rows. */
export async function importWorkspace(
  location: string,
  header: Header,
  lines: AsyncIterable<Line>,
  onProgress: (rows: number) => void,
): Promise<number> {
  const store = await openStore(location);
  let workspace: HiddenWorkspace | undefined;
  try {
    // The rows of other tables come after that of the workspace.
    const write: Write = async (run) => workspace?.write(run);
    const batch = new BatchInsert(write);
    const lastRows: ImportedRow[] = [];
    let rows = 0;
    // In a plain transaction, because a store refuses Kysely's query for columns.
    const columns = await runTransfer(beginReading(location), readColumns);
    for await (const imported of readRows(lines, header, columns)) {
      const { table } = imported;
      if (table === "accounts") await checkAccount(store.read, imported);
      if (table === "workspaces") workspace = await HiddenWorkspace.create(store, imported);
      else if (LAST_TABLES.has(table)) lastRows.push(imported);
      else await batch.add(imported);
      onProgress((rows += 1));
    }
    await batch.flush();
    if (workspace === undefined) throw createLineError(1, "the file has no workspace.");
    await checkDanglingReferences(store.read, workspace.id);
    await indexTexts(store.read, write, [workspace.id]);
    // On a connection without a time limit.
    if (isPostgresUrl(location)) await runTransfer(beginWriting(location), collectStatistics);
    await workspace.publish((db) => insertRows(db, lastRows));
    workspace = undefined;
    return rows;
  } finally {
    await workspace?.discard();
    await store.close();
  }
}

/** Throws a UserError when another account, which can be another person's, has the unverified address of an imported one. */
async function checkAccount(db: Db, { row, line }: ImportedRow): Promise<void> {
  const email = String(row.email);
  const existing = await findAccountByEmail(db, email);
  if (existing === undefined || existing.id === row.id) return;
  throw createLineError(
    line,
    `another account has this address: ${JSON.stringify(email)}. Remove this member before the export, and invite the person after the import.`,
  );
}

/** Inserts rows, and keeps existing accounts, because members can have other workspaces too. */
async function insertRows(db: Db, rows: readonly ImportedRow[]): Promise<void> {
  const batch = new BatchInsert((run) => run(db), { keepAccounts: true });
  for (const row of rows) await batch.add(row);
  await batch.flush();
}
