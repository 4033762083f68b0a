import { describe, expect, test } from "vitest";
import { MAX_READ_BYTES } from "../../../../src/budgets.js";
import { newId } from "../../../../src/domain/ids.js";
import { parseRichTextRun } from "../../../../src/domain/rich-text.js";
import { getIds } from "../../../../src/lists.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { findTitledObjects, type TitledObject } from "../../../../src/storage/objects/titles.js";
import { emptyDatabase, emptyPage } from "../../../support/objects.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase, schema } from "../fixtures.js";
import { openTestStore } from "../open.js";

/** Length of a title of a quarter of MAX_READ_BYTES. */
const LENGTH = MAX_READ_BYTES / 4 / Buffer.byteLength("é");

describe.each(reusableStores)("in %s", (_, newLocation) => {
  /** Adds six pages and six databases with a title. */
  async function addObjects(title: string, otherText = "") {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const toRichText = (content: string) => [parseRichTextRun({ text: { content } })];
    const properties = { title: toRichText(title), text: toRichText(otherText) };
    const pages = Array.from({ length: 6 }, () => emptyPage(databaseId, { properties }));
    const databases = Array.from({ length: 6 }, () =>
      emptyDatabase({ id: newId(), schema, title: toRichText(title) }),
    );
    await store.write(workspaceId, async (scope) => {
      for (const page of pages) await insertPage(scope, page);
      for (const database of databases) await insertDatabase(scope, database);
    });
    const scope = { db: store.read, workspaceId };
    const getTitles = (objects: ReadonlyMap<string, TitledObject>): string[] =>
      [...objects.values()].map((object) => object.title).toSorted();
    return {
      findPages: async (maxLength?: number) =>
        getTitles(await findTitledObjects(scope, { pages: getIds(pages) }, maxLength)),
      findDatabases: async (maxLength?: number) =>
        getTitles(await findTitledObjects(scope, { databases: getIds(databases) }, maxLength)),
    };
  }

  test("returns pages and databases beyond MAX_READ_BYTES without titles", async () => {
    const title = "é".repeat(LENGTH);
    const { findPages, findDatabases } = await addObjects(title);
    for (const find of [findPages, findDatabases]) {
      expect((await find()).map(({ length }) => length)).toEqual([0, 0, LENGTH, LENGTH, LENGTH, LENGTH]);
    }
  });

  test("cuts titles to a number of characters, which count as read", async () => {
    const { findPages, findDatabases } = await addObjects("é".repeat(LENGTH));
    for (const find of [findPages, findDatabases]) expect(await find(3)).toEqual(Array(6).fill("ééé"));
  });

  test("reads no other values of pages", async () => {
    const { findPages } = await addObjects("Title", "é".repeat(LENGTH / 2));
    expect(await findPages()).toEqual(Array(6).fill("Title"));
  });
});
