import { describe, expect, test } from "vitest";
import { MAX_PAGES_PER_VALUE_COUNT, MAX_RELATIONS_PER_READ } from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { findDatabases, findSchemas, readDatabaseBytes } from "../../../src/storage/databases.js";
import { readLinkBytes, readLinkedBytes, readPageBytes } from "../../../src/storage/page-bytes.js";
import { findPages } from "../../../src/storage/pages.js";
import { deletePropertyValues, insertPropertyRows } from "../../../src/storage/property-values.js";
import { findLinks } from "../../../src/storage/relations.js";
import { findTitledObjects } from "../../../src/storage/titles.js";
import { findUsers } from "../../../src/storage/users.js";
import { stores } from "../../support/stores.js";
import { addDatabase, addPages } from "./fixtures.js";
import { openTestStore } from "./open.js";

/** More ids than either database accepts as parameters of one statement. */
const MANY_IDS = Array.from({ length: 70_000 }, () => newId());

describe.each(stores)("in %s", (_, newLocation) => {
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
    expect(await readLinkedBytes({ db: read, workspaceId }, MANY_IDS, ["link"], async () => {})).toEqual([]);
    expect(await findLinks({ db: read, workspaceId }, MANY_IDS, ["link"], async () => {})).toEqual(new Map());
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
    let statements = 0;
    const endLongTurn = async (): Promise<void> => void (statements += 1);
    const scope = { db: store.read, workspaceId };
    const links = await findLinks(scope, [pageId], relationIds, endLongTurn);
    expect([...(links.get(pageId)?.keys() ?? [])].sort()).toEqual([...relationIds].sort());
    expect(statements).toBe(3);
    expect(await readLinkedBytes(scope, [pageId], relationIds, endLongTurn)).toHaveLength(relationIds.length);
    expect(statements).toBe(6);
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
    let statements = 0;
    const endLongTurn = async (): Promise<void> => void (statements += 1);
    const bytesById = await readLinkBytes({ db: store.read, workspaceId }, pageIds, endLongTurn);
    expect([...bytesById.keys()].toSorted()).toEqual(pageIds.toSorted());
    expect(new Set(bytesById.values()).size).toBe(1);
    expect(statements).toBe(3);
  });
});
