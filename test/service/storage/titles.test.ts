import { describe, expect, test } from "vitest";
import { MAX_READ_BYTES } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { parseRichTextRun } from "../../../src/domain/rich-text.js";
import { insertDatabase } from "../../../src/storage/databases.js";
import { insertPage } from "../../../src/storage/pages.js";
import { findTitledObjects } from "../../../src/storage/titles.js";
import { emptyDatabase, emptyPage } from "../../support/objects.js";
import { reusableStores } from "../../support/stores.js";
import { addDatabase, schema } from "./fixtures.js";
import { openTestStore } from "./open.js";

/** Length of a text of an eighth of MAX_READ_BYTES. It is stored twice: as content and as plain text. */
const LENGTH = MAX_READ_BYTES / 8 / Buffer.byteLength("é");

describe.each(reusableStores)("in %s", (_, newLocation) => {
  test("returns pages beyond MAX_READ_BYTES without titles", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const text = parseRichTextRun({ text: { content: "é".repeat(LENGTH) } });
    const pages = Array.from({ length: 6 }, () => ({
      ...emptyPage(databaseId),
      properties: { title: [parseRichTextRun({ text: { content: "Title" } })], text: [text] },
    }));
    await store.write(workspaceId, async (scope) => {
      for (const page of pages) await insertPage(scope, page);
    });
    const found = await findTitledObjects(
      { db: store.read, workspaceId },
      { pages: pages.map(({ id }) => id) },
    );
    const titles = [...found.values()].map(({ title }) => title).toSorted();
    expect(titles).toEqual(["", "", "", "Title", "Title", "Title"]);
  });

  test("returns databases beyond MAX_READ_BYTES without titles", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const title = [parseRichTextRun({ text: { content: "é".repeat(LENGTH) } })];
    const databases = Array.from({ length: 6 }, () => ({ ...emptyDatabase({ id: newId(), schema }), title }));
    await store.write(workspaceId, async (scope) => {
      for (const database of databases) await insertDatabase(scope, database);
    });
    const found = await findTitledObjects(
      { db: store.read, workspaceId },
      { databases: databases.map(({ id }) => id) },
    );
    const lengths = [...found.values()]
      .map(({ title: text }) => text.length)
      .toSorted((one, other) => one - other);
    expect(lengths).toEqual([0, 0, 0, LENGTH, LENGTH, LENGTH]);
  });
});
