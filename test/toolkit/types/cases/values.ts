import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { type Case, number, object, string, to } from "./case.js";

export const SCALARS: Case[] = [
  { name: "an empty schema", schema: {}, accepts: [1, "a", null, [], {}], refuses: [] },
  { name: "true", schema: object({ a: true }), accepts: [{}, { a: 1 }, { a: null }], refuses: [1] },
  { name: "false", schema: object({ a: false }), accepts: [{}], refuses: [{ a: 1 }, { a: null }] },
  { name: "a type", schema: { type: "integer" }, accepts: [1], refuses: ["1", null, true] },
  { name: "the type null", schema: { type: "null" }, accepts: [null], refuses: [0, "", {}] },
  {
    name: "types",
    schema: { type: ["string", "null", "number"] },
    accepts: ["a", 1, null],
    refuses: [true, []],
  },
  {
    name: "types with keywords of each",
    schema: { type: ["object", "array", "null"], properties: { a: string }, items: number },
    accepts: [{ a: "x" }, {}, [1], null],
    refuses: [{ a: 1 }, ["x"], "x"],
  },
  { name: "const", schema: { const: "a" }, accepts: ["a"], refuses: ["b", null] },
  { name: "const null", schema: { const: null }, accepts: [null], refuses: ["", 0] },
  {
    name: "const of an object",
    schema: { const: { a: [1, "x"] } },
    accepts: [{ a: [1, "x"] }],
    refuses: [{ a: [1] }, {}],
  },
  {
    name: "an enum of all kinds",
    schema: { enum: ["a", 1, -1.5, true, null, [1], { b: 2 }] },
    accepts: ["a", 1, -1.5, true, null, [1], { b: 2 }],
    refuses: ["b", 2, 1.5, false, [2], {}],
  },
  {
    name: "an enum with characters that code escapes",
    schema: { enum: ['"', "\\", "\n", "\u2028", "`${1}`", "*/", "ä", "\ud83d\ude00"] },
    accepts: ['"', "\\", "\n", "\u2028", "`${1}`", "*/", "ä", "\ud83d\ude00"],
    refuses: ["n", "\\\\", "", "a"],
  },
  {
    name: "an enum beside a type",
    schema: { type: "string", enum: ["a", 1, null] },
    accepts: ["a"],
    refuses: [1, null],
  },
  {
    name: "an enum with null beside types",
    schema: { type: ["string", "null"], enum: ["a", null] },
    accepts: ["a", null],
    refuses: ["b"],
  },
  {
    name: "an enum without null beside a type with null",
    schema: { type: ["string", "null"], enum: ["a"] },
    accepts: ["a"],
    refuses: [null],
  },
  { name: "an enum of null alone", schema: { enum: [null] }, accepts: [null], refuses: ["null", 0] },
  { name: "a format", schema: { type: "string", format: "binary" }, accepts: ["a"], refuses: [1] },
  { name: "not", schema: { type: "string", not: { type: "number" } }, accepts: ["a"], refuses: [1] },
];

export const NULLABLE: Case[] = (
  [
    ["a type", { type: "string" }, "a", 1],
    ["an enum", { type: "string", enum: ["a"] }, "a", "b"],
    ["an enum that contains null", { type: "string", enum: ["a", null] }, "a", "b"],
    ["a reference in allOf", { allOf: [to("Text")] }, "a", 1],
    ["a reference in allOf next to its type", { type: "string", allOf: [to("Text")] }, "a", 1],
    ["oneOf", { oneOf: [to("Text"), number] }, 1, true],
    ["anyOf", { anyOf: [to("Text"), number] }, "a", true],
    ["an object", { ...object({ a: string }) }, { a: "x" }, { a: 1 }],
    ["an array", { type: "array", items: string }, ["a"], [1]],
    ["a reference", to("Text"), "a", 1],
  ] as [string, JsonObject, JsonValue, JsonValue][]
).map(([name, schema, good, bad]): Case => ({
  name: `nullable beside ${name}`,
  openapi: "3.0.3",
  schema: { ...schema, nullable: true },
  schemas: { Text: string },
  accepts: [good, null],
  refuses: [bad],
}));
