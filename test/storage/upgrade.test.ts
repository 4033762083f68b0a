import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { connect } from "../support/contract.js";
import { openStore } from "../../src/storage/store.js";
import { beginReading } from "../../src/storage/transfer/transaction.js";
import { openBeside, sharedStores } from "../support/stores.js";

/** What the first version wrote: a database of three pages, of which the second is empty and the third in the trash. */
const FIRST = readFileSync(new URL("../fixtures/storage/0001.sql", import.meta.url), "utf8");

test.each(sharedStores)(
  "a database of the first version in %s is brought up to date, with all that is in it",
  async (_, at) => {
    const database = await at();
    const beside = await openBeside(database);
    await beside(FIRST);
    const connected = await connect({ database });
    const { client, rootDatabaseId } = await connected.connect({ workspaceName: "Acme" });
    const { read } = connected.service.store;

    const pages = await read.selectFrom("pages").selectAll().orderBy("id").execute();
    expect(pages.map((page) => [page.parent_type, page.parent_id, page.in_trash, page.title_text])).toEqual([
      ["database_id", rootDatabaseId, 0, "été à la mer"],
      ["database_id", rootDatabaseId, 0, ""],
      ["database_id", rootDatabaseId, 1, "ab🙂".repeat(60)],
    ]);
    const [first, empty, trashed] = pages.map((page) => page.id);
    if (first === undefined || empty === undefined || trashed === undefined)
      throw new Error("Pages are gone.");
    expect(pages[2]?.trash_root).toBe(trashed);

    const valuesOf = (page: string) =>
      read
        .selectFrom("property_values")
        .select(["ordinal", "text_key", "long_text", "number_key"])
        .where("page_id", "=", page)
        // Where null comes in the order, the databases do not agree.
        .orderBy(sql`text_key is not null`)
        .orderBy("text_key")
        .orderBy("number_key")
        .execute();
    const row = { ordinal: 0, text_key: null, long_text: null, number_key: null };
    expect(await valuesOf(first)).toEqual([
      { ...row, number_key: 1 },
      { ...row, number_key: 3.5 },
      { ...row, text_key: "book early" },
      { ...row, text_key: "été à la mer" },
    ]);
    expect(await valuesOf(empty)).toEqual([]);
    expect(await valuesOf(trashed)).toEqual([
      { ...row, number_key: 0 },
      { ...row, number_key: 0 },
      {
        ...row,
        text_key: Array.from("ab🙂".repeat(60)).slice(0, 128).join(""),
        long_text: "ab🙂".repeat(60),
      },
    ]);

    const { body: page } = await client.retrievePage({ path: { page_id: first } });
    expect(page).toMatchObject({
      icon: { emoji: "🧭" },
      properties: {
        Title: { title: [{ plain_text: "ÉTÉ " }, { plain_text: "à la mer", annotations: { bold: true } }] },
        Notes: { rich_text: [{ plain_text: "Book early" }] },
        Done: { checkbox: true },
        Points: { number: 3.5 },
      },
    });
    // Written again by this version, the page is found by the same.
    const before = await valuesOf(first);
    const { Title, Notes, Done, Points } = page.properties;
    const update = { Title, Notes, Done, Points } as Parameters<
      typeof client.updatePage
    >[0]["body"]["properties"];
    await client.updatePage({ path: { page_id: first }, body: { properties: update } });
    expect(await valuesOf(first)).toEqual(before);
    const restored = await client.updatePage({ path: { page_id: trashed }, body: { in_trash: false } });
    expect(restored.body).toMatchObject({
      in_trash: false,
      cover: { external: { url: "https://example.org/sea.jpg" } },
    });
  },
);

test.each(sharedStores)(
  "a change of a database in %s that fails leaves it as it was, to be tried again",
  async (_, at) => {
    const database = await at();
    const beside = await openBeside(database);
    await beside(FIRST);
    // By then tables were made, dropped and renamed, and other pages written.
    await beside("UPDATE pages SET properties = '{' || properties WHERE in_trash = 1");
    const before = await shapeOf(database);
    expect(before.map(({ name }) => name)).not.toContain("blocks");
    await expect(openStore(database)).rejects.toThrow(/JSON/);
    expect(await shapeOf(database)).toEqual(before);

    await beside("UPDATE pages SET properties = substr(properties, 2) WHERE in_trash = 1");
    const store = await openStore(database);
    onTestFinished(() => store.close());
    expect(await store.read.selectFrom("pages").select("id").execute()).toHaveLength(3);
  },
);

/** The tables of a database with their columns and rows, Kysely's own among them. */
async function shapeOf(location: string): Promise<{ name: string; columns: unknown; rows: unknown }[]> {
  const transaction = await beginReading(location);
  const { db } = transaction;
  try {
    const tables = await db.introspection.getTables({ withInternalKyselyTables: true });
    const shape = [];
    for (const { name, columns } of tables) {
      const { rows } = await sql`select * from ${sql.table(name)} order by 1, 2`.execute(db);
      shape.push({ name, columns, rows });
    }
    return shape;
  } finally {
    await transaction.close();
  }
}
