import { expect, test } from "vitest";
import { updatePage } from "../../../src/operations/update-page.js";
import { setConversionJob } from "../../../src/storage/databases/conversions.js";
import { insertJob } from "../../../src/storage/jobs.js";
import { runUseCase } from "../../support/scope.js";
import { addDatabase, addPages } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

test("an edit drops the values of removed properties, unless a conversion needs them", async () => {
  const store = await openTestStore();
  const { workspaceId, databaseId } = await addDatabase(store);
  const [pageId = ""] = await addPages(store, workspaceId, databaseId, 1);
  const editPage = async (): Promise<string[]> => {
    await store.write(workspaceId, ({ db }) =>
      db.updateTable("pages").set({ properties: '{"removed":1}' }).where("id", "=", pageId).execute(),
    );
    await runUseCase(store, workspaceId, (scope) =>
      updatePage(scope, pageId, { properties: { Points: { number: 1 } } }),
    );
    const { properties } = await store.read
      .selectFrom("pages")
      .select("properties")
      .where("id", "=", pageId)
      .executeTakeFirstOrThrow();
    return Object.keys(JSON.parse(properties));
  };
  expect(await editPage()).toEqual(["pnts"]);
  await store.write(workspaceId, async (scope) => {
    const job = await insertJob(scope, { kind: "convert_values", objectId: databaseId });
    await setConversionJob(scope, databaseId, job.id);
  });
  expect(await editPage()).toEqual(["removed", "pnts"]);
});
