import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import { expect, test } from "vitest";
import type { Page } from "../../../../src/domain/page.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { findPage } from "../../../support/pages.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { emptyPage } from "../../../support/objects.js";
import { addDatabase } from "../fixtures.js";
import { createTemporaryPath, openTestStore } from "../open.js";

type Database = Awaited<ReturnType<typeof addDatabase>>;

interface LongCommit {
  readonly page: Page;
  readonly write: Promise<unknown>;
  readonly isCommitted: () => boolean;
}

/**
 * Begins to write a page whose COMMIT takes many turns of the event loop, and resolves in its COMMIT. On a busy machine it can have
 * ended already; then another page is written, a limited number of times.
 */
async function startLongCommit(store: Store, database: Database, attempts = 10): Promise<LongCommit> {
  const { workspaceId, databaseId } = database;
  const page = emptyPage(databaseId, { properties: { text: "x".repeat(20_000_000) } });
  let endCallback = (): void => {};
  const callbackEnd = new Promise<void>((resolve) => (endCallback = resolve));
  let isCommitted = false;
  const write = store
    .write(workspaceId, async (scope) => {
      await insertPage(scope, page);
      endCallback();
    })
    .then(() => (isCommitted = true));
  await callbackEnd;
  await nextTurn();
  if (isCommitted && attempts > 1) return startLongCommit(store, database, attempts - 1);
  return { page, write, isCommitted: () => isCommitted };
}

test("the event loop continues during a COMMIT, and reads do not rely on a state that it changes", async () => {
  const store = await openTestStore();
  const database = await addDatabase(store);
  const { workspaceId } = database;
  const before = store.getGeneration(workspaceId);
  const { page, write, isCommitted } = await startLongCommit(store, database);
  expect(store.getGeneration(workspaceId)).toBeUndefined();
  // Another connection, which does not wait for the COMMIT.
  await findPage({ db: store.read, workspaceId }, page.id);
  expect(isCommitted()).toBe(false);
  await write;
  expect(store.getGeneration(workspaceId)).toBeGreaterThan(before ?? Infinity);
});

test("closing waits for a COMMIT under way", async () => {
  const location = createTemporaryPath();
  const store = await openStore(location);
  const database = await addDatabase(store);
  const { page, write, isCommitted } = await startLongCommit(store, database);
  expect(isCommitted()).toBe(false);
  await store.close();
  expect(isCommitted()).toBe(true);
  await write;
  const reopened = await openTestStore(location);
  const { workspaceId } = database;
  expect(await findPage({ db: reopened.read, workspaceId }, page.id)).toBeDefined();
});

test("a COMMIT that fails rejects all writes of its group and stores none", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const pages = [emptyPage(databaseId), emptyPage(databaseId), emptyPage(databaseId)];
  const writes = pages.map((page, index) =>
    store.write(workspaceId, async (scope) => {
      await insertPage(scope, page);
      if (index !== 1) return;
      // Violates a foreign key, which SQLite then checks in the COMMIT.
      await sql`pragma defer_foreign_keys = on`.execute(scope.db);
      await sql`update pages set workspace_id = 'unknown' where id = ${page.id}`.execute(scope.db);
    }),
  );
  for (const write of writes) await expect(write).rejects.toThrow("FOREIGN KEY constraint failed");
  for (const { id } of pages) expect(await findPage({ db: store.read, workspaceId }, id)).toBeUndefined();
  await store.write(workspaceId, (scope) => insertPage(scope, emptyPage(databaseId)));
});
