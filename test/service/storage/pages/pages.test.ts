import { describe, expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import { MAX_PAGES_PER_VERSION_UPDATE } from "../../../../src/budgets.js";
import { sortByIds } from "../../../../src/lists.js";
import {
  findPages,
  incrementPageVersions,
  insertPage,
  updatePage,
} from "../../../../src/storage/pages/pages.js";
import { findPage } from "../../../support/pages.js";
import { SqliteConnection } from "../../../../src/storage/engine/sqlite.js";
import { emptyPage, plainRun } from "../../../support/objects.js";
import { recordStatements } from "../../../support/statements.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase, addPages, schema } from "../fixtures.js";
import { openTestStore, createTemporaryPath } from "../open.js";

describe.each(reusableStores)("in %s", (_, newLocation) => {
  test("a page is read unchanged", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const page = {
      ...emptyPage(databaseId),
      icon: { type: "emoji", emoji: "🌱" } as const,
      cover: { type: "external", external: { url: "https://example.com/a.png" } } as const,
      inTrash: true,
      properties: { pnts: -0.1, title: [] },
    };
    await store.write(workspaceId, (scope) => insertPage(scope, page));
    expect(await findPage({ db: store.read, workspaceId }, page.id)).toEqual({
      page,
      schema,
      version: 0,
      schemaVersion: 0,
      lastEditedTime: page.lastEditedTime,
      schemaEditedTime: 0,
      conversionJobId: null,
      isDatabaseInTrash: false,
    });

    const changed = { ...page, icon: null, cover: null, lastEditedTime: 5, properties: { pnts: 2 } };
    await store.write(workspaceId, (scope) => updatePage(scope, changed));
    expect(await findPage({ db: store.read, workspaceId }, page.id)).toEqual({
      page: changed,
      schema,
      version: 1,
      schemaVersion: 0,
      lastEditedTime: 5,
      schemaEditedTime: 0,
      conversionJobId: null,
      isDatabaseInTrash: false,
    });
  });

  test("finds a page only in its own workspace, and other pages with the same statement", async () => {
    const store = await openTestStore(await newLocation());
    const one = await addDatabase(store);
    const two = await addDatabase(store);
    const pages = [emptyPage(one.databaseId), emptyPage(one.databaseId)];
    await store.write(one.workspaceId, async (scope) => {
      for (const page of pages) await insertPage(scope, page);
    });
    for (const page of pages) {
      expect((await findPage({ db: store.read, workspaceId: one.workspaceId }, page.id))?.page).toEqual(page);
      expect(await findPage({ db: store.read, workspaceId: two.workspaceId }, page.id)).toBeUndefined();
    }
    expect(await findPage({ db: store.read, workspaceId: one.workspaceId }, newId())).toBeUndefined();
  });

  test("several pages are read unchanged", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const pages = ["a", 'b"\\,\u001f\u{1f331}', "\ud800\0"].map((content) =>
      emptyPage(databaseId, {
        icon: { type: "emoji", emoji: "🌱" },
        properties: { pnts: 0.1 + 0.2, title: [plainRun(content)] },
      }),
    );
    pages.push(emptyPage(databaseId, { inTrash: true }));
    await store.write(workspaceId, async (scope) => {
      for (const page of pages) await insertPage(scope, page);
    });
    const ids = pages.map(({ id }) => id);
    const found = await findPages({ db: store.read, workspaceId }, [newId(), ...ids]);
    expect(sortByIds(found, ids)).toEqual(pages);
  });

  test("NUL and lone surrogates survive in properties", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const content = "a\0b\ud800c\u2028🙂'\"\\";
    const page = {
      ...emptyPage(databaseId),
      properties: {
        title: [plainRun(content)],
      },
    };
    await store.write(workspaceId, (scope) => insertPage(scope, page));
    expect((await findPage({ db: store.read, workspaceId }, page.id))?.page).toEqual(page);
  });

  test("a SELECT with LIMIT 1 does not change the rows of other limits", async () => {
    const store = await openTestStore(await newLocation());
    await addDatabase(store);
    await addDatabase(store);
    const read = (limit: number) => store.read.selectFrom("databases").select("id").limit(limit).execute();
    expect(await read(2)).toHaveLength(2);
    expect(await read(1)).toEqual([{ id: expect.any(String) }]);
    expect(await read(2)).toHaveLength(2);
  });
});

test("reads of one row see later writes and do not block WAL checkpoints", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = emptyPage(databaseId);
  await store.write(workspaceId, (scope) => insertPage(scope, page));
  for (let points = 0; points < 3; points += 1) {
    await store.write(workspaceId, (scope) => updatePage(scope, { ...page, properties: { pnts: points } }));
    expect((await findPage({ db: store.read, workspaceId }, page.id))?.page.properties).toEqual({
      pnts: points,
    });
  }
  const other = new SqliteConnection(file);
  expect(other.pragma("wal_checkpoint(TRUNCATE)")).toEqual([{ busy: 0, log: 0, checkpointed: 0 }]);
  other.close();
});

test("a statement on SQLite increments the versions of few pages, because all requests wait for it", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const ids = await addPages(store, workspaceId, databaseId, 2 * MAX_PAGES_PER_VERSION_UPDATE + 1);
  const count = await store.write(workspaceId, async (scope) => {
    const { db, statements } = recordStatements(scope.db);
    await incrementPageVersions({ db, workspaceId }, ids);
    return statements.length;
  });
  expect(count).toBe(3);
  const rows = await store.read.selectFrom("pages").select("version").distinct().execute();
  expect(rows).toEqual([{ version: 1 }]);
});
