import { sql, type RawBuilder } from "kysely";
import type { Plan } from "../../domain/limits.js";
import { joinColumns } from "../sql-helpers.js";
import { PRIMARY_KEYS, type Db, type StorageScope } from "../tables.js";

/*
 * Bytes that a workspace stores: the size of its rows when they were last counted, and an upper bound of the bytes that were
 * written since then. The size of a row is an estimate, because databases do not report the space of its index entries.
 */

export interface StoredBytes {
  readonly workspaceId: string;
  readonly plan: Plan;
  readonly countedBytes: number;
  /** Upper bound of the bytes that were written since the last count began. */
  readonly writtenBytes: number;
  /** Start of the last count, in milliseconds since 1970; 0 before the first one. */
  readonly countedTime: number;
}

/** Adds to the written bytes of a workspace. */
export async function addWrittenBytes({ db, workspaceId }: StorageScope, bytes: number): Promise<void> {
  await db
    .updateTable("workspaces")
    .set((eb) => ({ written_bytes: eb("written_bytes", "+", bytes) }))
    .where("id", "=", workspaceId)
    .execute();
}

/** Reads an upper bound of the bytes that a workspace stores. */
export async function readStoredBytes({ db, workspaceId }: StorageScope): Promise<number> {
  const row = await db
    .selectFrom("workspaces")
    .select(["counted_bytes", "written_bytes"])
    .where("id", "=", workspaceId)
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? 0 : row.counted_bytes + row.written_bytes;
}

/** Subtracts the bytes of deleted rows, so that the workspace can use their space before the next count. */
export async function subtractStoredBytes({ db, workspaceId }: StorageScope, bytes: number): Promise<void> {
  // An import can store more than it has counted, and the sum of both columns must not be negative.
  const counted = sql<number>`case when counted_bytes + written_bytes > ${bytes}
    then counted_bytes - ${bytes} else -written_bytes end`;
  await db.updateTable("workspaces").set({ counted_bytes: counted }).where("id", "=", workspaceId).execute();
}

/** Lists the workspaces that were written to since their last count, the oldest count first. */
export function listChangedWorkspaces(db: Db): Promise<StoredBytes[]> {
  return db
    .selectFrom("workspaces")
    .select([
      "id as workspaceId",
      "plan",
      "counted_bytes as countedBytes",
      "written_bytes as writtenBytes",
      "counted_time as countedTime",
    ])
    .where("written_bytes", ">", 0)
    .orderBy("counted_time")
    .execute();
}

/** Records the start of a count. Returns false when another process has begun one in the meantime. */
export async function beginCount(tx: Db, workspace: StoredBytes, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("workspaces")
    .set({ counted_time: now })
    .where("id", "=", workspace.workspaceId)
    .where("counted_time", "=", workspace.countedTime)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Records the result of a count. Bytes that were written during the count can count twice. */
export async function finishCount(tx: Db, workspace: StoredBytes, countedBytes: number): Promise<void> {
  await tx
    .updateTable("workspaces")
    .set((eb) => ({
      counted_bytes: countedBytes,
      written_bytes: eb("written_bytes", "-", workspace.writtenBytes),
    }))
    .where("id", "=", workspace.workspaceId)
    .execute();
}

interface RowSize {
  /** Bytes of the columns of fixed length, and of the entries in indexes. */
  readonly rowBytes: number;
  /** Columns of variable length. A column that an index repeats is listed twice. */
  readonly texts: readonly string[];
}

/** Tables that a workspace can fill without limit. */
type CountedTable =
  "users" | "api_keys" | "audit_events" | "databases" | "pages" | "blocks" | "property_values" | "comments";

const OBJECT_TEXTS = ["title_text", "icon", "cover", "properties"];

const ROW_SIZES: Readonly<Record<CountedTable, RowSize>> = {
  users: { rowBytes: 250, texts: ["name", "email", "avatar_url"] },
  api_keys: { rowBytes: 500, texts: ["name"] },
  audit_events: { rowBytes: 350, texts: ["actor_name", "subject_name", "detail"] },
  databases: { rowBytes: 900, texts: ["title", "description", ...OBJECT_TEXTS] },
  pages: { rowBytes: 1200, texts: OBJECT_TEXTS },
  blocks: { rowBytes: 750, texts: ["content"] },
  property_values: { rowBytes: 600, texts: ["text_key", "text_key", "long_text"] },
  comments: { rowBytes: 700, texts: ["rich_text"] },
};

/** Number of rows that one statement reads. Small, because other workspaces wait while it runs. */
const ROWS_PER_READ = 500;

/** Reads the sizes of all rows of a workspace in many statements, and yields the sum of each statement. */
export async function* readRowBytes({ db, workspaceId }: StorageScope): AsyncGenerator<number> {
  // The cast: Object.keys does not keep the type of the keys.
  for (const table of Object.keys(ROW_SIZES) as CountedTable[]) {
    const { rowBytes, texts } = ROW_SIZES[table];
    const [, ...key] = PRIMARY_KEYS[table];
    const columns = joinColumns(key);
    let after: readonly unknown[] | undefined;
    do {
      const continued = after && sql`and (${columns}) > (${sql.join(after)})`;
      const { rows } = await sql<{ readonly bytes: number } & Record<string, unknown>>`
        select ${columns}, ${buildTextBytes(texts)} as bytes from ${sql.table(table)}
        where workspace_id = ${workspaceId} ${continued ?? sql``} order by ${columns} limit ${sql.lit(ROWS_PER_READ)}
      `.execute(db);
      yield rows.reduce((sum, { bytes }) => sum + bytes + rowBytes, 0);
      const last = rows[ROWS_PER_READ - 1];
      after = last && key.map((column) => last[column]);
    } while (after !== undefined);
  }
}

/** Reads the bytes of a page with its values but without its blocks, or of a block. */
export async function readObjectBytes({ db, workspaceId }: StorageScope, id: string): Promise<number> {
  let bytes = 0;
  for (const table of ["pages", "blocks", "property_values"] as const) {
    const { rows } = await sql<{ readonly bytes: number }>`
      select cast(coalesce(sum(${buildRowBytes(table)}), 0) as bigint) as bytes
      from ${sql.table(table)} where workspace_id = ${workspaceId} and ${sql.ref(PRIMARY_KEYS[table][1] ?? "")} = ${id}
    `.execute(db);
    bytes += rows[0]?.bytes ?? 0;
  }
  return bytes;
}

/** Builds the expression for the bytes of a row of a table. */
export function buildRowBytes(table: CountedTable): RawBuilder<number> {
  const { rowBytes, texts } = ROW_SIZES[table];
  return sql<number>`${buildTextBytes(texts)} + ${sql.lit(rowBytes)}`;
}

function buildTextBytes(texts: readonly string[]) {
  const lengths = texts.map((column) => sql`coalesce(octet_length(${sql.ref(column)}), 0)`);
  return sql.join(lengths, sql` + `);
}
