import { expect, test } from "vitest";
import { planSchema } from "../../../../src/domain/properties/schema-plan.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { expectCpuRatioBelow } from "../../../support/cpu-time.js";
import { plainProperty } from "../../../support/objects.js";

/** Creates a function that changes all `count` rollups of a relation to their own database. */
function prepareRollupChange(count: number): () => void {
  const id = "00000000-0000-4000-8000-000000000001";
  const names = Array.from({ length: count }, (_, index) => `Rollup ${index}`);
  const common = { description: null };
  const schema = createSchema([
    { ...common, id: "title", name: "Name", type: "title" },
    { ...common, id: "self", name: "Self", type: "relation", databaseId: id, syncedPropertyId: null },
    ...names.map((name) => {
      const target = { relationId: "self", propertyId: "title", function: "count_values" } as const;
      return { ...common, id: name, name, type: "rollup" as const, ...target };
    }),
  ]);
  const rollup = {
    relation_property_name: "Self",
    rollup_property_name: "Name",
    function: "unique",
  } as const;
  const inputs = Object.fromEntries(names.map((name) => [name, { rollup }]));
  return () => {
    const plan = planSchema({ id, title: "" }, schema, inputs, new Map());
    expect(plan.schema.definitions.at(-1)).toMatchObject({ function: "unique" });
  };
}

test("the time to change rollups of a relation to their own database does not grow with the square of their number", async () => {
  const [changeMany, changeFew] = [prepareRollupChange(490), prepareRollupChange(49)];
  const repeat = (count: number, run: () => void) => () => {
    for (let index = 0; index < count; index += 1) run();
  };
  await expectCpuRatioBelow(4, repeat(5, changeMany), repeat(50, changeFew));
});

test("the synced property of a relation of a database without a title is named after an untitled one", () => {
  const [id, databaseId] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];
  const schema = createSchema([plainProperty("title", "Name", "title")]);
  const inputs = { Link: { relation: { database_id: databaseId, dual_property: {} } } };
  const plan = planSchema({ id, title: " " }, schema, inputs, new Map([[databaseId, schema]]));
  expect(plan.syncedPropertyChanges).toMatchObject([{ property: { name: "Related to Untitled (Link)" } }]);
  // The schema of the database itself has the synced property already.
  const toItself = planSchema({ id: databaseId, title: "" }, schema, inputs, new Map([[databaseId, schema]]));
  expect(toItself.schema.definitions).toHaveLength(3);
  expect(toItself.syncedPropertyChanges).toEqual([]);
});
