import { type Case, number, object, string, to } from "./case.js";

export const OBJECTS: Case[] = [
  {
    name: "required and optional properties",
    schema: object({ a: string, b: number }, "a"),
    accepts: [{ a: "x" }, { a: "x", b: 1 }],
    refuses: [{}, { a: 1 }, { a: "x", b: "y" }, "x", null],
  },
  {
    name: "a property with a default, which may be left out",
    schema: object({ a: { ...string, default: "x" } }),
    accepts: [{}, { a: "y" }],
    refuses: [{ a: 1 }],
  },
  {
    name: "required without properties",
    schema: { type: "object", required: ["a"] },
    accepts: [{ a: 1 }, { a: null }],
    refuses: [{}],
  },
  {
    name: "required of a name beside the properties",
    schema: object({ a: string }, "b"),
    accepts: [{ b: 1 }, { a: "x", b: [] }],
    refuses: [{ a: "x" }, { a: 1, b: 1 }],
  },
  {
    name: "an object of anything",
    schema: { type: "object" },
    accepts: [{}, { a: 1, b: null }],
    refuses: ["a", 1, null],
  },
  {
    name: "an object of nothing",
    schema: { type: "object", additionalProperties: false },
    accepts: [{}],
    refuses: [{ a: 1 }, 1],
  },
  {
    name: "a closed object",
    schema: { ...object({ a: string }), additionalProperties: false },
    accepts: [{}, { a: "x" }],
    refuses: [{ b: 1 }, { a: 1 }],
  },
  {
    name: "an object without additionalProperties, whose type has only its declared properties",
    schema: object({ a: string }),
    accepts: [{ a: "x" }],
    refuses: [{ a: 1 }],
    typeRefuses: [{ b: 1 }],
  },
  {
    name: "additional properties of one type",
    schema: { type: "object", additionalProperties: number },
    accepts: [{}, { a: 1 }],
    refuses: [{ a: "x" }],
  },
  {
    name: "any additional properties",
    schema: { ...object({ a: string }, "a"), additionalProperties: true },
    accepts: [{ a: "x" }, { a: "x", b: [1] }],
    refuses: [{ a: 1 }, { b: 1 }],
  },
  {
    name: "additional properties with an empty schema",
    schema: { ...object({ a: string }), additionalProperties: {} },
    accepts: [{ b: 1 }, { a: "x", b: null }],
    refuses: [{ a: 1 }],
  },
  {
    name: "additional properties of another type than the properties",
    schema: { ...object({ a: string, c: to("Sub") }), additionalProperties: number },
    schemas: { Sub: object({ d: string }, "d") },
    accepts: [{}, { a: "x" }, { b: 1 }, { a: "x", b: 1, c: { d: "x" } }],
    refuses: [{ a: 1 }, { b: true }],
    reads: ["const a: string | undefined = s.a; void a;"],
  },
  {
    name: "required additional properties",
    schema: { type: "object", additionalProperties: number, required: ["a"] },
    accepts: [{ a: 1 }, { a: 1, b: 2 }],
    refuses: [{}, { a: "x" }, { a: 1, b: "x" }],
  },
  {
    name: "unevaluated properties of one type",
    schema: { ...object({ a: string }), unevaluatedProperties: number },
    accepts: [{ a: "x", b: 1 }],
    refuses: [{ a: 1 }, { b: true }],
  },
  {
    name: "no unevaluated properties",
    schema: { allOf: [to("Base")], properties: { b: number }, unevaluatedProperties: false },
    schemas: { Base: object({ a: string }, "a") },
    accepts: [{ a: "x" }, { a: "x", b: 1 }],
    refuses: [{ b: 1 }, { a: "x", b: "y" }, { a: "x", c: 1 }],
  },
  {
    name: "properties by a start of the name",
    schema: { ...object({ a: number }), patternProperties: { "^x-": string }, additionalProperties: false },
    accepts: [{}, { a: 1 }, { "x-b": "c" }, { a: 1, "x-b": "c" }],
    refuses: [{ "x-b": 1 }, { a: "x" }, { y: "z" }],
  },
  {
    name: "properties by an end of the name",
    schema: { type: "object", patternProperties: { "\\.txt$": string } },
    accepts: [{}, { "a.txt": "x" }],
    refuses: [{ "a.txt": 1 }],
  },
  {
    name: "properties by an end of the name, with both anchors",
    schema: { type: "object", patternProperties: { "^.*_id$": string }, additionalProperties: number },
    accepts: [{}, { a_id: "x", b: 1 }],
    refuses: [{ a_id: 1 }, { b: true }],
  },
  {
    name: "properties by both ends of the name",
    schema: {
      ...object({ "x-id": number }),
      patternProperties: { "^x-.+-id$": string },
      additionalProperties: false,
    },
    accepts: [{}, { "x-a-id": "b", "x-id": 1 }],
    refuses: [{ "x-a-id": 1 }, { "x-id": "b" }, { a: "b" }],
  },
  {
    name: "a pattern of one name",
    schema: {
      type: "object",
      patternProperties: { "^$": string, "^a\\.b$": number },
      additionalProperties: false,
      required: ["a.b"],
    },
    accepts: [{ "a.b": 1 }, { "": "x", "a.b": 1 }],
    refuses: [{}, { "": 1, "a.b": 1 }, { "a.b": "x" }, { "a.b": 1, c: "x" }],
  },
  {
    name: "properties by a pattern",
    schema: { type: "object", patternProperties: { "^[a-z]{2}$": number }, additionalProperties: false },
    accepts: [{}, { de: 1 }],
    refuses: [{ de: "x" }],
  },
  {
    name: "properties by a start of the name among others",
    schema: { type: "object", patternProperties: { "^x-": string }, additionalProperties: number },
    accepts: [{ "x-a": "b", c: 1 }],
    refuses: [{ "x-a": 1 }, { c: true }],
  },
  {
    name: "names of Object.prototype",
    schema: {
      ...object({ constructor: number, toString: string }, "constructor", "toString"),
      additionalProperties: false,
    },
    accepts: [{ constructor: 1, toString: "x" }],
    refuses: [{ constructor: "x", toString: "x" }, { constructor: 1, toString: 1 }, {}],
  },
  {
    name: "names of all kinds",
    schema: object(
      { "a-b": number, "1": number, "": number, 'q"\\': number, "ä\n": number, "a.b/c": number },
      "a-b",
      "ä\n",
    ),
    accepts: [{ "a-b": 1, "1": 1, 'q"\\': 1, "ä\n": 1, "a.b/c": 1, "": 1 }],
    refuses: [{ "a-b": 1 }, { "a-b": "x", "ä\n": 1 }],
  },
  {
    name: "readOnly properties in a request",
    schema: to("Thing"),
    schemas: {
      Thing: {
        ...object(
          {
            id: { ...string, readOnly: true },
            name: string,
            key: { ...string, writeOnly: true },
            sub: to("Sub"),
          },
          "id",
          "name",
          "key",
        ),
        additionalProperties: false,
      },
      Sub: { ...object({ at: { ...number, readOnly: true } }, "at"), additionalProperties: false },
    },
    accepts: [
      { name: "n", key: "k" },
      { name: "n", key: "k", sub: {} },
    ],
    refuses: [{ name: "n" }, { name: "n", key: "k", id: "i" }, { name: "n", key: "k", sub: { at: 1 } }],
    reads: [`const thing: C["Thing"] = { id: "i", name: "n", sub: { at: 1 } }; void thing;`],
    misreads: [
      `const thing: C["Thing"] = { id: "i", name: "n", key: "k" }; void thing;`,
      `const thing: C["Thing"] = { name: "n" }; void thing;`,
    ],
  },
];
