import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { SchemaGraph } from "../../../../scripts/model/schema/graph.js";
import type { Schema } from "../../../../scripts/model/schema/schema.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import { buildSchemas, format, to } from "./schemas.js";

const THING: JsonObject = {
  type: "object",
  required: ["id", "name", "secret"],
  properties: {
    id: { type: "string", readOnly: true },
    name: { type: "string" },
    secret: { type: "string", writeOnly: true },
  },
};

describe("request and response forms", () => {
  test("are the same object without readOnly and writeOnly", () => {
    const of = buildSchemas({
      Thing: { properties: { a: to("Thing"), b: to("Other") } },
      Other: { readOnly: true },
    });
    expect(of("Other").request).toBe(of("Other"));
    const thing = buildSchemas({ Thing: { properties: { a: to("Thing") } } })("Thing");
    expect(thing.request).toBe(thing);
    expect(thing.response).toBe(thing);
    expect(thing.name).toBe("Thing");
  });

  test("omit the properties of the other direction, and do not require them", () => {
    const thing = buildSchemas({ Thing: THING })("Thing");
    expect(format(thing.response)).toEqual({
      type: "object",
      required: ["id", "name"],
      properties: { id: { type: "string", readOnly: true }, name: { type: "string" } },
    });
    expect(format(thing.request)).toEqual({
      type: "object",
      required: ["name", "secret"],
      properties: { name: { type: "string" }, secret: { type: "string", writeOnly: true } },
    });
    expect([thing.response.name, thing.request.name]).toEqual(["Thing", "ThingRequest"]);
    expect(thing.request.request).toBe(thing.request);
    expect(thing.request).toBe(thing.request);
  });

  test("of a schema that others extend keep the discriminator properties of each", () => {
    const title: JsonObject = { type: "string", readOnly: true };
    const extension = { properties: { title }, allOf: [to("Base")] };
    const of = buildSchemas({
      Base: { required: ["kind", "title"], properties: { kind: title } },
      Union: { ...extension, discriminator: { propertyName: "kind" } },
      Plain: extension,
    });
    const describeBase = (name: string) =>
      of(name)
        .request.subschemaList("allOf")
        .map(({ reference }) => [reference?.name, ...(reference?.properties.keys() ?? [])]);
    expect(describeBase("Union")).toEqual([["BaseRequestWithoutKindTitle", "kind"]]);
    expect(describeBase("Plain")).toEqual([["BaseRequestWithoutKindTitle2"]]);
  });

  test("of a schema that is no component have keys of their own", () => {
    const document = { openapi: "3.1.0", paths: { a: THING } };
    const graph = new SchemaGraph([{ uri: "openapi.json", document, dialect: "openapi-3.1" }]);
    const thing = graph.findByPointer("openapi.json", "/paths/a");
    const keys = [thing, thing?.request, thing?.response].map((each) => each?.key);
    expect(new Set(keys)).toHaveLength(3);
  });

  test("of schemas that refer to such a schema differ too, including cycles", () => {
    const of = buildSchemas({
      Tree: { properties: { thing: to("Thing"), trees: { type: "array", items: to("Tree") } } },
      Thing: { ...THING, properties: { ...Object(THING.properties), tree: to("Tree"), plain: to("Plain") } },
      Plain: { type: "string" },
    });
    expect(format(of("Tree").request)).toEqual({
      properties: {
        thing: { $ref: "ThingRequest" },
        trees: { type: "array", items: { $ref: "TreeRequest" } },
      },
    });
    const tree = of("Tree").request.properties.get("trees")?.subschema("items")?.reference;
    expect(tree).toBe(of("Tree").request);
    expect(of("Thing").request.properties.get("plain")).toBe(of("Thing").properties.get("plain"));
  });

  test("avoid used names", () => {
    expect(buildSchemas({ Thing: THING, ThingRequest: {} })("Thing").request.name).toBe("ThingRequest2");
  });

  test.each<[string, JsonObject, JsonValue]>([
    [
      "in a member of allOf",
      { allOf: [{ properties: THING.properties ?? {} }, { required: ["id", "name"] }] },
      {
        allOf: [
          { properties: { name: { type: "string" }, secret: { type: "string", writeOnly: true } } },
          { required: ["name"] },
        ],
      },
    ],
    [
      "beside allOf",
      { required: ["id", "name"], allOf: [to("Base")] },
      { required: ["name"], allOf: [{ $ref: "BaseRequest" }] },
    ],
    [
      "of dependencies",
      { properties: { id: { readOnly: true } }, dependentRequired: { name: ["id"] } },
      { properties: {}, dependentRequired: { name: [] } },
    ],
    [
      "in a dependent schema",
      { properties: { id: { readOnly: true } }, dependentSchemas: { name: { required: ["id"] } } },
      { properties: {}, dependentSchemas: { name: { required: [] } } },
    ],
    [
      "but not in `not`",
      { properties: { id: { readOnly: true } }, not: { required: ["id"] } },
      { properties: {}, not: { required: ["id"] } },
    ],
    [
      "but not in `if`",
      { properties: { id: { readOnly: true } }, if: { required: ["id"] } },
      { properties: {}, if: { required: ["id"] } },
    ],
  ])("require no omitted property: %s", (_, Thing, expected) => {
    expect(format(buildSchemas({ Thing, Base: THING })("Thing").request)).toEqual(expected);
  });

  test("give a referenced schema its own form if it requires a property that its parent omits", () => {
    const of = buildSchemas({
      Thing: { allOf: [to("Base"), { properties: { id: { type: "string", readOnly: true } } }] },
      Base: { type: "object", required: ["id", "name"] },
    });
    expect(format(of("Thing").request)).toEqual({
      allOf: [{ $ref: "BaseRequestWithoutId" }, { properties: {} }],
    });
    expect(format(of("Thing").request.subschemaList("allOf")[0]?.reference)).toEqual({
      type: "object",
      required: ["name"],
    });
    expect(of("Base").request).toBe(of("Base"));
  });

  test.each<[string, JsonObject]>([
    ["a reference", to("Id")],
    ["a keyword next to a $ref", { ...to("Plain"), readOnly: true }],
    ["a member of allOf", { allOf: [to("Id")] }],
  ])("omit a property that is readOnly through %s", (_, id) => {
    const of = buildSchemas({
      Thing: { properties: { id, name: {} } },
      Id: { type: "string", readOnly: true },
      Plain: { type: "string" },
    });
    expect(format(of("Thing").request)).toEqual({ properties: { name: {} } });
  });

  test("keep a discriminator property that is readOnly, but do not require it", () => {
    const kind = { type: "string", readOnly: true };
    const Pet = {
      required: ["kind", "id"],
      properties: { kind, id: { readOnly: true } },
      discriminator: { propertyName: "kind" },
    };
    const of = buildSchemas({ Pet, Cat: { allOf: [to("Pet"), { properties: { kind } }] } });
    expect(format(of("Pet").request)).toMatchObject({ required: [], properties: { kind } });
    expect([...of("Pet").request.properties.keys()]).toEqual(["kind"]);
    expect([...(of("Cat").request.subschemaList("allOf")[1]?.properties.keys() ?? [])]).toEqual(["kind"]);
  });

  test("keep a property that is readOnly and writeOnly", () => {
    const both = buildSchemas({ Thing: { properties: { a: { readOnly: true, writeOnly: true } } } })("Thing");
    expect(both.request).toBe(both);
  });

  test("keep names of Object.prototype", () => {
    const text = `{"required": ["__proto__", "constructor"], "properties": {
      "__proto__": {"type": "string", "readOnly": true}, "constructor": {"type": "string"}}}`;
    const thing = buildSchemas({ constructor: JSON.parse(text) })("constructor");
    expect(format(thing.request)).toEqual({
      required: ["constructor"],
      properties: { constructor: { type: "string" } },
    });
    expect(thing.request.name).toBe("constructorRequest");
  });

  test("next to a union, omit the properties that every branch omits", () => {
    const id = (part: object) => ({ required: ["id"], properties: { id: { type: "string", ...part } } });
    const of = buildSchemas({
      Thing: { oneOf: [to("Made"), to("Given")] },
      Made: id({ readOnly: true }),
      Given: id({}),
    });
    expect(format(of("Thing").request)).toEqual({ oneOf: [{ $ref: "MadeRequest" }, { $ref: "Given" }] });
    expect(of("Given").request).toBe(of("Given"));
    expect(of("Thing").request.subschemaList("oneOf")[0]?.reference?.required).toEqual([]);
  });
});

