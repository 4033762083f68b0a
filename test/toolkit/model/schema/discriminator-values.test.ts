import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { selectDiscriminatorValues } from "../../../../scripts/model/schema/discriminator-values.js";
import { listBranchValues } from "../../../../scripts/model/schema/discriminators.js";
import type { Schema } from "../../../../scripts/model/schema/schema.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import { buildSchemas, format, to } from "./schemas.js";

describe("discriminators", () => {
  const branch = (value: string): JsonObject => ({
    type: "object",
    required: ["kind", "id"],
    properties: { kind: { const: value, readOnly: true }, id: { type: "string", readOnly: true } },
  });
  const mappingOf = (schema: Schema): JsonValue =>
    Object.fromEntries(
      [...(schema.discriminator?.mapping ?? [])].map(([value, target]) => [value, target.name]),
    );

  test("name the branches by mapping, by reference and by schema name, in each form", () => {
    const thing = buildSchemas({
      Thing: {
        oneOf: [to("Cat"), to("Dog"), to("Fish")],
        discriminator: { propertyName: "kind", mapping: { cat: "Cat", d: "#/components/schemas/Dog" } },
      },
      Cat: branch("cat"),
      Dog: branch("d"),
      Fish: { type: "object" },
    })("Thing");
    expect(mappingOf(thing)).toEqual({ cat: "Cat", d: "Dog", Fish: "Fish" });
    expect(mappingOf(thing.request)).toEqual({ cat: "CatRequest", d: "DogRequest", Fish: "Fish" });
    const { discriminator, unions } = thing.request;
    const listValues = (part: Schema) => discriminator && listBranchValues(discriminator, part);
    expect(unions.flat().map(({ reference }) => reference && listValues(reference))).toEqual([
      ["cat"],
      ["d"],
      ["Fish"],
    ]);
  });

  test("ignore a mapping to a URL, even if it is the $id of a branch", () => {
    const discriminator = { propertyName: "kind", mapping: { cat: "https://example.test/cat" } };
    const of = buildSchemas({
      Thing: { oneOf: [to("Cat")], discriminator },
      Cat: { $id: "https://example.test/cat", type: "object" },
    });
    expect(mappingOf(of("Thing"))).toEqual({ Cat: "Cat" });
  });

  test("select the mapped schema, even if the value is the name of another branch", () => {
    const discriminator = { propertyName: "kind", mapping: { Dog: "Cat" } };
    const of = buildSchemas({
      Thing: { oneOf: [to("Cat"), to("Dog")], discriminator },
      Cat: branch("Dog"),
      Dog: branch("none"),
    });
    expect(mappingOf(of("Thing"))).toEqual({ Dog: "Cat" });
  });

  test("keep the discriminating property as optional", () => {
    const of = buildSchemas({
      Thing: { oneOf: [to("Cat")], discriminator: { propertyName: "kind" } },
      Cat: branch("Cat"),
    });
    expect(format(of("Cat").request)).toEqual({
      type: "object",
      required: [],
      properties: { kind: { const: "Cat", readOnly: true } },
    });
  });

  test("of a parent name all direct and indirect subschemas", () => {
    const of = buildSchemas({
      Pet: { properties: { kind: { type: "string" } }, discriminator: { propertyName: "kind" } },
      Cat: { allOf: [to("Pet"), { properties: { id: { type: "string", readOnly: true } } }] },
      Lion: { allOf: [{}, to("Cat")] },
    });
    expect(mappingOf(of("Pet").request)).toEqual({ Cat: "CatRequest", Lion: "LionRequest" });
    expect(format(of("Cat").request)).toMatchObject({ allOf: [{ $ref: "PetRequest" }, {}] });
  });

  test.each(["allOf", "oneOf"])("select values through chains of thousands of %s", (keyword) => {
    const createChain = (name: string, last: JsonObject): JsonObject => ({
      ...Object.fromEntries(
        Array.from({ length: 9000 }, (_, index) => [
          `${name}${index}`,
          { [keyword]: [to(`${name}${index + 1}`)] },
        ]),
      ),
      [`${name}9000`]: last,
    });
    const of = buildSchemas({
      ...createChain("Pet", { properties: { kind: to("Kind0") } }),
      ...createChain("Kind", { type: "integer" }),
    });
    expect(selectDiscriminatorValues(of("Pet9000"), "kind", ["1"])).toEqual([1]);
    // The branches of a union could select other values.
    expect(selectDiscriminatorValues(of("Pet0"), "kind", ["1"])).toEqual(
      keyword === "allOf" ? [1] : undefined,
    );
  });
});

test("the values of a union that its 500 branches extend are selected in linear time", async () => {
  const names = Array.from({ length: 500 }, (_, index) => `Child${index}`);
  const children = names.map((name) => [name, { allOf: [to("Base"), { properties: { [name]: {} } }] }]);
  // It takes 0.1 s instead of 2 s.
  await expectCpuTimeBelow(700, () => {
    const of = buildSchemas({
      Base: { properties: { kind: { type: "string" } }, oneOf: names.map(to) },
      ...Object.fromEntries(children),
    });
    for (const name of names) expect(selectDiscriminatorValues(of(name), "kind", [name])).toEqual([name]);
  });
});

test.each([[{ anyOf: [to("Cat")], oneOf: [to("Dog")] }], [{ anyOf: [to("Dog")], oneOf: [to("Cat")] }]])(
  "a branch that extends its union is restricted by the branches of both unions of %j",
  (Base) => {
    const of = buildSchemas({
      Base,
      Cat: { allOf: [to("Base")] },
      Dog: { allOf: [to("Base"), { properties: { kind: { const: "dog" } } }] },
    });
    expect(selectDiscriminatorValues(of("Cat"), "kind", ["cat"])).toBeUndefined();
  },
);

test("a branch that extends its union is restricted by the other branches, and not by itself", () => {
  const of = buildSchemas({
    Base: { oneOf: [to("Cat"), to("Dog")] },
    Cat: { allOf: [to("Base")] },
    Dog: { allOf: [to("Base"), { properties: { kind: { enum: ["dog", "other"] } } }] },
  });
  expect(selectDiscriminatorValues(of("Cat"), "kind", ["cat"])).toBeUndefined();
  expect(selectDiscriminatorValues(of("Dog"), "kind", ["dog"])).toEqual(["dog"]);
});
