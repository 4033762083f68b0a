import { sql } from "kysely";
import {
  MAX_PRESENTED_BYTES_PER_TURN,
  MAX_READ_BYTES,
  MAX_SCHEMA_CHARACTERS,
  SCHEMA_CACHE_CHARACTERS,
} from "../../budgets.js";
import type { Database } from "../../domain/database.js";
import type { Edit } from "../../domain/stored-object.js";
import { toPlainText } from "../../domain/properties/plain-text.js";
import type { Schema } from "../../domain/schema.js";
import type { Entity } from "../column-names.js";
import { getBytes } from "../row-limit.js";
import { buildEditColumns, NEXT_VERSION, toObject, toObjectRow } from "../objects/object-columns.js";
import { formatSchema, parseSchema } from "./schema-cache.js";
import type { StorageScope, Tables } from "../tables.js";
import { NOT_IN_TRASH, readByIds } from "../sql-helpers.js";
import { foldText, toStorableText } from "../../domain/text.js";
import { getIds, splitByBytes, takeWithinLimit } from "../../lists.js";
import { compileForWorkspace, insertInto, selectFrom, updateTable } from "../workspace-rows.js";

const selectDatabase = compileForWorkspace((scope, databaseId: string) =>
  selectFrom(scope, "databases").selectAll().where("id", "=", databaseId).limit(1),
);

const DATABASE_BYTES = sql<number>`
  octet_length(properties) + octet_length(title) + octet_length(description)`.as("bytes");

/** A database with the state that concurrent changes are checked against. */
export type VersionedDatabase = Database &
  Entity<Pick<Tables["databases"], "version" | "conversion_job_id" | "last_unique_number" | "pages_version">>;

/** Reads a database; undefined when the workspace has no database with that id. */
export async function findDatabase(
  scope: StorageScope,
  databaseId: string,
): Promise<VersionedDatabase | undefined> {
  const [row] = await selectDatabase(scope, databaseId);
  if (row === undefined) return undefined;
  const { version, conversion_job_id: conversionJobId, last_unique_number: lastUniqueNumber } = row;
  return { version, conversionJobId, lastUniqueNumber, pagesVersion: row.pages_version, ...toDatabase(row) };
}

/** Reads databases by their ids, in any order. Unknown ids are skipped. */
export async function findDatabases(scope: StorageScope, ids: readonly string[]): Promise<Database[]> {
  const rows = await readByIds(ids, selectFrom(scope, "databases").selectAll());
  return rows.map(toDatabase);
}

