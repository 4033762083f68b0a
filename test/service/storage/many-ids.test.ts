import { describe, expect, test } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { findDatabases, findSchemas, readDatabaseBytes } from "../../../src/storage/databases.js";
import { readLinkedBytes, readPageBytes } from "../../../src/storage/page-bytes.js";
import { findPages } from "../../../src/storage/pages.js";
import { deletePropertyValues } from "../../../src/storage/property-values.js";
import { findLinks } from "../../../src/storage/relations.js";
import { findTitledObjects } from "../../../src/storage/titles.js";
import { findUsers } from "../../../src/storage/users.js";
import { stores } from "../../support/stores.js";
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
    expect(await readLinkedBytes({ db: read, workspaceId }, MANY_IDS, ["link"])).toEqual([]);
    expect(await findLinks({ db: read, workspaceId }, MANY_IDS, ["link"])).toEqual(new Map());
    const ids = { pages: MANY_IDS, databases: MANY_IDS };
    expect(await findTitledObjects({ db: read, workspaceId }, ids)).toEqual(new Map());
  });
});
