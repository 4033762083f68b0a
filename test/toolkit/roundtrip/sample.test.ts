import { describe, expect, test } from "vitest";
import { Checker, type Direction } from "./check.js";
import type { Json, JsonObject, Schema } from "./json.js";
import { generateTexts } from "./pattern.js";
import { Random } from "../../support/random.js";
import { Sampler, Unsampled } from "./sample.js";

function createSamples(schema: Schema, schemas: JsonObject = {}, direction: Direction = "request"): Json[] {
  return new Sampler({ components: { schemas } }, direction, "test").samples(schema);
}

const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

describe("samples satisfy their schema and cover its alternatives", () => {
  const NODE = {
    type: "object",
    required: ["value"],
    properties: { value: { type: "integer" }, next: to("Node") },
  };
  test.each<[string, Schema, JsonObject?]>([
    ["bounds", { type: "integer", minimum: 3, exclusiveMaximum: 7, multipleOf: 2 }],
    ["bounds of OpenAPI 3.0", { type: "number", minimum: 0, exclusiveMinimum: true }],
    ["lengths", { type: "string", minLength: 40, maxLength: 41 }],
    ["a pattern and lengths", { type: "string", pattern: "^[a-z][a-z0-9_-]*$", minLength: 3, maxLength: 12 }],
    ["a format", { type: "string", format: "uuid" }],
    ["different items", { type: "array", items: { type: "boolean" }, uniqueItems: true, minItems: 2 }],
    ["a tuple", { type: "array", prefixItems: [{ type: "string" }, { type: "integer" }], items: false }],
    ["an array with `contains`", { type: "array", items: { type: "integer" }, contains: { const: 5 } }],
    [
      "names that match a pattern",
      {
        type: "object",
        patternProperties: { "^x-": { type: "integer" } },
        additionalProperties: false,
        minProperties: 1,
      },
    ],
    ["other names", { type: "object", additionalProperties: { type: "integer" }, minProperties: 2 }],
    ["allOf", { allOf: [{ type: "object", required: ["a"] }, { properties: { a: { type: "integer" } } }] }],
    ["a recursive schema", to("Node"), { Node: NODE }],
    [
      "a union with only one finite branch",
      to("Tree"),
      { Tree: { oneOf: [{ type: "array", items: to("Tree"), minItems: 1 }, { type: "string" }] } },
    ],
    ["a union that contains itself", to("Loop"), { Loop: { anyOf: [to("Loop"), { type: "string" }] } }],
    [
      "an object with the unions that it is a branch of",
      to("Pet"),
      {
        Pet: { type: "object", properties: { name: { type: "string" } }, oneOf: [to("Cat"), to("Dog")] },
        Cat: { allOf: [to("Pet"), { required: ["meow"], properties: { meow: { type: "boolean" } } }] },
        Dog: { allOf: [to("Pet"), { required: ["bark"], properties: { bark: { type: "boolean" } } }] },
      },
    ],
    ["not", { type: "string", not: { enum: [""] } }],
    [
      "if and then",
      // Parsed from text, because linters treat an object with a member `then` as a promise.
      JSON.parse(`{ "type": "object", "required": ["a"], "properties": { "a": { "enum": [1] } },
        "if": { "properties": { "a": { "const": 1 } } },
        "then": { "required": ["b"], "properties": { "b": { "type": "string" } } } }`),
    ],
  ])("%s", (_, schema, schemas = {}) => {
    const samples = createSamples(schema, schemas);
    const checker = new Checker({ components: { schemas } }, "request");
    expect(samples.length).toBeGreaterThan(0);
    for (const sample of samples) expect(checker.matches(schema, sample), JSON.stringify(sample)).toBe(true);
  });

  test("cover null, both booleans and every value of an enum", () => {
    expect(createSamples({ type: ["boolean", "null"] })).toEqual(expect.arrayContaining([true, false, null]));
    expect(createSamples({ type: "boolean", nullable: true })).toContain(null);
    expect(createSamples({ enum: ["a", 2, null] })).toEqual(["a", 2, null]);
  });

  test("cover every branch of a union alone", () => {
    const kinds = Array.from({ length: 12 }, (_, index) => ({
      required: ["kind"],
      properties: { kind: { const: `k${index}` } },
    }));
    const samples = createSamples({ type: "object", oneOf: kinds });
    expect(new Set(samples.map((sample) => (sample as JsonObject).kind)).size).toBe(12);
    // Every object matches both branches, unless a member has a wrong type.
    const overlapping: JsonObject = {
      oneOf: [
        { type: "object", properties: { a: { type: "string" } } },
        { type: "object", properties: { b: { type: "string" } } },
      ],
    };
    expect(createSamples(overlapping).length).toBeGreaterThan(1);
  });

  test("have discriminator values of the mapping or of schema names", () => {
    const pet = { type: "object", required: ["kind"], properties: { kind: { type: "string" } } };
    const schema = {
      anyOf: [to("Cat"), to("Dog")],
      discriminator: { propertyName: "kind", mapping: { feline: "#/components/schemas/Cat" } },
    };
    const kinds = createSamples(schema, { Cat: pet, Dog: pet }).map((sample) => (sample as JsonObject).kind);
    expect(new Set(kinds)).toEqual(new Set(["feline", "Dog"]));
  });

  test("contain readOnly and writeOnly properties in one direction only", () => {
    const schema = {
      type: "object",
      required: ["id", "secret"],
      properties: { id: { type: "string", readOnly: true }, secret: { type: "string", writeOnly: true } },
    };
    for (const sample of createSamples(schema, {}, "request"))
      expect(Object.keys(Object(sample))).toEqual(["secret"]);
    for (const sample of createSamples(schema, {}, "response"))
      expect(Object.keys(Object(sample))).toEqual(["id"]);
  });

  test("are the same for the same seed", () => {
    const schema = { type: "object", properties: { a: { pattern: "^[a-f]{4}$" }, b: {} } };
    expect(createSamples(schema)).toEqual(createSamples(schema));
  });
});

