import { expect, test } from "vitest";
import {
  deletePagesToReconvert,
  findPageIdsToReconvert,
  recordPageToReconvert,
} from "../../../../src/storage/databases/conversions.js";
import { insertDatabase } from "../../../../src/storage/databases/databases.js";
import { emptyDatabase } from "../../../support/objects.js";
import { addDatabase, addPages } from "../fixtures.js";
import { openTestStore } from "../open.js";

test("pages to convert again are recorded for their database, each once and in order", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const other = emptyDatabase();
  await store.write(workspaceId, (scope) => insertDatabase(scope, other));
  const pageIds = await addPages(store, workspaceId, databaseId, 3);
  const otherIds = await addPages(store, workspaceId, other.id, 2);
  const find = (id: string, limit = 10) => findPageIdsToReconvert({ db: store.read, workspaceId }, id, limit);
  await store.write(workspaceId, async (scope) => {
    for (const id of [...pageIds.toReversed(), ...pageIds])
      await recordPageToReconvert(scope, databaseId, id);
    for (const id of otherIds) await recordPageToReconvert(scope, other.id, id);
  });
  expect(await find(databaseId)).toEqual(pageIds);
  expect(await find(databaseId, 2)).toEqual(pageIds.slice(0, 2));
  expect(await find(other.id)).toEqual(otherIds);
  await store.write(workspaceId, (scope) => deletePagesToReconvert(scope, databaseId, pageIds.slice(0, 1)));
  expect(await find(databaseId)).toEqual(pageIds.slice(1));
  await store.write(workspaceId, (scope) => deletePagesToReconvert(scope, databaseId));
  expect(await find(databaseId)).toEqual([]);
  expect(await find(other.id)).toEqual(otherIds);
});
