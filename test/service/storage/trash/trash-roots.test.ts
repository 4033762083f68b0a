import { describe, expect, test } from "vitest";
import { newId } from "../../../../src/domain/ids.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertJob } from "../../../../src/storage/jobs.js";
import {
  chooseTrashTime,
  findTrashedObjects,
  isBeingDeleted,
} from "../../../../src/storage/trash/trash-roots.js";
import { explain } from "../../../support/explain.js";
import { emptyPage } from "../../../support/objects.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

describe.each(reusableStores)("in %s", (_, newLocation) => {
  test("objects that were moved to the trash at the same time are each listed once", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const ids = Array.from({ length: 4 }, () => newId());
    await store.write(workspaceId, async (scope) => {
      for (const id of ids) {
        const trashed = { id, inTrash: true, trashRoot: id, lastEditedTime: 1 };
        await insertPage(scope, emptyPage(databaseId, trashed));
      }
    });
    const first = await findTrashedObjects({ db: store.read, workspaceId }, undefined, 2);
    const last = first.at(-1);
    const rest = await findTrashedObjects(
      { db: store.read, workspaceId },
      last && { id: last.id, time: last.lastEditedTime },
      3,
    );
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.toReversed());
  });

  test("a job that empties the trash deletes the objects that were moved there until it began", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const pages = [99, 100, 101].map((time) => {
      const id = newId();
      return emptyPage(databaseId, { id, inTrash: true, trashRoot: id, lastEditedTime: time });
    });
    await store.write(workspaceId, async (scope) => {
      for (const page of pages) await insertPage(scope, page);
      await insertJob(scope, { kind: "empty_trash", objectId: workspaceId, createdTime: 100 });
    });
    const scope = { db: store.read, workspaceId };
    const listed = await findTrashedObjects(scope, undefined, 10);
    expect(listed.map(({ id }) => id)).toEqual([pages[2]?.id]);
    expect(await Promise.all(pages.map((page) => isBeingDeleted(scope, page)))).toEqual([true, true, false]);
    // Objects that are moved to the trash from now on survive the job.
    expect(await chooseTrashTime(scope, 100)).toBe(101);
    expect(await chooseTrashTime(scope, 102)).toBe(102);
  });
});

test("trash roots are read from indexes, because a workspace can have very many other objects", async () => {
  const { read } = await openTestStore();
  const plan = await explain(read, (db) => findTrashedObjects({ db, workspaceId: "w" }, undefined, 10));
  for (const table of ["pages", "databases"]) {
    expect(plan).toContain(`${table} USING INDEX ${table}_trash_roots (workspace_id=?)`);
  }
  expect(plan).not.toContain("USE TEMP B-TREE");
});
