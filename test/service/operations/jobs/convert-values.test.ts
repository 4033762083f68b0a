import { describe, expect, test } from "vitest";
import { runWrite } from "../../../../src/operations/jobs/run-write.js";
import { Scopes } from "../../../../src/operations/scope.js";
import { updateDatabase } from "../../../../src/operations/update-database.js";
import { findWorkspaceJobs } from "../../../../src/storage/jobs.js";
import { createPrincipal, URLS } from "../../../support/scope.js";
import { addDatabase } from "../../storage/fixtures.js";
import { openTestStore } from "../../storage/open.js";
import { fillPages } from "../long-writes/filled-service.js";

/** The second number is more than one transaction converts. */
describe.each([1, 60])("a database with %i pages", (pages) => {
  async function changeProperties(
    getProperties: (databaseId: string) => Parameters<typeof updateDatabase>[2]["properties"],
  ) {
    const store = await openTestStore();
    const { workspaceId } = await addDatabase(store);
    const { databaseId } = await fillPages(store, workspaceId, pages);
    await runWrite(store, new Scopes(store, URLS), createPrincipal(workspaceId), (scope) =>
      updateDatabase(scope, databaseId, { properties: getProperties(databaseId) }),
    );
    return findWorkspaceJobs({ db: store.read, workspaceId });
  }

  test("gets new properties without leaving a job", async () => {
    const properties = { Tags: { multi_select: {} }, Number: { unique_id: {} } };
    expect(await changeProperties(() => properties)).toEqual([]);
  });

  test("gets properties without stored values at once, and leaves the removal of old values to a job", async () => {
    const jobs = await changeProperties((databaseId) => ({
      Code: { relation: { database_id: databaseId, single_property: {} } },
      Points: { created_time: {} },
    }));
    expect(jobs).toMatchObject([
      // Only a removal that follows a conversion knows the number of pages.
      { kind: "remove_values", propertyIds: ["code", "pnts"], totalCount: null },
    ]);
  });
});
