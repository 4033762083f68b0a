import { expect, test, vi } from "vitest";
import { type PreviousGeneration, updateFiles } from "../../../scripts/incremental/update-files.js";
import type { JsonObject } from "../../../scripts/json.js";
import {
  findReferences,
  listUnits,
  selectAffectedUnits,
  sharesRoute,
} from "../../../scripts/incremental/units.js";

test("discriminator values that are no names of components do not link units", () => {
  const union = { oneOf: [], discriminator: { propertyName: "kind", mapping: { cat: "cat" } } };
  const units = listUnits({
    paths: { "/pets": { $ref: "#/components/schemas/Pet" } },
    components: { schemas: { Pet: union, Toy: union } },
  });
  const references = findReferences(units) ?? new Map();
  expect([...selectAffectedUnits(["/components/schemas/Pet"], references, references)].sort()).toEqual([
    "/components/schemas/Pet",
    "/paths/~1pets",
  ]);
});

test.each([
  [{ $id: "other.json" }],
  [{ $anchor: "a" }],
  [{ $dynamicAnchor: "a" }],
  [{ items: { $dynamicRef: "#a" } }],
  [{ items: [{ $ref: "#a" }] }],
])("the units that depend on %j are unknown", (schema) => {
  expect(findReferences(listUnits({ components: { schemas: { A: {}, B: schema } } }))).toBeUndefined();
});

test.each([
  ["discriminator", "a branch", { oneOf: [{ $ref: "#/components/schemas/B" }], discriminator: {} }],
  ["schema that extends another", "that one", { allOf: [{ $ref: "#/components/schemas/B" }] }],
])("a %s affects what refers to %s", (_, __, schema) => {
  const units = listUnits({
    paths: { "/a": {}, "/b": { $ref: "#/components/schemas/B" } },
    components: { schemas: { A: schema, B: {} } },
  });
  const references = findReferences(units) ?? new Map();
  expect(selectAffectedUnits(["/components/schemas/A"], references, references)).toContain("/paths/~1b");
});

test.each([
  ["/A/{c}/", true],
  ["/a/{b}{?d,e}", true],
  ["/a/b", false],
])("/a/{b} and %s match the same requests: %s", (path, expected) => {
  const units = listUnits({ paths: { "/a/{b}": {}, [path]: {} } });
  expect(sharesRoute(units, new Set(["/paths/~1a~1{b}"]))).toBe(expected);
});

test("an edit affects what refers to the unit since an earlier edit", async () => {
  const others = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`Other${index}`, {}]));
  const createDocument = (A: JsonObject, B: JsonObject) => ({ components: { schemas: { ...others, A, B } } });
  const generated = { groups: [], files: [], warnings: [] };
  const generate = vi.fn(async () => generated);
  const context = { runtime: { http: "", fetch: "" } };
  let last: PreviousGeneration | undefined = { ...generated, document: createDocument({}, {}), context };
  const reference = { $ref: "#/components/schemas/B" };
  for (const document of [
    createDocument({ title: "A" }, {}),
    createDocument(reference, {}),
    createDocument(reference, { title: "B" }),
  ])
    last = last && (await updateFiles(last, document, context, generate));
  expect(last?.lastUpdate?.selected).toContain("/components/schemas/A");
  // The last edit affects the same units as the one before, whose result it reuses.
  expect(generate).toHaveBeenCalledTimes(5);
});
