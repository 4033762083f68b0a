import { describe, expect, test } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { insertPage } from "../../../src/storage/pages.js";
import { findTrashedObjects } from "../../../src/storage/trash-roots.js";
import { emptyPage } from "../../support/objects.js";
import { stores } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";

describe.each(stores)("in %s", (_, newLocation) => {
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
    const rest = await findTrashedObjects({ db: store.read, workspaceId }, first.at(-1), 3);
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids.toReversed());
  });
});
