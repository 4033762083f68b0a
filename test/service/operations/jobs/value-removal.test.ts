import { expect, test } from "vitest";
import { runJob } from "../../../../src/operations/jobs/run-job.js";
import { insertJob } from "../../../../src/storage/jobs.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { fillPages } from "../long-writes/filled-service.js";

test("values of removed properties are removed from the pages of their database, and from the index of values", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const [changed, other] = [await fillPages(store, workspaceId, 3), await fillPages(store, workspaceId, 1)];
  const job = await store.write(workspaceId, (scope) =>
    insertJob(scope, { kind: "remove_values", objectId: changed.databaseId, propertyIds: ["code", "gone"] }),
  );
  await runJob(store, job);
  for (const [{ databaseId, pageIds }, names] of [
    [changed, ["pnts", "title"]],
    [other, ["code", "pnts", "title"]],
  ] as const) {
    const pages = await store.read
      .selectFrom("pages")
      .select("properties")
      .where("parent_id", "=", databaseId)
      .execute();
    expect(pages.map(({ properties }) => Object.keys(JSON.parse(properties)).sort())).toEqual(
      pageIds.map(() => names),
    );
    const indexed = await store.read
      .selectFrom("property_values")
      .select("property_id")
      .distinct()
      .where("database_id", "=", databaseId)
      .orderBy("property_id")
      .execute();
    expect(indexed.map((row) => row.property_id)).toEqual(names);
  }
});
