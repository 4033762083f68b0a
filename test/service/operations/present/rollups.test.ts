import { expect, test } from "vitest";
import type { DefinitionOf, RollupFunction } from "../../../../src/domain/schema.js";
import { presentUserId } from "../../../../src/operations/present/object.js";
import { presentRollup } from "../../../../src/operations/present/rollups.js";
import { emptyPage } from "../../../support/objects.js";

const RELATION: DefinitionOf<"relation"> = {
  id: "relation",
  name: "Relation",
  description: null,
  type: "relation",
  databaseId: "database",
  syncedPropertyId: null,
};
const TARGET: DefinitionOf<"checkbox"> = { id: "done", name: "Done", description: null, type: "checkbox" };

function createRollup(id: string, name: RollupFunction): DefinitionOf<"rollup"> {
  const { id: relationId } = RELATION;
  return {
    id,
    name: id,
    description: null,
    type: "rollup",
    relationId,
    propertyId: TARGET.id,
    function: name,
  };
}

test("rollups of a page with the same relation, property and function are computed once", () => {
  const rollups = [
    createRollup("a", "checked"),
    createRollup("b", "checked"),
    createRollup("c", "unchecked"),
  ];
  const sources = {
    byRollupId: new Map(
      rollups.map((rollup) => [rollup.id, { rollup, relation: RELATION, target: TARGET }] as const),
    ),
    incompleteIds: new Set<string>(),
  };
  const linked = emptyPage("database", { properties: { done: true } });
  const links = { pageIds: [linked.id], hasMore: false };
  const data = {
    completePageIds: new Set(["one", "other"]),
    links: new Map([["one", new Map([[RELATION.id, links]])]]),
    linkedPages: new Map([[linked.id, linked]]),
    linksOfLinkedPages: new Map(),
    valuesByProperty: new Map(),
    results: new Map(),
  };
  const present = (pageId: string) =>
    rollups.map((rollup) => presentRollup(rollup, sources, pageId, data, presentUserId));
  const [first, second, third] = present("one");
  expect(first).toEqual({ type: "number", number: 1, function: "checked" });
  expect(second).toBe(first);
  expect(third).toEqual({ type: "number", number: 0, function: "unchecked" });
  expect(present("other")[0]).toEqual({ type: "number", number: 0, function: "checked" });
});
