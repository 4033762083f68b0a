import { describe, expect, test } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { findDatabases, findSchemas, readDatabaseBytes } from "../../../src/storage/databases.js";
import { readLinkedBytes, readPageSizes } from "../../../src/storage/page-sizes.js";
import { findPages } from "../../../src/storage/pages.js";
import { loadLinks } from "../../../src/storage/relations.js";
import { findUsers } from "../../../src/storage/users.js";
import { stores } from "../../support/stores.js";
import { openTestStore } from "./open.js";

/** More ids than either database accepts as parameters of one statement. */
const MANY_IDS = Array.from({ length: 70_000 }, () => newId());

describe.each(stores)("in %s", (_, newLocation) => {
  test("any number of unknown ids can be looked up", async () => {
    const { read } = await openTestStore(await newLocation());
    const workspaceId = newId();
    expect(await findUsers(read, workspaceId, MANY_IDS)).toEqual([]);
    expect(await findPages(read, workspaceId, MANY_IDS)).toEqual([]);
    expect(await findDatabases(read, workspaceId, MANY_IDS)).toEqual([]);
    expect(await findSchemas(read, workspaceId, MANY_IDS)).toEqual(new Map());
    expect(await readDatabaseBytes(read, workspaceId, MANY_IDS)).toEqual(new Map());
    expect(await readPageSizes(read, workspaceId, MANY_IDS)).toEqual([]);
    expect(await readLinkedBytes(read, workspaceId, MANY_IDS, ["link"])).toEqual([]);
    expect(await loadLinks(read, workspaceId, MANY_IDS, ["link"])).toEqual(new Map());
  });
});