test.each<[string, Schema, JsonObject?]>([
  ["its types exclude each other", { allOf: [{ type: "string" }, { type: "integer" }] }],
  ["no number is between 5 and 4", { type: "integer", minimum: 5, maximum: 4 }],
  [
    "a branch of a union has no value that is of that branch alone",
    { oneOf: [{ type: "string" }, { type: "string" }] },
  ],
  [
    "its required parts contain each other without end",
    to("A"),
    { A: { type: "object", required: ["a"], properties: { a: to("A") } } },
  ],
  [
    "no value was found in 20000 steps",
    to("A"),
    {
      A: {
        required: ["a", "b"],
        properties: { a: { oneOf: [to("A"), to("B")] }, b: { oneOf: [to("B"), to("A")] } },
      },
      B: { required: ["a"], properties: { a: to("A") } },
    },
  ],
  [
    "no text was found that matches ^a$ and ^b$",
    { type: "string", allOf: [{ pattern: "^a$" }, { pattern: "^b$" }] },
  ],
])("give a reason if none exists: %s", (message, schema, schemas) => {
  expect(() => createSamples(schema, schemas)).toThrow(Unsampled);
  expect(() => createSamples(schema, schemas)).toThrow(message);
});

test.each([
  "^[0-9a-f]{8}-[0-9a-f]{4}$",
  "^(?:a|bc)+\\.(txt|md)$",
  "^\\d{3,5}[A-Z]?$",
  "^[^\\s@]+@[^\\s@.]+$",
  "^\\p{Lu}\\p{Ll}*$",
  "[\\]\\-]\\x41\\u{1F680}",
  "^(?<year>\\d{4})-(?=\\d)\\d{2}$",
  "^\\/v1\\/[\\w-]+$",
  "",
])("match the pattern %s", (pattern) => {
  const texts = generateTexts(pattern, new Random("test"), 50);
  expect(texts.some((text) => new RegExp(pattern, "u").test(text))).toBe(true);
});
