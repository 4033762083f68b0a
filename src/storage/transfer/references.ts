import { sql, type Kysely, type RawBuilder } from "kysely";
import type { Column } from "./columns.js";
import { type Row, TransferError } from "./format.js";
import { keyOf } from "./keys.js";
import type { Reference, TransferTable } from "./tables.js";

/** What was imported of a table. */
export interface Imported {
  readonly table: TransferTable;
  readonly columns: readonly Column[];
  /** Line of the first row. */
  firstLine: number;
  rows: number;
}

/**
 * Looks for rows that name others that there are not.
 *
 * @param workspaceId the one workspace that was imported; undefined when that is all that there is
 * @throws TransferError for the first one, with its line
 */
export async function checkReferences(
  db: Kysely<unknown>,
  tables: readonly Imported[],
  workspaceId: string | undefined,
): Promise<void> {
  const names = new Set(tables.map(({ table }) => table.name));
  for (const imported of tables) {
    const has = (column: string | undefined): boolean =>
      column === undefined || imported.columns.some(({ name }) => name === column);
    for (const reference of imported.table.references ?? []) {
      // Tables of an earlier version may lack it.
      if (!names.has(reference.to) || !has(reference.column) || !has(reference.when?.[0])) continue;
      const row = await findBroken(db, imported.table, reference, workspaceId);
      if (row === undefined) continue;
      const line = imported.firstLine + (await rankOf(db, imported.table, row, workspaceId));
      const { column, to } = reference;
      const id = row[column];
      throw TransferError.at(
        line,
        `a row of "${imported.table.name}": its "${column}" is ${JSON.stringify(id)}, which is not in "${to}".`,
      );
    }
  }
}

async function findBroken(
  db: Kysely<unknown>,
  table: TransferTable,
  { column, to, when }: Reference,
  workspaceId: string | undefined,
): Promise<Row | undefined> {
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  // Accounts are nobody's.
  const same = to === "accounts" ? sql`1 = 1` : sql`other.workspace_id = this.workspace_id`;
  const { rows } = await sql<Row>`
    select * from ${sql.table(table.name)} as this
    where ${within(workspaceId)}
      and ${when === undefined ? sql`1 = 1` : sql`${sql.ref(when[0])} = ${when[1]}`}
      and not exists (
        select 1 from ${sql.table(to)} as other where ${same} and other.id = this.${sql.ref(column)}
      )
    order by ${key} limit 1
  `.execute(db);
  return rows[0];
}

/** How many rows of the file are before this one, in its table: they are in the order of the key. */
async function rankOf(
  db: Kysely<unknown>,
  table: TransferTable,
  row: Row,
  workspaceId: string | undefined,
): Promise<number> {
  const key = sql.join(table.key.map((name) => sql.ref(name)));
  const { rows } = await sql<{ before: number }>`
    select count(*) as before from ${sql.table(table.name)}
    where ${within(workspaceId)} and (${key}) < (${sql.join(keyOf(table, row))})
  `.execute(db);
  return rows[0]?.before ?? 0;
}

function within(workspaceId: string | undefined): RawBuilder<unknown> {
  return workspaceId === undefined ? sql`1 = 1` : sql`workspace_id = ${workspaceId}`;
}
