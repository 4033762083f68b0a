import { expect, test } from "vitest";
import type { StoredProperties } from "../../../../src/domain/properties/stored-values.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import {
  insertPropertyValues,
  replacePropertyValues,
} from "../../../../src/storage/pages/property-values.js";
import { emptyPage, plainProperty } from "../../../support/objects.js";
import { reusableStores } from "../../../support/stores.js";
import { addDatabase } from "../fixtures.js";
import { openTestStore } from "../open.js";

test.each(reusableStores)(
  "a date of which only the end changes replaces its row in %s",
  async (_, newLocation) => {
    const store = await openTestStore(await newLocation());
    const { workspaceId, databaseId } = await addDatabase(store);
    const definitions = [plainProperty("when", "When", "date")];
    const page = emptyPage(databaseId);
    const withEnd = (end: string) => {
      const properties: StoredProperties = { when: { start: "2030-01-01", end, time_zone: null } };
      return { id: page.id, databaseId, properties };
    };
    const previous = withEnd("2030-01-02");
    await store.write(workspaceId, async (scope) => {
      await insertPage(scope, page);
      await insertPropertyValues(scope, [previous], definitions);
    });
    const readRows = () =>
      store.read.selectFrom("property_values").select(["number_key", "end_key"]).execute();
    const [before] = await readRows();
    await store.write(workspaceId, (scope) =>
      replacePropertyValues(scope, withEnd("2030-01-03"), definitions, previous.properties),
    );
    expect(await readRows()).toEqual([{ ...before, end_key: Number(before?.end_key) + 86_400_000 }]);
  },
);
