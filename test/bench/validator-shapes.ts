/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import type { JsonObject } from "../../scripts/json.js";

/** A schema with a valid and an invalid value. */
export interface Shape {
  name: string;
  schema: JsonObject;
  /** Whether the schema is at `pointer` in the project's own document. */
  document?: boolean;
  pointer?: string;
  valid: unknown;
  invalid: unknown;
}

const ID = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c91a";
const text = (content: string): unknown => [{ type: "text", text: { content } }];
const PROPERTIES = {
  Title: { title: text("A page") },
  Notes: { rich_text: text("Some notes") },
  Amount: { number: 12.5 },
  Done: { checkbox: true },
};

/** Request bodies of the project's own document. */
export const OWN: Shape[] = [
  {
    name: "createPage",
    schema: {},
    document: true,
    pointer: "/components/schemas/CreatePageBody",
    valid: { parent: { database_id: ID }, icon: { emoji: "🥑" }, properties: PROPERTIES },
    invalid: { parent: { database_id: ID }, properties: { ...PROPERTIES, Amount: { number: "12" } } },
  },
  {
    name: "updatePage",
    schema: {},
    document: true,
    pointer: "/components/schemas/UpdatePageBody",
    valid: { properties: PROPERTIES },
    invalid: { properties: PROPERTIES, colour: "red" },
  },
];

const string: JsonObject = { type: "string" };
const integer: JsonObject = { type: "integer" };
const animal = (kind: string, more: JsonObject): JsonObject => ({
  type: "object",
  required: ["kind"],
  properties: { kind: { const: kind }, name: string, ...more },
});
const ten = Array.from({ length: 10 }, (_, index) => `kind${index}`);

export const SHAPES: Shape[] = [
  {
    name: "flat object",
    schema: {
      type: "object",
      required: ["id", "name"],
      properties: { id: integer, name: string, age: integer, email: string, active: { type: "boolean" } },
    },
    valid: { id: 1, name: "a", age: 3, email: "a@b.c", active: true },
    invalid: { id: 1, name: 2 },
  },
  {
    name: "closed object of 15 properties",
    schema: {
      type: "object",
      additionalProperties: false,
      properties: Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`property${index}`, integer])),
    },
    valid: Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`property${index}`, index])),
    invalid: { property0: 1, other: 1 },
  },
  {
    name: "list of numbers",
    schema: { type: "array", items: { type: "number", minimum: 0 } },
    valid: Array.from({ length: 100 }, (_, index) => index / 2),
    invalid: [1, 2, "3"],
  },
  {
    name: "list of objects",
    schema: {
      type: "array",
      items: { type: "object", required: ["a"], properties: { a: integer, b: string } },
    },
    valid: Array.from({ length: 50 }, (_, index) => ({ a: index, b: "x" })),
    invalid: [{ a: 1 }, {}],
  },
  {
    name: "strings with lengths and a pattern",
    schema: {
      type: "object",
      properties: { a: { type: "string", minLength: 1, maxLength: 100, pattern: "^[a-z]+$" } },
    },
    valid: { a: "abcdefghij" },
    invalid: { a: "" },
  },
  {
    name: "enum of 20",
    schema: { type: "string", enum: Array.from({ length: 20 }, (_, index) => `value${index}`) },
    valid: "value17",
    invalid: "value20",
  },
  {
    name: "tree",
    schema: {
      $defs: {
        node: {
          type: "object",
          required: ["v"],
          properties: { v: integer, children: { type: "array", items: { $ref: "#/$defs/node" } } },
        },
      },
      $ref: "#/$defs/node",
    },
    valid: {
      v: 1,
      children: [
        { v: 2, children: [{ v: 3 }, { v: 4 }] },
        { v: 5, children: [] },
      ],
    },
    invalid: { v: 1, children: [{ v: 2, children: [{ v: 3 }, { v: "4" }] }] },
  },
  {
    name: "union of 10 by a property",
    schema: { oneOf: ten.map((kind, index) => animal(kind, { [`only${index}`]: integer })) },
    valid: { kind: "kind9", name: "x", only9: 1 },
    invalid: { kind: "kind9", only9: "1" },
  },
  {
    name: "union of types",
    schema: { anyOf: [string, integer, { type: "array", items: string }] },
    valid: ["a", "b"],
    invalid: ["a", 1],
  },
  {
    name: "allOf of three",
    schema: {
      $defs: {
        base: { type: "object", required: ["id"], properties: { id: integer } },
        named: { type: "object", properties: { name: string } },
      },
      allOf: [
        { $ref: "#/$defs/base" },
        { $ref: "#/$defs/named" },
        { type: "object", properties: { more: string } },
      ],
    },
    valid: { id: 1, name: "a", more: "b" },
    invalid: { id: 1, name: 2 },
  },
  {
    name: "allOf, unevaluatedProperties",
    schema: {
      allOf: [{ type: "object", properties: { id: integer } }, { properties: { name: string } }],
      properties: { more: string },
      unevaluatedProperties: false,
    },
    valid: { id: 1, name: "a", more: "b" },
    invalid: { id: 1, other: 2 },
  },
  {
    name: "map of objects",
    schema: { type: "object", additionalProperties: { type: "object", properties: { a: integer } } },
    valid: Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key${index}`, { a: index }])),
    invalid: { a: { a: "1" } },
  },
  {
    name: "unique objects",
    schema: { type: "array", uniqueItems: true },
    valid: Array.from({ length: 30 }, (_, index) => ({ id: index, name: `n${index}` })),
    invalid: [{ id: 1 }, { id: 2 }, { id: 1 }],
  },
  {
    name: "multiple of 0.01",
    schema: { type: "number", multipleOf: 0.01 },
    valid: 19.25,
    invalid: 19.255,
  },
  {
    name: "if, then, else",
    schema: {
      type: "object",
      if: { properties: { kind: { const: "a" } }, required: ["kind"] },
      then: { required: ["a"] },
      else: { required: ["b"] },
    },
    valid: { kind: "a", a: 1 },
    invalid: { kind: "b", a: 1 },
  },
];
