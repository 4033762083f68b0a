import { expect, test, vi } from "vitest";
import { MAX_ROLLUP_NAMES_LENGTH } from "../../../src/budgets.js";
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

test("rollups with the same long names do not repeat them without a limit", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId } = await addDatabase(store);
  const databaseId = newId();
  const name = "n".repeat(MAX_ROLLUP_NAMES_LENGTH / 8);
  const common = { description: null, type: "rollup", relationId: "rel", propertyId: "number" } as const;
  const schema = createSchema([
    plainProperty("number", name, "number"),
    { id: "rel", name: "Parts", description: null, type: "relation", databaseId, syncedPropertyId: null },
    ...Array.from({ length: 20 }, (_, index) => ({
      ...common,
      id: `r${index}`,
      name: `Rollup ${index}`,
      function: "sum" as const,
    })),
  ]);
  const database = emptyDatabase({ id: databaseId, schema });
  await store.write(workspaceId, (scope) => insertDatabase(scope, database));
  const { properties } = await presentDatabase(readScope(store, workspaceId), database);
  const lengths = Object.values(properties).flatMap((property) =>
    property.type === "rollup" ? property.rollup.rollup_property_name.length : [],
  );
  expect(lengths.slice(0, 8)).toEqual([...Array(7).fill(name.length), 0]);
  expect(lengths.every((length, index) => index < 8 || length === 0)).toBe(true);
  expect(properties["Rollup 0"]).toMatchObject({ rollup: { relation_property_name: "Parts" } });
});
