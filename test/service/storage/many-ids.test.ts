import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MAX_PAGES_PER_VALUE_COUNT, MAX_RELATIONS_PER_READ, MAX_TURN_MS } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { findDatabases, findSchemas, readDatabaseBytes } from "../../../src/storage/databases/databases.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { readLinkBytes, readLinkedBytes, readPageBytes } from "../../../src/storage/pages/page-bytes.js";
import { findPages } from "../../../src/storage/pages/pages.js";
import { deletePropertyValues, insertPropertyRows } from "../../../src/storage/pages/property-values.js";
import { findLinks } from "../../../src/storage/pages/read-links.js";
import type { StorageScope } from "../../../src/storage/tables.js";
import { findTitledObjects } from "../../../src/storage/objects/titles.js";
import { findUsers } from "../../../src/storage/users.js";
import { reusableStores } from "../../support/stores.js";
import { addDatabase, addPages } from "./fixtures.js";
import { openTestStore } from "./open.js";

/** More ids than either database accepts as parameters of one statement. */
const MANY_IDS = Array.from({ length: 70_000 }, () => newId());

/** Creates a scope in which each statement takes longer than a turn may take, and counts how often its reader waits for a turn. */
function createSlowScope(store: Store, workspaceId: string) {
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const waits = { count: 0 };
  const scope: StorageScope = {
    workspaceId,
    get db() {
      vi.advanceTimersByTime(MAX_TURN_MS);
      return store.read;
    },
    waitForTurn: async () => void (waits.count += 1),
  };
  return { scope, waits };
}

describe.each(reusableStores)("in %s", (_, newLocation) => {
  test("the values of any number of properties can be deleted", async () => {
    const store = await openTestStore(await newLocation());
    await store.write(newId(), (scope) => deletePropertyValues(scope, [newId()], MANY_IDS));
  });

  test("any number of unknown ids can be looked up", async () => {
    const { read } = await openTestStore(await newLocation());
    const workspaceId = newId();
    expect(await findUsers({ db: read, workspaceId }, MANY_IDS)).toEqual([]);
    expect(await findPages({ db: read, workspaceId }, MANY_IDS)).toEqual([]);
    expect(await findDatabases({ db: read, workspaceId }, MANY_IDS)).toEqual([]);
    const noSchemas = { schemas: new Map(), skippedIds: new Set() };
    expect(await findSchemas({ db: read, workspaceId }, MANY_IDS)).toEqual(noSchemas);
    expect(await readDatabaseBytes({ db: read, workspaceId }, MANY_IDS)).toEqual(new Map());
    expect(await readPageBytes({ db: read, workspaceId }, MANY_IDS)).toEqual([]);
    expect(await readLinkedBytes({ db: read, workspaceId }, MANY_IDS, ["link"])).toEqual([]);
    expect(await findLinks({ db: read, workspaceId }, MANY_IDS, ["link"])).toEqual(new Map());
    const ids = { pages: MANY_IDS, databases: MANY_IDS };
    expect(await findTitledObjects({ db: read, workspaceId }, ids)).toEqual(new Map());
  });

  test("the links of many relations are read and measured by several statements", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const [pageId = ""] = await addPages(store, workspaceId, databaseId, 1);
    const relationIds = Array.from({ length: 2 * MAX_RELATIONS_PER_READ + 1 }, (_, index) => `r${index}`);
    const link = { workspace_id: workspaceId, page_id: pageId, database_id: databaseId, text_key: pageId };
    await store.write(workspaceId, ({ db }) =>
      insertPropertyRows(
        db,
        relationIds.map((id) => ({ ...link, property_id: id, ordinal: 0, number_key: null, end_key: null })),
      ),
    );
    const { scope, waits } = createSlowScope(store, workspaceId);
    const links = await findLinks(scope, [pageId], relationIds);
    expect([...(links.get(pageId)?.keys() ?? [])].sort()).toEqual([...relationIds].sort());
    expect(waits.count).toBe(3);
    expect(await readLinkedBytes(scope, [pageId], relationIds)).toHaveLength(relationIds.length);
    expect(waits.count).toBe(6);
  });

  test("the links of many pages are counted by several statements", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const pageIds = await addPages(store, workspaceId, databaseId, 2 * MAX_PAGES_PER_VALUE_COUNT + 1);
    const link = { workspace_id: workspaceId, database_id: databaseId, property_id: "link", ordinal: 0 };
    await store.write(workspaceId, ({ db }) =>
      insertPropertyRows(
        db,
        pageIds.map((id) => ({ ...link, page_id: id, text_key: id, number_key: null, end_key: null })),
      ),
    );
    const { scope, waits } = createSlowScope(store, workspaceId);
    const bytesById = await readLinkBytes(scope, pageIds);
    expect([...bytesById.keys()].toSorted()).toEqual(pageIds.toSorted());
    expect(new Set(bytesById.values()).size).toBe(1);
    expect(waits.count).toBe(3);
  });
});
