import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { StorageUnavailableError } from "../../../src/errors.js";
import { openStore } from "../../../src/storage/engine/open-store.js";
import { beginReading } from "../../../src/storage/transfer/begin-transfer.js";
import { query } from "../../support/postgres.js";
import { testUnless } from "../../support/requirements.js";
import { newEmptyPostgresDatabase, NO_POSTGRES, openSecondConnection } from "../../support/stores.js";
import { openTestStore } from "./open.js";
import { kinds } from "./transfer/command.js";

describe.each(kinds)("in %s", (_, newLocation) => {
  test("refuses a database of a newer version, and says what to do", async () => {
    const location = await newLocation();
    await (await openStore(location)).close();
    const beside = await openSecondConnection(location);
    await beside("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01T00:00:00.000Z')");
    const opening = openStore(location);
    await expect(opening).rejects.toThrow(StorageUnavailableError);
    await expect(opening).rejects.toThrow(/newer version .*9999-later.* use another database/);
  });

  test("a failed migration leaves the database unchanged and can be repeated", async () => {
    const location = await newLocation();
    const beside = await openSecondConnection(location);
    // The first migration creates this table after most others.
    await beside("CREATE TABLE comments (text text)");
    const opening = openStore(location);
    await expect(opening).rejects.toThrow(StorageUnavailableError);
    await expect(opening).rejects.toThrow(
      /another program: .*comments"? already exists\. Use another database/,
    );
    expect(await listContentTables(location)).toEqual(["comments"]);

    await beside("DROP TABLE comments");
    const store = await openStore(location);
    onTestFinished(() => store.close());
    expect(await store.read.selectFrom("comments").selectAll().execute()).toEqual([]);
  });

  test("refuses rows of content without their page or workspace", async () => {
    const location = await newLocation();
    await (await openStore(location)).close();
    const beside = await openSecondConnection(location);
    const value = "INSERT INTO property_values VALUES ('w', 'p', 'd', 'x', 0, null, 1, null)";
    await expect((async () => beside(value))()).rejects.toThrow(/foreign key/i);
    const user = "INSERT INTO users VALUES ('w', 'u', 'bot', 'Bot', null, null, 0)";
    await expect((async () => beside(user))()).rejects.toThrow(/foreign key/i);
  });
});

test("each foreign key has an index, so that the deletion of the other row does not read the whole table", async () => {
  const store = await openTestStore();
  const { rows } = await sql`
    SELECT t.name, k.columns FROM sqlite_schema t, (
      SELECT t.name, group_concat(f."from" ORDER BY f.seq) || ',' AS columns
      FROM sqlite_schema t, pragma_foreign_key_list(t.name) f GROUP BY t.name, f.id
    ) k WHERE k.name = t.name AND NOT EXISTS (
      SELECT group_concat(c.name ORDER BY c.seqno) || ',' AS columns
      FROM pragma_index_list(t.name) i, pragma_index_info(i.name) c
      WHERE NOT i.partial GROUP BY i.name HAVING instr(columns, k.columns) = 1
    )
  `.execute(store.read);
  // It has rows only while a database is converted.
  expect(rows).toEqual([{ name: "pages_to_reconvert", columns: "workspace_id,page_id," }]);
});

testUnless(NO_POSTGRES)("a history of migrations in another schema is ignored", async () => {
  const location = await newEmptyPostgresDatabase();
  await query(
    location,
    "CREATE SCHEMA other; CREATE TABLE other.kysely_migration (name text primary key, timestamp text)",
  );
  const store = await openTestStore(location);
  expect(await store.read.selectFrom("workspaces").selectAll().execute()).toEqual([]);
  expect(await query(location, "SELECT name FROM public.kysely_migration")).toHaveLength(1);
});

/** Lists the tables of a database without those of Kysely. */
async function listContentTables(location: string): Promise<string[]> {
  const transaction = await beginReading(location);
  try {
    return (await transaction.db.introspection.getTables()).map(({ name }) => name);
  } finally {
    await transaction.close();
  }
}