test("a union whose branch extends the union removes the same properties in both", () => {
  const of = buildSchemas({
    Node: { required: ["id"], properties: { id: {} }, oneOf: [to("Leaf"), to("Group")] },
    Leaf: { properties: { id: { readOnly: true } } },
    Group: { allOf: [to("Node")] },
  });
  expect(of("Node").request.required).toEqual([]);
  expect(of("Group").request.subschemaList("allOf")[0]?.reference).toBe(of("Node").request);
});

test("a chain of thousands of allOf loses a readOnly property in linear time", async () => {
  const links = Array.from({ length: 3000 }, (_, index) => [`S${index}`, { allOf: [to(`S${index + 1}`)] }]);
  await expectCpuTimeBelow(4000, () => {
    const of = buildSchemas({
      First: { properties: { id: { type: "string", readOnly: true } }, allOf: [to("S0")] },
      ...Object.fromEntries(links),
      S3000: { type: "object", required: ["id", "name"] },
    });
    let schema: Schema | undefined = of("First").request;
    let last = schema;
    while (schema) {
      last = schema;
      schema = schema.subschemaList("allOf")[0]?.reference;
    }
    expect(last.required).toEqual(["name"]);
  });
});

test("a chain loses many required readOnly properties in the time of one walk for each of them", async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `p${index}`);
  const properties = Object.fromEntries(names.map((name) => [name, { type: "string", readOnly: true }]));
  const links = names.map((_, index) => [`S${index}`, { allOf: [to(`S${index + 1}`)] }]);
  await expectCpuTimeBelow(5000, () => {
    const of = buildSchemas({
      First: { properties, allOf: [to("S0")] },
      ...Object.fromEntries(links),
      S1000: { type: "object", required: [...names, "name"] },
    });
    let schema: Schema | undefined = of("First").request;
    while (schema?.subschemaList("allOf")[0]) schema = schema.subschemaList("allOf")[0]?.reference;
    expect(schema?.required).toEqual(["name"]);
  });
});

test("schemas that are all branches of each other need the time of one walk for each branch", async () => {
  const names = Array.from({ length: 16 }, (_, index) => `S${index}`);
  const anyOf = names.map(to);
  const schemas = names.map((name, index) => [
    name,
    {
      properties: { [name]: { readOnly: true } },
      if: to(`S${(index + 1) % 16}`),
      anyOf,
      else: { anyOf },
    },
  ]);
  await expectCpuTimeBelow(1500, () => {
    const of = buildSchemas(Object.fromEntries(schemas));
    expect(of("S0").request.properties.size).toBe(0);
  });
});
