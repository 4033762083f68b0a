import { expect, test } from "vitest";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyRows } from "../../../../src/storage/pages/property-values.js";
import { readTable } from "../../../../src/storage/transfer/export.js";
import { explain } from "../../../support/explain.js";
import { emptyPage } from "../../../support/objects.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";
import { createSqliteLocation } from "./command.js";

test("the export of a workspace finds each batch by the last row, without reading all earlier ones", async () => {
  const store = await openTestStore(createSqliteLocation());
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = emptyPage(databaseId);
  const rows = Array.from({ length: 120 }, (_, ordinal) => ({
    workspace_id: workspaceId,
    page_id: page.id,
    database_id: databaseId,
    property_id: "link",
    ordinal,
    text_key: null,
    number_key: ordinal,
    end_key: null,
  }));
  await store.write(workspaceId, async (scope) => {
    await insertPage(scope, page);
    await insertPropertyRows(scope.db, rows);
  });
  const ordinals: unknown[] = [];
  const plan = await explain(
    store.read,
    async (db) => {
      for await (const batch of readTable(db, "property_values", workspaceId))
        ordinals.push(...batch.map((row) => row["ordinal"]));
    },
    1,
  );
  expect(ordinals).toEqual(rows.map(({ ordinal }) => ordinal));
  expect(plan).toMatch(/workspace_id=\? AND .*page_id.*>/);
});
