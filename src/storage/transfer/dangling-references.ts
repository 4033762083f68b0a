import { sql, type Kysely } from "kysely";
import { UserError } from "../../errors.js";

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

/**
 * Checks that the objects exist to which imported rows refer: in one workspace, or in all except those that an imported job
 * deletes, which deletes parents before their children. Throws a UserError with the first dangling reference.
 */
export async function checkDanglingReferences(
  db: Kysely<unknown>,
  workspaceId: string | undefined,
): Promise<void> {
  for (const [table, references] of REFERENCES) {
    for (const { column, to, parentType } of references) {
      const { rows } = await sql<{ id: string }>`
        select ${sql.ref(column)} as id from ${sql.table(table)} as this
        where ${workspaceId === undefined ? sql`1 = 1` : sql`workspace_id = ${workspaceId}`}
          and ${parentType === undefined ? sql`1 = 1` : sql`parent_type = ${parentType}`}
          and workspace_id not in (select workspace_id from jobs where kind = 'delete_workspace')
          and not exists (
            select 1 from ${sql.table(to)} as other
            where other.workspace_id = this.workspace_id and other.id = this.${sql.ref(column)}
          )
        limit 1
      `.execute(db);
      const [dangling] = rows;
      if (dangling === undefined) continue;
      const id = JSON.stringify(dangling.id);
      throw new UserError(`"${column}" of a row of "${table}" is ${id}, which is not in "${to}".`);
    }
  }
}
