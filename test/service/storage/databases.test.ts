import { describe, expect, test } from "vitest";
import { findDatabase, updateSchema } from "../../../src/storage/databases.js";
import { stores } from "../../support/stores.js";
import { addDatabase, schema } from "./fixtures.js";
import { openTestStore } from "./open.js";

describe.each(stores)("in %s", (_, newLocation) => {
  test("a change of the schema does not decrease the time of the last edit", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const readTime = async () =>
      (await findDatabase({ db: store.read, workspaceId }, databaseId))?.lastEditedTime;
    const before = (await readTime()) ?? 0;
    for (const time of [before + 2, before + 1]) {
      const edit = { author: databaseId, time };
      await store.write(workspaceId, (scope) => updateSchema(scope, databaseId, schema, edit));
    }
    expect(await readTime()).toBe(before + 2);
  });
});
