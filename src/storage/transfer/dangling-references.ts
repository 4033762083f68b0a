import { sql, type Kysely, type RawBuilder } from "kysely";
import { joinColumns } from "../sql-helpers.js";
import type { Column } from "./columns.js";
import { type Row, TransferError } from "./format.js";
import { getPrimaryKey, type TransferTable } from "./tables.js";

/** A column that refers to rows of another table. */
interface Reference {
  readonly column: string;
  readonly to: string;
  /** The reference exists only in rows with this type of parent. */
  readonly parentType?: string;
}

const PAGE_OR_BLOCK: readonly Reference[] = [
  { column: "parent_id", to: "pages", parentType: "page_id" },
  { column: "parent_id", to: "blocks", parentType: "block_id" },
];

/** References without a foreign key, by table. The parent of an object can be in one of several tables. */
const REFERENCES: ReadonlyMap<string, readonly Reference[]> = new Map([
  ["databases", PAGE_OR_BLOCK],
  ["pages", [{ column: "parent_id", to: "databases", parentType: "database_id" }, ...PAGE_OR_BLOCK]],
  ["blocks", PAGE_OR_BLOCK],
  ["property_values", [{ column: "database_id", to: "databases" }]],
  ["comments", PAGE_OR_BLOCK],
]);

/** Progress of an import in one table. */
export interface ImportedTable {
  readonly table: TransferTable;
  readonly columns: readonly Column[];
  firstLine: number;
  rows: number;
}

/**
 * Checks that the objects to which imported rows refer exist. Checks all workspaces if `workspaceId` is undefined, but none that
 * an imported job deletes, because deleteWorkspaceRows deletes parents before their children. Throws a TransferError with the
 * line of the first dangling reference.
 */
export async function checkDanglingReferences(
  db: Kysely<unknown>,
  tables: readonly ImportedTable[],
  workspaceId: string | undefined,
): Promise<void> {
  const isImported = workspaceId === undefined ? sql`1 = 1` : sql`workspace_id = ${workspaceId}`;
  for (const { table, firstLine } of tables) {
    for (const reference of REFERENCES.get(table.name) ?? []) {
      const row = await findDangling(db, table, reference, isImported);
      if (row === undefined) continue;
      const line = firstLine + (await countRowsBefore(db, table, row, isImported));
      const { column, to } = reference;
      const id = JSON.stringify(row[column]);
      throw TransferError.at(
        line,
        `"${column}" of this row of "${table.name}" is ${id}, which is not in "${to}".`,
      );
    }
  }
}

async function findDangling(
  db: Kysely<unknown>,
  table: TransferTable,
  { column, to, parentType }: Reference,
  isImported: RawBuilder<unknown>,
): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    select * from ${sql.table(table.name)} as this
    where ${isImported} and ${parentType === undefined ? sql`1 = 1` : sql`parent_type = ${parentType}`}
      and workspace_id not in (select workspace_id from jobs where kind = 'delete_workspace')
      and not exists (
        select 1 from ${sql.table(to)} as other
        where other.workspace_id = this.workspace_id and other.id = this.${sql.ref(column)}
      )
    order by ${joinColumns(table.primaryKey)} limit 1
  `.execute(db);
  return rows[0];
}

/** Counts the imported rows before a row in the order of the key, which is also the order of the lines in the file. */
async function countRowsBefore(
  db: Kysely<unknown>,
  table: TransferTable,
  row: Row,
  isImported: RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ before: number }>`
    select count(*) as before from ${sql.table(table.name)}
    where ${isImported} and (${joinColumns(table.primaryKey)}) < (${sql.join(getPrimaryKey(table, row))})
  `.execute(db);
  return rows[0]?.before ?? 0;
}