/** Reads the sizes of databases with their titles, descriptions and schemas, in bytes, by id. Unknown ids are skipped. */
export async function readDatabaseBytes(
  scope: StorageScope,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await readByIds(ids, selectFrom(scope, "databases").select(["id", DATABASE_BYTES]));
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** Schemas of several databases, or the parts of them that a caller needs, by the id of the database. */
export interface FoundSchemas<Part = Schema> {
  readonly schemas: ReadonlyMap<string, Part>;
  /** Ids of databases that were not read, because the sizes of all together exceed MAX_READ_BYTES. */
  readonly skippedIds: ReadonlySet<string>;
}

/** Reads the schemas of databases. Leaves out unknown ids. Waits for turns between many schemas. */
export function findSchemas(scope: StorageScope, ids: readonly string[]): Promise<FoundSchemas> {
  return findSchemaParts(scope, ids, (schema) => schema);
}

/** Reads the parts of schemas that `selectPart` returns, as findSchemas does. Whole schemas of many requests would take a gigabyte. */
export async function findSchemaParts<Part>(
  scope: StorageScope,
  ids: readonly string[],
  selectPart: (schema: Schema) => Part,
): Promise<FoundSchemas<Part>> {
  const schemas = new Map<string, Part>();
  const { parts, skippedIds } = await splitByTurns(scope, ids);
  const read = async (): Promise<void> => {
    for (const [index, part] of parts.entries()) {
      if (index > 0) await scope.waitForTurn?.();
      const rows = await readByIds(part, selectFrom(scope, "databases").select(["id", "properties"]));
      for (const { id, properties } of rows) schemas.set(id, selectPart(parseSchema(properties)));
    }
  };
  await (parts.length > 1 && scope.runRelatedReads ? scope.runRelatedReads(read) : read());
  return { schemas, skippedIds };
}

/** Splits the ids of databases into parts whose schemas are parsed in one turn of the event loop. */
async function splitByTurns(
  scope: StorageScope,
  ids: readonly string[],
): Promise<{ parts: readonly (readonly string[])[]; skippedIds: ReadonlySet<string> }> {
  const skippedIds = new Set<string>();
  // Most databases have no rollups, and building the query takes 10 µs.
  if (ids.length === 0) return { parts: [], skippedIds };
  if (ids.length * MAX_SCHEMA_CHARACTERS <= SCHEMA_CACHE_CHARACTERS) return { parts: [ids], skippedIds };
  const sizes = Array.from(await readDatabaseBytes(scope, ids), ([id, bytes]) => ({ id, bytes }));
  const read = takeWithinLimit(sizes, MAX_READ_BYTES, getBytes);
  for (const { id } of sizes.slice(read.length)) skippedIds.add(id);
  const parts = splitByBytes(read, MAX_PRESENTED_BYTES_PER_TURN, getBytes);
  return { parts: parts.map(getIds), skippedIds };
}

/** Reads the ids of the databases of a workspace that come after the id `after` and are not in the trash, oldest first. */
export async function findDatabaseIdsAfter(
  scope: StorageScope,
  after: string,
  limit: number,
): Promise<{ id: string }[]> {
  return selectFrom(scope, "databases")
    .select("id")
    .where("in_trash", "=", NOT_IN_TRASH)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Reads the id of the oldest database of a workspace outside of the trash; undefined when there is none. */
export async function findFirstDatabaseId(scope: StorageScope): Promise<string | undefined> {
  const row = await selectFrom(scope, "databases")
    .select("id")
    .where("in_trash", "=", 0)
    .orderBy("created_time")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export async function insertDatabase(scope: StorageScope, database: Database): Promise<void> {
  await insertInto(scope, "databases", {
    ...toRow(database),
    version: 0,
    properties: formatSchema(database.schema),
    last_unique_number: 0,
    conversion_job_id: null,
    pages_version: 0,
  }).execute();
}

/** Updates all columns of a database except its schema, and increments its version. */
export async function updateDatabase(scope: StorageScope, database: Database): Promise<void> {
  await updateTable(scope, "databases")
    .set({ ...toRow(database), version: NEXT_VERSION })
    .where("id", "=", database.id)
    .execute();
}

/** Replaces the schema of a database, and increments its version. */
export async function updateSchema(
  scope: StorageScope,
  databaseId: string,
  schema: Schema,
  edit: Edit,
): Promise<void> {
  await updateTable(scope, "databases")
    .set({ properties: formatSchema(schema), ...buildEditColumns(edit), version: NEXT_VERSION })
    .where("id", "=", databaseId)
    .execute();
}

/** Increments the versions of all pages of databases, in their databases instead of in their own rows. */
export async function incrementVersionsOfAllPages(
  scope: StorageScope,
  databaseIds: readonly string[],
): Promise<void> {
  await updateTable(scope, "databases")
    .set((eb) => ({ pages_version: eb("pages_version", "+", 1) }))
    .where("id", "in", databaseIds)
    .execute();
}

/** Reserves the next number for the unique_id property of a database. */
export async function reserveUniqueNumber(scope: StorageScope, databaseId: string): Promise<number> {
  const row = await updateTable(scope, "databases")
    .set((eb) => ({ last_unique_number: eb("last_unique_number", "+", 1) }))
    .where("id", "=", databaseId)
    .returning("last_unique_number")
    .executeTakeFirstOrThrow();
  return row.last_unique_number;
}

/** Raises `lastUniqueNumber` of a database to `highest`, unless it is higher already. */
export async function raiseLastUniqueNumber(
  scope: StorageScope,
  databaseId: string,
  highest: number,
): Promise<void> {
  await updateTable(scope, "databases")
    .set({ last_unique_number: highest })
    .where("id", "=", databaseId)
    .where("last_unique_number", "<", highest)
    .execute();
}

function toDatabase(row: Tables["databases"]): Database {
  return {
    title: JSON.parse(row.title),
    description: JSON.parse(row.description),
    icon: row.icon === null ? null : JSON.parse(row.icon),
    cover: row.cover === null ? null : JSON.parse(row.cover),
    isInline: row.is_inline !== 0,
    schema: parseSchema(row.properties),
    ...toObject(row),
  };
}

function toRow(database: Database) {
  const plainTitle = toStorableText(toPlainText(database.title));
  return {
    ...toObjectRow(database),
    plain_title: plainTitle,
    title: JSON.stringify(database.title),
    title_text: foldText(plainTitle),
    description: JSON.stringify(database.description),
    icon: database.icon === null ? null : JSON.stringify(database.icon),
    cover: database.cover === null ? null : JSON.stringify(database.cover),
    is_inline: database.isInline ? 1 : 0,
  };
}
