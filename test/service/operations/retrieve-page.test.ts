import { expect, test } from "vitest";
import { MAX_SHOWN_USER_BYTES } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import type { Page } from "../../../src/domain/page.js";
import { createSchema } from "../../../src/domain/schema.js";
import { retrievePage } from "../../../src/operations/retrieve-page.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { insertPage, updatePage } from "../../../src/storage/pages/pages.js";
import { insertInto } from "../../../src/storage/workspace-rows.js";
import { emptyDatabase, emptyPage, plainProperty } from "../../support/objects.js";
import { readScope } from "../../support/scope.js";
import { sharedStores } from "../../support/stores.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

test.each(sharedStores)(
  "in %s: an unchanged page has the same body object, and a change by any process creates a new one",
  async (_, newLocation) => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const other = await openTestStore(location);
    const { workspaceId, databaseId } = await addDatabase(store);
    const scope = readScope(store, workspaceId);
    let page: Page = emptyPage(databaseId);
    const read = () => retrievePage(scope, page.id);
    await store.write(workspaceId, (scope) => insertPage(scope, page));
    const changes: [Partial<Page>, object][] = [
      [{ properties: { pnts: 1 } }, { properties: { Points: { number: 1 } } }],
      [{ icon: { type: "emoji", emoji: "🌱" } }, { icon: { emoji: "🌱" } }],
      [
        { cover: { type: "external", external: { url: "https://example.com/a.png" } } },
        { cover: { external: { url: "https://example.com/a.png" } } },
      ],
      [{ lastEditedTime: 1_000 }, { last_edited_time: "1970-01-01T00:00:01.000Z" }],
      [{ lastEditedBy: "editor" }, { last_edited_by: { id: "editor" } }],
    ];
    for (const [change, shown] of changes) {
      const before = await read();
      expect((await read()).body).toBe(before.body);
      page = { ...page, ...change };
      await other.write(workspaceId, (scope) => updatePage(scope, page));
      const after = await read();
      expect(after.body.toJSON()).toMatchObject(shown);
      expect(after.entityTag).not.toBe(before.entityTag);
    }
    await other.writeServiceWide((tx) =>
      tx.updateTable("databases").set({ version: 1, properties: "[]" }).execute(),
    );
    expect((await read()).body.toJSON().properties).toEqual({});
    await expect(retrievePage(readScope(store, newId()), page.id)).rejects.toMatchObject({
      kind: "not_found",
    });
  },
);

test("a user who was removed has only an id, beside a user of the workspace", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    plainProperty("made", "Author", "created_by"),
    plainProperty("edit", "Editor", "last_edited_by"),
  ]);
  const database = emptyDatabase({ schema });
  const [author, editor] = [newId(), newId()];
  const page = emptyPage(database.id, { createdBy: author, lastEditedBy: editor });
  await store.write(workspaceId, async (scope) => {
    const user = { id: author, type: "person", name: "Ada", email: null, avatar_url: null } as const;
    await insertInto(scope, "users", { ...user, created_time: 0 }).execute();
    await insertDatabase(scope, database);
    await insertPage(scope, page);
  });
  const { body } = await retrievePage(readScope(store, workspaceId), page.id);
  expect(body.toJSON().properties).toMatchObject({
    Author: { created_by: { id: author, name: "Ada" } },
    Editor: { last_edited_by: { object: "user", id: editor } },
  });
});

test("users have only an id where the users of a page would take too many bytes", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const count = 100;
  const ids = Array.from({ length: count }, () => newId());
  const properties = Array.from({ length: count }, (_, index) =>
    plainProperty(`p${index}`, `People ${index}`, "people"),
  );
  const author = plainProperty("made", "Author", "created_by");
  const database = emptyDatabase({ schema: createSchema([...properties, author]) });
  const values = Object.fromEntries(properties.map(({ id }) => [id, ids]));
  const page = emptyPage(database.id, { properties: values, createdBy: ids[0] ?? "" });
  const user = { type: "person", name: "漢".repeat(100), email: null, avatar_url: null } as const;
  await store.write(workspaceId, async (scope) => {
    for (const id of ids) await insertInto(scope, "users", { ...user, id, created_time: 0 }).execute();
    await insertDatabase(scope, database);
    await insertPage(scope, page);
  });
  const { body } = await retrievePage(readScope(store, workspaceId), page.id);
  const shown = body.toJSON().properties;
  expect(shown).toMatchObject({ "People 0": { people: ids.map((id) => ({ id, name: user.name })) } });
  expect(shown).toMatchObject({ "People 99": { people: ids.map((id) => ({ object: "user", id })) } });
  expect(shown).toMatchObject({ Author: { created_by: { object: "user", id: ids[0] } } });
  const idBytes = Buffer.byteLength(JSON.stringify({ object: "user", id: ids[0] }));
  const namedBytes = Buffer.byteLength(JSON.stringify(shown)) - count * count * idBytes;
  expect(namedBytes).toBeLessThan(1.1 * MAX_SHOWN_USER_BYTES);
});
