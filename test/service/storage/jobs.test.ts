import { expect, test } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { requestValueRemoval } from "../../../src/storage/jobs.js";
import { stores } from "../../support/stores.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";

test.each(stores)(
  "a job that removes values in %s has the properties of one database",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const otherId = newId();
    await store.write(workspaceId, async (scope) => {
      await requestValueRemoval(scope, databaseId, ["one"]);
      await requestValueRemoval(scope, otherId, ["two"]);
      await requestValueRemoval(scope, databaseId, ["three"]);
    });
    const jobs = await store.read
      .selectFrom("jobs")
      .select(["object_id", "property_ids"])
      .orderBy("id")
      .execute();
    expect(jobs).toEqual([
      { object_id: databaseId, property_ids: '["one","three"]' },
      { object_id: otherId, property_ids: '["two"]' },
    ]);
  },
);
