import { type Case, number, object, string, to } from "./case.js";

export const COMPOSED: Case[] = [
  {
    name: "allOf",
    schema: { allOf: [to("A"), object({ b: number }, "b")] },
    schemas: { A: object({ a: string }, "a") },
    accepts: [{ a: "x", b: 1 }],
    refuses: [{ a: "x" }, { b: 1 }, { a: 1, b: 1 }],
  },
  {
    name: "properties beside allOf",
    schema: { ...object({ b: number }, "b"), allOf: [to("A")] },
    schemas: { A: object({ a: string }, "a") },
    accepts: [{ a: "x", b: 1 }],
    refuses: [{ a: "x" }, { b: 1 }],
  },
  {
    name: "required beside allOf",
    schema: { allOf: [to("A")], required: ["a"] },
    schemas: { A: object({ a: string }) },
    accepts: [{ a: "x" }],
    refuses: [{}, { a: 1 }],
    reads: ["const a: string = s.a; void a;"],
  },
  {
    name: "required alone in allOf",
    schema: { allOf: [to("A"), { required: ["a"] }] },
    schemas: { A: object({ a: { type: ["string", "null"] } }) },
    accepts: [{ a: "x" }, { a: null }],
    refuses: [{}, { a: 1 }],
    reads: ["const a: string | null = s.a; void a;"],
  },
  {
    name: "required in allOf for a property beside it",
    schema: { ...object({ a: string }), allOf: [{ required: ["a"] }] },
    accepts: [{ a: "x" }],
    refuses: [{}, { a: 1 }],
  },
  {
    name: "required beside allOf with the property",
    schema: {
      ...object({}, "a", "b"),
      allOf: [object({ a: string }), object({ a: string, b: number }, "b")],
    },
    accepts: [{ a: "x", b: 1 }],
    refuses: [{ a: "x" }, { b: 1 }, { a: 1, b: 1 }],
  },
  {
    name: "required beside anyOf whose branches declare the property",
    schema: { ...object({}, "a", "b"), anyOf: [to("A"), object({ a: number, b: number }, "a")] },
    schemas: { A: object({ a: string, b: string }, "a") },
    accepts: [
      { a: "x", b: "y" },
      { a: 1, b: 2 },
    ],
    refuses: [{}, { a: "x" }, { b: 1 }],
  },
  {
    name: "required for a property two references away",
    schema: { allOf: [to("B")], required: ["a"] },
    schemas: { A: object({ a: string }), B: { allOf: [to("A")] } },
    accepts: [{ a: "x" }],
    refuses: [{}],
  },
  {
    name: "one of two required",
    schema: { ...object({ a: string, b: number }), anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    accepts: [{ a: "x" }, { b: 1 }, { a: "x", b: 1 }],
    refuses: [{}, { a: 1 }],
  },
  {
    name: "properties beside anyOf",
    schema: {
      ...object({ a: string }, "a"),
      anyOf: [object({ b: number }, "b"), object({ c: number }, "c")],
    },
    accepts: [
      { a: "x", b: 1 },
      { a: "x", c: 1 },
    ],
    refuses: [{ a: "x" }, { b: 1 }],
  },
  {
    name: "properties beside oneOf",
    schema: {
      ...object({ a: string }, "a"),
      oneOf: [object({ b: number }, "b"), object({ c: number }, "c")],
    },
    accepts: [{ a: "x", b: 1 }],
    refuses: [{ a: "x" }, { c: 1 }],
  },
  {
    name: "properties without a type beside a union that allows texts",
    schema: { properties: { a: string }, required: ["a"], anyOf: [string, object({ b: number })] },
    accepts: ["x", { a: "x", b: 1 }],
    refuses: [{ b: 1 }, { a: "x", b: "x" }, 1],
    reads: ["if (typeof s !== 'string') { const a: string = s.a; void a; }"],
  },
  {
    name: "properties and items without a type beside a union of both types",
    schema: {
      properties: { a: string },
      items: number,
      anyOf: [{ type: "object", required: ["a"] }, { type: "array" }],
    },
    accepts: [{ a: "x" }, [1]],
    refuses: [{}, { a: 1 }, 1],
  },
  {
    name: "values and properties without a type beside a union",
    schema: {
      enum: ["a", { b: 1 }],
      properties: { b: number },
      anyOf: [string, { type: "object" }],
    },
    accepts: ["a", { b: 1 }],
    refuses: ["c", { b: 2 }, {}],
  },
  {
    name: "items without a type beside a union that allows null",
    schema: { items: string, oneOf: [{ type: "array", minItems: 1 }, { type: "null" }] },
    accepts: [["x"], null],
    refuses: [[1], "x"],
  },
  {
    name: "a type beside oneOf of constants",
    schema: { type: "string", oneOf: [{ const: "a" }, { const: "b" }] },
    accepts: ["a", "b"],
    refuses: ["c", 1],
  },
  {
    name: "oneOf of all kinds",
    schema: { oneOf: [string, { type: "array", items: number }, to("A"), { type: "null" }] },
    schemas: { A: object({ a: string }, "a") },
    accepts: ["x", [1], { a: "x" }, null],
    refuses: [1, ["x"], {}, { a: 1 }],
  },
  {
    name: "allOf of unions",
    schema: {
      allOf: [
        { oneOf: [object({ a: string }, "a"), object({ b: string }, "b")] },
        { oneOf: [object({ c: string }, "c"), object({ d: string }, "d")] },
      ],
    },
    accepts: [
      { a: "x", c: "y" },
      { b: "x", d: "y" },
    ],
    refuses: [{ a: "x" }, { c: "x" }],
  },
  {
    name: "allOf with empty schemas",
    schema: { allOf: [{}, { description: "d" }, true, string] },
    accepts: ["a"],
    refuses: [1],
  },
  {
    name: "types in allOf",
    schema: { allOf: [{ type: ["string", "null"] }, { type: ["string", "number"] }] },
    accepts: ["a"],
    refuses: [null, 1],
  },
  { name: "a union with false", schema: { oneOf: [false, string] }, accepts: ["a"], refuses: [1] },
  {
    name: "properties of then without else, and of dependentSchemas",
    schema: {
      type: "object",
      required: ["kind"],
      properties: { kind: string, unit: string },
      dependentSchemas: { card: object({ address: string }, "address"), kind: to("A") },
      allOf: [
        // Not a literal, because linters treat an object with `then` as a promise.
        Object.fromEntries(
          [
            object({ kind: { const: "mail" } }),
            object({ to: string, unit: { const: "km" } }, "to", "unit"),
          ].map((part, index) => [["if", "then"][index], part]),
        ),
      ],
    },
    schemas: { A: object({ n: number }) },
    accepts: [
      { kind: "a", unit: "m", n: 1 },
      { kind: "mail", to: "x", unit: "km", address: "y" },
    ],
    refuses: [{}, { kind: "a", n: "x" }],
    typeRefuses: [
      { kind: "a", to: 1 },
      { kind: "a", other: 1 },
    ],
    reads: ["const to: string | undefined = s.to;", "const n: number | undefined = s.n;"],
  },
  {
    name: "property names of an enum",
    schema: { type: "object", propertyNames: to("Language"), additionalProperties: string },
    schemas: { Language: { enum: ["de", "en"] } },
    accepts: [{}, { de: "a" }, { de: "a", en: "b" }],
    refuses: [{ fr: "a" }, { de: 1 }, "a"],
    reads: ["const text: string | undefined = s.de;"],
  },
  {
    name: "property names of an enum that also allows null",
    schema: {
      type: "object",
      propertyNames: { enum: ["de", "en"], nullable: true },
      additionalProperties: string,
    },
    accepts: [{}, { de: "a" }],
    refuses: [{ de: 1 }, "a"],
  },
  {
    name: "if, then and else",
    schema: {
      type: "object",
      // Not a literal, because linters treat an object with `then` as a promise.
      ...Object.fromEntries(
        [{ required: ["a"] }, object({ a: string }, "a"), object({ b: number }, "b")].map((part, index) => [
          ["if", "then", "else"][index],
          part,
        ]),
      ),
    },
    accepts: [{ a: "x" }, { b: 1 }],
    refuses: [{}, { b: "x" }],
  },
  {
    name: "a reference with keywords beside it",
    schema: { ...to("A"), ...object({ b: number }, "b") },
    schemas: { A: object({ a: string }, "a") },
    accepts: [{ a: "x", b: 1 }],
    refuses: [{ a: "x" }, { b: 1 }],
  },
  {
    name: "a reference with keywords beside it in 3.0, which are ignored",
    openapi: "3.0.3",
    schema: { ...to("A"), ...object({ b: number }, "b") },
    schemas: { A: object({ a: string }, "a") },
    accepts: [{ a: "x" }],
    refuses: [{ b: 1 }],
  },
];
