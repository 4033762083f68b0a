import { sql, type QueryExecutorProvider, type RawBuilder } from "kysely";
import { setImmediate } from "node:timers/promises";
import { UserError } from "../../errors.js";
import { BEFORE_FIRST_ID } from "../sql-helpers.js";

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

/** Rows of a workspace that one statement checks. Few, because the importer renews the lease of its job between statements. */
const ROWS_PER_CHECK = 5000;

/**
 * Checks that the objects exist to which imported rows refer: in one workspace, or in all except those that an imported job
 * deletes, which deletes parents before their children. Throws a UserError with the first dangling reference.
 */
export async function checkDanglingReferences(
  db: QueryExecutorProvider,
  workspaceId: string | undefined,
): Promise<void> {
  for (const [table, references] of REFERENCES) {
    for await (const rows of readRanges(db, table, workspaceId)) {
      for (const reference of references) await checkReference(db, table, reference, rows);
    }
  }
}

/** Builds conditions that each select up to about ROWS_PER_CHECK rows of a workspace, or one condition for all workspaces. */
async function* readRanges(
  db: QueryExecutorProvider,
  table: string,
  workspaceId: string | undefined,
): AsyncGenerator<RawBuilder<unknown>> {
  if (workspaceId === undefined) {
    yield sql`workspace_id not in (select workspace_id from jobs where kind in ('delete_workspace', 'import_workspace'))`;
    return;
  }
  const id = sql.ref(table === "property_values" ? "page_id" : "id");
  let after = BEFORE_FIRST_ID;
  for (;;) {
    const rest = sql`workspace_id = ${workspaceId} and ${id} > ${after}`;
    const { rows } = await sql<{ last: string | null }>`select max(id) as last from (
      select ${id} as id from ${sql.table(table)} where ${rest} order by ${id} limit ${sql.lit(ROWS_PER_CHECK)}
    ) as part`.execute(db);
    const last = rows[0]?.last;
    if (last === null || last === undefined) return;
    yield sql`${rest} and ${id} <= ${last}`;
    after = last;
    // Timers can run here: a SELECT on SQLite does not wait.
    await setImmediate();
  }
}

async function checkReference(
  db: QueryExecutorProvider,
  table: string,
  { column, to, parentType }: Reference,
  condition: RawBuilder<unknown>,
): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select ${sql.ref(column)} as id from ${sql.table(table)} as this
    where ${condition}
      and ${parentType === undefined ? sql`1 = 1` : sql`parent_type = ${parentType}`}
      and not exists (
        select 1 from ${sql.table(to)} as other
        where other.workspace_id = this.workspace_id and other.id = this.${sql.ref(column)}
      )
    limit 1
  `.execute(db);
  const [dangling] = rows;
  if (dangling === undefined) return;
  const id = JSON.stringify(dangling.id);
  throw new UserError(`"${column}" of a row of "${table}" is ${id}, which is not in "${to}".`);
}
