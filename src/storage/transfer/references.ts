import { sql, type Kysely, type RawBuilder } from "kysely";
import { joinColumns } from "../by-id.js";
import type { Column } from "./columns.js";
import { type Row, TransferError } from "./format.js";
import { readPrimaryKey } from "./primary-keys.js";
import type { Reference, TransferTable } from "./tables.js";

/** Progress of an import in one table. */
export interface ImportedTable {
  readonly table: TransferTable;
  readonly columns: readonly Column[];
  /** Line number of the first row. */
  firstLine: number;
  rows: number;
}

/**
 * Finds dangling references.
 *
 * @param workspaceId the imported workspace; undefined after an import of a whole service
 * @throws TransferError with the line of the first one
 */
export async function checkReferences(
  db: Kysely<unknown>,
  tables: readonly ImportedTable[],
  workspaceId: string | undefined,
): Promise<void> {
  for (const imported of tables) {
    for (const reference of imported.table.references) {
      const row = await findDangling(db, imported.table, reference, workspaceId);
      if (row === undefined) continue;
      const line = imported.firstLine + (await countRowsBefore(db, imported.table, row, workspaceId));
      const { column, to } = reference;
      const id = row[column];
      throw TransferError.at(
        line,
        `"${column}" of this row of "${imported.table.name}" is ${JSON.stringify(id)}, which is not in "${to}".`,
      );
    }
  }
}

async function findDangling(
  db: Kysely<unknown>,
  table: TransferTable,
  { column, to, when }: Reference,
  workspaceId: string | undefined,
): Promise<Row | undefined> {
  const key = joinColumns(table.key);
  const { rows } = await sql<Row>`
    select * from ${sql.table(table.name)} as this
    where ${restrictToWorkspace(workspaceId)}
      and ${when === undefined ? sql`1 = 1` : sql`${sql.ref(when[0])} = ${when[1]}`}
      and not exists (
        select 1 from ${sql.table(to)} as other
        where other.workspace_id = this.workspace_id and other.id = this.${sql.ref(column)}
      )
    order by ${key} limit 1
  `.execute(db);
  return rows[0];
}

/** Counts the rows of a table before a row. Files have rows in the order of the key, so this gives the line number. */
async function countRowsBefore(
  db: Kysely<unknown>,
  table: TransferTable,
  row: Row,
  workspaceId: string | undefined,
): Promise<number> {
  const key = joinColumns(table.key);
  const { rows } = await sql<{ before: number }>`
    select count(*) as before from ${sql.table(table.name)}
    where ${restrictToWorkspace(workspaceId)} and (${key}) < (${sql.join(readPrimaryKey(table, row))})
  `.execute(db);
  return rows[0]?.before ?? 0;
}

function restrictToWorkspace(workspaceId: string | undefined): RawBuilder<unknown> {
  return workspaceId === undefined ? sql`1 = 1` : sql`workspace_id = ${workspaceId}`;
}
