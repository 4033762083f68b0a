import { sql, type Kysely } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { isPostgresUrl } from "../../../../src/storage/engine/location.js";
import { readColumns } from "../../../../src/storage/transfer/table-columns.js";
import { EXPORTED_TABLES, TABLE_METADATA, TABLE_NAMES } from "../../../../src/storage/tables.js";
import { beginReading } from "../../../../src/storage/transfer/begin-transfer.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";
import { query } from "../../../support/postgres.js";
import { newPostgresDatabase, NO_POSTGRES, sharedStores } from "../../../support/stores.js";
import { testUnless } from "../../../support/requirements.js";

/** Creates a database with the tables of this version. */
async function openDatabase(location: string): Promise<Kysely<unknown>> {
  await openTestStore(location);
  const transaction = await beginReading(location);
  onTestFinished(() => transaction.close());
  return transaction.db;
}

/** Lists the columns of a table's primary key in order. */
async function readPrimaryKey(db: Kysely<unknown>, location: string, table: string): Promise<string[]> {
  const query = isPostgresUrl(location)
    ? sql<{
        name: string;
      }>`select a.attname as name from pg_index i, unnest(i.indkey) with ordinality as k (number, place)
        join pg_attribute a on a.attnum = k.number
        where i.indrelid = ${table}::regclass and i.indisprimary and a.attrelid = i.indrelid order by k.place`
    : sql<{ name: string }>`select name from pragma_table_info(${table}) where pk > 0 order by pk`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}

test.each(sharedStores)(
  "every table of a database in %s is exported by its primary key, or explicitly excluded",
  async (_, at) => {
    const location = await at();
    const db = await openDatabase(location);
    // SQLite stores the virtual table page_trigrams in further tables, and PostgreSQL does not have it.
    const isTrigrams = (name: string): boolean => name.startsWith("page_trigrams");
    const tables = (await db.introspection.getTables()).map(({ name }) => name);
    const real = tables.filter((name) => !isTrigrams(name));
    const declared = TABLE_NAMES.filter((name) => !isTrigrams(name));
    expect(real.sort(), "the tables of TABLE_METADATA in src/storage/tables.ts").toEqual(declared.sort());
    for (const name of EXPORTED_TABLES) {
      const { primaryKey } = TABLE_METADATA[name];
      expect([name, primaryKey]).toEqual([name, await readPrimaryKey(db, location, name)]);
    }
  },
);

testUnless(NO_POSTGRES)("tables have the same columns in the same order in both databases", async () => {
  const columns = await Promise.all(
    sharedStores.map(async ([, at]) => {
      const tables = await readColumns(await openDatabase(await at()));
      return EXPORTED_TABLES.map((name) => [
        name,
        tables.get(name)?.map((column) => `${column.name} ${column.kind}`),
      ]);
    }),
  );
  expect(columns[0]).toEqual(columns[1]);
});

testUnless(NO_POSTGRES)("tables of the same name in other schemas of PostgreSQL are ignored", async () => {
  const location = await newPostgresDatabase();
  const columns = await readColumns(await openDatabase(location));
  for (const schema of ["a", "z"]) {
    await query(location, `CREATE SCHEMA ${schema}`);
    await query(location, `CREATE TABLE ${schema}.workspaces (other integer)`);
  }
  const transaction = await beginReading(location);
  onTestFinished(() => transaction.close());
  expect(await readColumns(transaction.db)).toEqual(columns);
});

testUnless(NO_POSTGRES)("all reads of an export from PostgreSQL see the same rows", async () => {
  const location = await newPostgresDatabase();
  const store = await openTestStore(location);
  const { db, close } = await beginReading(location);
  onTestFinished(close);
  const readIds = async () => (await sql`select id from workspaces`.execute(db)).rows;
  expect(await readIds()).toEqual([]);
  await addDatabase(store);
  expect(await readIds()).toEqual([]);
});
