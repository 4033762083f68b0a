import { expect, test } from "vitest";
import type { StoredProperties } from "../../../../src/domain/properties/stored-values.js";
import { MATCH_ALL } from "../../../../src/domain/query/condition.js";
import { insertPage } from "../../../../src/storage/pages.js";
import { insertPropertyValues } from "../../../../src/storage/property-values.js";
import { readPageList } from "../../../../src/storage/query/read-page-list.js";
import { emptyPage } from "../../../support/objects.js";
import { readScope } from "../../../support/scope.js";
import { addDatabase, schema } from "../fixtures.js";
import { openTestStore } from "../open.js";

test("index scans of one list together read no more pages than requested", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const values: StoredProperties[] = [{ pnts: 1 }, { pnts: 2 }, {}, {}];
  const pages = values.map((properties) => emptyPage(databaseId, { properties }));
  await store.write(workspaceId, async (scope) => {
    for (const page of pages) {
      await insertPage(scope, page);
      await insertPropertyValues(scope, [{ ...page, databaseId }], schema.definitions);
    }
  });
  const property = schema.byName.get("Points");
  if (property === undefined) throw new Error("The schema has no points.");
  const rows = await readPageList(readScope(store, workspaceId), {
    pageSet: { databaseId, inTrash: false },
    condition: MATCH_ALL,
    sorts: [{ key: { kind: "number", property }, descending: false }],
    after: undefined,
    count: 3,
  });
  expect(rows.map(({ id }) => id)).toEqual(pages.slice(0, 3).map(({ id }) => id));
});
