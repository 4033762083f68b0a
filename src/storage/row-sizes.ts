import { sql, type RawBuilder } from "kysely";
import { sumBy } from "../lists.js";
import { getBytes } from "./row-limit.js";
import { joinColumns } from "./sql-helpers.js";
import { type CountedTable, type StorageScope, TABLE_METADATA, TABLE_NAMES, type Tables } from "./tables.js";

/* Sizes of rows for the storage limit. Estimates, because databases do not report the size of the index entries of a row. */

/** Number of rows that one statement reads. Small, because other workspaces wait while it runs. */
const ROWS_PER_READ = 500;

/** Reads the sizes of all rows of a workspace in many statements, and yields the sum of each statement. */
export async function* readRowBytes({ db, workspaceId }: StorageScope): AsyncGenerator<number> {
  for (const table of TABLE_NAMES.filter(isCounted)) {
    const [, ...key] = TABLE_METADATA[table].primaryKey;
    const columns = joinColumns(key);
    let after: readonly unknown[] | undefined;
    do {
      const continued = after && sql`and (${columns}) > (${sql.join(after)})`;
      const { rows } = await sql<{ readonly bytes: number } & Record<string, unknown>>`
        select ${columns}, ${buildRowBytes(table)} as bytes from ${sql.table(table)}
        where workspace_id = ${workspaceId} ${continued ?? sql``} order by ${columns} limit ${sql.lit(ROWS_PER_READ)}
      `.execute(db);
      yield sumBy(rows, getBytes);
      const last = rows[ROWS_PER_READ - 1];
      after = last && key.map((column) => last[column]);
    } while (after !== undefined);
  }
}

/** Reads the bytes of a page with its values but without its blocks, or of a block. */
export async function readObjectBytes({ db, workspaceId }: StorageScope, id: string): Promise<number> {
  let bytes = 0;
  for (const table of ["pages", "blocks", "property_values", "long_texts"] as const) {
    const { rows } = await sql<{ readonly bytes: number }>`
      select cast(coalesce(sum(${buildRowBytes(table)}), 0) as bigint) as bytes
      from ${sql.table(table)} where workspace_id = ${workspaceId} and ${sql.ref(TABLE_METADATA[table].primaryKey[1])} = ${id}
    `.execute(db);
    bytes += rows[0]?.bytes ?? 0;
  }
  return bytes;
}

/** Builds the expression for the bytes of a row of a table. */
export function buildRowBytes(table: CountedTable): RawBuilder<number> {
  const { fixedBytes, texts } = TABLE_METADATA[table].rowSize;
  const lengths = texts.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  return sql<number>`${sql.join(lengths, sql` + `)} + ${sql.lit(fixedBytes)}`;
}

function isCounted(table: keyof Tables): table is CountedTable {
  return TABLE_METADATA[table].rowSize !== null;
}
