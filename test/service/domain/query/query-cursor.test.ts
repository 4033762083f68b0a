import { expect, test } from "vitest";
import type { DefinitionOf } from "../../../../src/domain/schema.js";
import { createQueryFingerprint } from "../../../../src/domain/query/query-cursor.js";
import type { Sort, SortKey } from "../../../../src/domain/query/sort.js";
import { plainProperty } from "../../../support/objects.js";

function rollup(id: string, name: DefinitionOf<"rollup">["function"]): SortKey {
  const definition = { id, name: id, description: null, relationId: "r", propertyId: "p" };
  const common = { description: null, name: "x" };
  return {
    kind: "rollup",
    source: {
      rollup: { ...definition, type: "rollup", function: name },
      relation: { ...common, id: "r", type: "relation", databaseId: "d", syncedPropertyId: null },
      target: { ...common, id: "p", type: "number", format: "number" },
    },
  };
}

test("results of different collections, sort keys, directions and orders have different names", () => {
  const keys: SortKey[] = [
    { kind: "time", column: "created_time" },
    { kind: "time", column: "last_edited_time" },
    { kind: "user", column: "created_by" },
    { kind: "number", property: plainProperty("a", "x", "number") },
    { kind: "text", property: plainProperty("a", "x", "number") },
    { kind: "number", property: plainProperty("b", "x", "number") },
    rollup("a", "sum"),
    rollup("b", "sum"),
    rollup("a", "min"),
  ];
  const sorts = keys.flatMap((key): Sort[][] => [[{ key, descending: false }], [{ key, descending: true }]]);
  const [[one], [other]] = [sorts[0] ?? [], sorts[2] ?? []];
  if (one === undefined || other === undefined) throw new Error("unreachable");
  const all = [[], [one, other], [other, one], ...sorts];
  const names = ["x", "y"].flatMap((scope) => all.map((each) => createQueryFingerprint(scope, each)));
  expect(new Set(names).size).toBe(names.length);
});
