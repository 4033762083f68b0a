import { expect, test } from "vitest";
import { createSchema } from "../../../src/domain/schema.js";
import { queryDatabase } from "../../../src/operations/query-database.js";
import { insertDatabase } from "../../../src/storage/databases.js";
import { insertPage } from "../../../src/storage/pages.js";
import { emptyDatabase, emptyPage, plainProperty } from "../../support/objects.js";
import { readScope } from "../../support/scope.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

test("large pages are converted in several turns of the event loop", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    plainProperty("link", "Link", "url"),
  ]);
  const database = emptyDatabase({ schema });
  const pages = Array.from({ length: 8 }, () =>
    emptyPage(database.id, { properties: { link: "x".repeat(200_000) } }),
  );
  await store.write(workspaceId, async (scope) => {
    await insertDatabase(scope, database);
    for (const page of pages) await insertPage(scope, page);
  });
  let turns = 0;
  let counting = setImmediate(function count() {
    turns += 1;
    counting = setImmediate(count);
  });
  const { results } = await queryDatabase(
    readScope(store, workspaceId),
    database.id,
    {},
    { size: 100, cursor: undefined },
  );
  clearImmediate(counting);
  expect(results.map(({ id }) => id)).toEqual(pages.map(({ id }) => id).toSorted());
  expect(turns).toBeGreaterThanOrEqual(pages.length - 1);
});
