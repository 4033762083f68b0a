import { expect, test, vi } from "vitest";
import { newId } from "../../../src/domain/ids.js";
import { createSchema, type PropertyDefinition } from "../../../src/domain/schema.js";
import { presentDatabase } from "../../../src/operations/present/database.js";
import { insertDatabase } from "../../../src/storage/databases/databases.js";
import { emptyDatabase, plainProperty } from "../../support/objects.js";
import { readScope } from "../../support/scope.js";
import { addDatabase } from "../storage/fixtures.js";
import { openTestStore } from "../storage/open.js";

test("every property id is percent-encoded, including those in relations and rollups", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const databaseId = newId();
  const relation = (id: string, name: string, syncedPropertyId: string): PropertyDefinition => {
    return { id, name, description: null, type: "relation", databaseId, syncedPropertyId };
  };
  const schema = createSchema([
    plainProperty("title", "Title", "title"),
    plainProperty("n/#", "Number", "number"),
    relation("a:b", "Parent", "c?d"),
    relation("c?d", "Parts", "a:b"),
    {
      id: "r r",
      name: "Sum",
      description: null,
      type: "rollup",
      relationId: "c?d",
      propertyId: "n/#",
      function: "sum",
    },
  ]);
  const database = emptyDatabase({ id: databaseId, schema });
  await store.write(workspaceId, (scope) => insertDatabase(scope, database));

  const { properties } = await presentDatabase(readScope(store, workspaceId), database);
  expect(properties).toMatchObject({
    Number: { id: "n%2F%23" },
    Parent: { id: "a%3Ab", relation: { dual_property: { synced_property_id: "c%3Fd" } } },
    Parts: { id: "c%3Fd", relation: { dual_property: { synced_property_id: "a%3Ab" } } },
    Sum: { id: "r%20r", rollup: { relation_property_id: "c%3Fd", rollup_property_id: "n%2F%23" } },
  });
});

test("one-way relations without rollups read no related schemas", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const relation = (id: string, syncedPropertyId: string | null): PropertyDefinition => {
    return { id, name: id, description: null, type: "relation", databaseId, syncedPropertyId };
  };
  const scope = readScope(store, workspaceId);
  const select = vi.spyOn(scope.db, "selectFrom");
  const present = (definition: PropertyDefinition) =>
    presentDatabase(scope, emptyDatabase({ schema: createSchema([definition]) }));
  const { properties } = await present(relation("one-way", null));
  expect(properties).toMatchObject({
    "one-way": { relation: { database_id: databaseId, type: "single_property" } },
  });
  expect(select).not.toHaveBeenCalled();
  await present(relation("two-way", "title"));
  expect(select).toHaveBeenCalled();
});
