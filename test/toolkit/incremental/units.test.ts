import { expect, test, vi } from "vitest";
import { DiagnosticError } from "../../../scripts/diagnostic.js";
import {
  type GeneratedOutput,
  type PreviousGeneration,
  updateFiles,
} from "../../../scripts/incremental/update-files.js";
import type { JsonObject } from "../../../scripts/json.js";
import {
  findChangedUnits,
  findReferences,
  listUnits,
  selectAffectedUnits,
  sharesRoute,
} from "../../../scripts/incremental/units.js";

test("the members of paths, webhooks and components are units, except security schemes", () => {
  const findChanged = (members: JsonObject): string[] | undefined => {
    const schemes = { securitySchemes: { a: { type: "http" } } };
    const [before, after] = [{}, members].map((each) => {
      const document = { paths: { "/a": {} }, webhooks: { b: {} }, components: schemes, ...each };
      return { document, units: listUnits(document) };
    });
    return before && after && findChangedUnits(before, after);
  };
  expect(findChanged({ paths: { "/a": { get: {} } } })).toEqual(["/paths/~1a"]);
  expect(findChanged({ webhooks: { b: { get: {} } } })).toEqual(["/webhooks/b"]);
  expect(findChanged({ components: { securitySchemes: { a: { type: "mutualTLS" } } } })).toBeUndefined();
});

test.each<[string, JsonObject]>([
  ["a reference into it, percent-encoded", { $ref: "#/components/schemas/B%62/properties/a" }],
  ["its name in a mapping", { discriminator: { mapping: { b: "Bb" } } }],
])("a unit depends on another one through %s", (_, schema) => {
  const units = listUnits({ components: { schemas: { A: schema, Bb: {} } } });
  const references = findReferences(units) ?? new Map();
  expect([...selectAffectedUnits(["/components/schemas/A"], references, references)]).toContain(
    "/components/schemas/Bb",
  );
});

test("the path with the fewest dependencies is selected if no other path is, but no extension", () => {
  const A = { $ref: "#/components/schemas/A" };
  const units = listUnits({
    paths: { "/a": A, "x-b": {}, "/c": {} },
    components: { schemas: { A: {}, B: {} } },
  });
  const references = findReferences(units) ?? new Map();
  expect([...selectAffectedUnits(["/components/schemas/B"], references, references)]).toEqual([
    "/components/schemas/B",
    "/paths/~1c",
  ]);
});

test("an edit affects the unit to which it removes the last reference", () => {
  const find = (A: JsonObject) => findReferences(listUnits({ components: { schemas: { A, B: {} } } }));
  const [before, after] = [find({ $ref: "#/components/schemas/B" }), find({})];
  const selected = selectAffectedUnits(["/components/schemas/A"], before ?? new Map(), after ?? new Map());
  expect(selected).toContain("/components/schemas/B");
});

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

const others = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`Other${index}`, {}]));
const createDocument = (A: JsonObject, B: JsonObject) => ({ components: { schemas: { ...others, A, B } } });
const generated = { groups: [], files: [], warnings: [] };
const context = { runtime: { http: "", fetch: "" } };

test("everything is generated if the context, the handlers or the warnings change, or after an error", async () => {
  const previous = { ...generated, document: createDocument({}, {}), context };
  const document = createDocument({ title: "A" }, {});
  const update = (changes: Partial<GeneratedOutput>, newContext = context) => {
    const generate = async (part: JsonObject) => ({
      ...generated,
      ...(JSON.stringify(part).includes("title") && changes),
    });
    return updateFiles(previous, document, newContext, generate);
  };
  expect(await update({})).toBeDefined();
  expect(await update({}, { runtime: { http: "other", fetch: "" } })).toBeUndefined();
  expect(await update({ groups: [{ name: "a", interfaceName: "A", operations: [] }] })).toBeUndefined();
  expect(await update({ warnings: [{ severity: "warning", pointer: "", message: "a" }] })).toBeUndefined();
  const fail = (error: Error) => updateFiles(previous, document, context, () => Promise.reject(error));
  expect(await fail(new DiagnosticError("a"))).toBeUndefined();
  await expect(fail(new Error("a"))).rejects.toThrow("a");
});

test("an edit affects what refers to the unit since an earlier edit", async () => {
  const generate = vi.fn(async () => generated);
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
