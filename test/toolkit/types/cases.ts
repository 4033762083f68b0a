import type { JsonObject, JsonValue } from "../../../scripts/json.js";

/** A schema with values that its type and its validator both accept, and values that both reject. */
export interface Case {
  name: string;
  schema: JsonValue;
  /** Further component schemas. */
  schemas?: Record<string, JsonValue>;
  /** OpenAPI version, by default 3.1.0. */
  openapi?: string;
  accepts: JsonValue[];
  refuses: JsonValue[];
  /** Values that only the type rejects, such as undeclared properties or a wrong branch of a union. */
  typeRefuses?: JsonValue[];
  /** Code that must compile, with a value `s` of the type. */
  reads?: string[];
  /** Code that must not compile. */
  misreads?: string[];
}

const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
const object = (properties: JsonObject, ...required: string[]): JsonObject => ({
  type: "object",
  properties,
  ...(required.length > 0 ? { required } : {}),
});
const string: JsonObject = { type: "string" };
const number: JsonObject = { type: "number" };

/** Two branches of a union with the discriminator `kind`. */
const CAT = object({ kind: string, meows: { type: "boolean" } }, "kind", "meows");
const DOG = object({ kind: string, barks: { type: "boolean" } }, "kind", "barks");
const withKind = (schema: JsonObject, kind: JsonValue): JsonObject => ({
  ...schema,
  properties: { ...Object(schema.properties), kind },
});

const SCALARS: Case[] = [
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

const NULLABLE: Case[] = (
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

const OBJECTS: Case[] = [
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
];

const LISTS: Case[] = [
  {
    name: "an array",
    schema: { type: "array", items: string },
    accepts: [[], ["a", "b"]],
    refuses: [[1], "a", {}],
  },
  { name: "an array of anything", schema: { type: "array" }, accepts: [[], [1, "a"]], refuses: [{}] },
  { name: "an array of nothing", schema: { type: "array", items: false }, accepts: [[]], refuses: [[1]] },
  {
    name: "an array of arrays",
    schema: { type: "array", items: { type: "array", items: string } },
    accepts: [[], [["a"]]],
    refuses: [["a"], [[1]]],
  },
  {
    name: "an array of arrays that allOf declares",
    schema: { type: "array", items: { allOf: [{ type: "array", items: string }] } },
    accepts: [[["a"]]],
    refuses: [["a"]],
  },
  {
    name: "an array of a union",
    schema: { type: "array", items: { type: ["string", "null"] } },
    accepts: [["a", null]],
    refuses: [[1]],
  },
  {
    name: "first items, then anything",
    schema: { type: "array", prefixItems: [string, number] },
    accepts: [[], ["a"], ["a", 1], ["a", 1, true]],
    refuses: [[1], ["a", "b"]],
  },
  {
    name: "first items and no others",
    schema: { type: "array", prefixItems: [string, number], items: false },
    accepts: [[], ["a", 1]],
    refuses: [["a", 1, 2], [1]],
  },
  {
    name: "first items, then others",
    schema: { type: "array", prefixItems: [string], items: number, minItems: 1 },
    accepts: [["a"], ["a", 1, 2]],
    refuses: [[], ["a", "b"]],
  },
  {
    name: "first items, of which two are required",
    schema: { type: "array", prefixItems: [string, number, string], minItems: 2, maxItems: 3 },
    accepts: [
      ["a", 1],
      ["a", 1, "b"],
    ],
    refuses: [["a"], ["a", 1, 2], ["a", 1, "b", 1]],
  },
  {
    name: "an optional first item of several types",
    schema: { type: "array", prefixItems: [{ type: ["string", "number"] }], items: false },
    accepts: [[], ["a"], [1]],
    refuses: [[true], ["a", 1]],
  },
  {
    name: "an array of first items",
    schema: { type: "array", items: { type: "array", prefixItems: [string], items: false, minItems: 1 } },
    accepts: [[["a"]], []],
    refuses: [[[1]], [[]], ["a"]],
  },
];

const COMPOSED: Case[] = [
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

const DISCRIMINATED: Case[] = (
  [
    [
      "a mapping by reference",
      { mapping: { cat: "#/components/schemas/Cat", dog: "#/components/schemas/Dog" } },
      "cat",
      "dog",
      string,
    ],
    ["a mapping by name", { mapping: { cat: "Cat", dog: "Dog" } }, "cat", "dog", string],
    ["no mapping", {}, "Cat", "Dog", string],
    ["a mapping of one", { mapping: { cat: "Cat" } }, "cat", "Dog", string],
    ["several values for one", { mapping: { c: "Cat", cat: "Cat", dog: "Dog" } }, "c", "dog", string],
    ["numbers", { mapping: { "1": "Cat", "2": "Dog" } }, 1, 2, { type: "integer" }],
    ["booleans", { mapping: { true: "Cat", false: "Dog" } }, true, false, { type: "boolean" }],
    [
      "an enum of all values",
      { mapping: { cat: "Cat", dog: "Dog" } },
      "cat",
      "dog",
      { type: "string", enum: ["cat", "dog"] },
    ],
    ["a reference to one", { mapping: { cat: "Cat", dog: "Dog" } }, "cat", "dog", to("Kind")],
  ] as [string, JsonObject, JsonValue, JsonValue, JsonObject][]
).map(([name, discriminator, cat, dog, kind]): Case => ({
  name: `a discriminator with ${name}`,
  schema: { oneOf: [to("Cat"), to("Dog")], discriminator: { propertyName: "kind", ...discriminator } },
  schemas: {
    Cat: withKind(CAT, kind),
    Dog: withKind(DOG, kind),
    Kind: { type: "string", enum: ["cat", "dog"] },
  },
  accepts: [
    { kind: cat, meows: true },
    { kind: dog, barks: true },
  ],
  refuses: [{ kind: cat }, { barks: true }, {}],
  typeRefuses: [{ kind: dog, meows: true }],
  reads: [`if (s.kind === ${JSON.stringify(dog)}) void s.barks; else void s.meows;`],
  misreads: ["void s.meows;"],
}));

const HIERARCHY: Case[] = [
  {
    name: "a parent with a mapping, extended by allOf",
    schema: { oneOf: [to("Cat"), to("Dog")] },
    schemas: {
      Pet: {
        ...object({ kind: string, name: string }, "kind"),
        discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "#/components/schemas/Dog" } },
      },
      Cat: { allOf: [to("Pet"), object({ meows: { type: "boolean" } }, "meows")] },
      Dog: { allOf: [to("Pet"), object({ barks: { type: "boolean" } }, "barks")] },
    },
    accepts: [
      { kind: "cat", name: "n", meows: true },
      { kind: "dog", barks: false },
    ],
    refuses: [{ kind: "cat" }, { meows: true }],
    typeRefuses: [{ kind: "dog", meows: true }],
    reads: [`if (s.kind === "dog") void s.barks; else void s.meows;`],
  },
  {
    name: "a child of a child",
    schema: to("Lion"),
    schemas: {
      Pet: { ...object({ kind: string }, "kind"), discriminator: { propertyName: "kind" } },
      Cat: { allOf: [to("Pet")], properties: { meows: { type: "boolean" } } },
      Lion: { allOf: [to("Cat"), object({ roars: { type: "boolean" } }, "roars")] },
    },
    accepts: [
      { kind: "Lion", roars: true },
      { kind: "Lion", roars: true, meows: true },
    ],
    refuses: [{ kind: "Lion" }, { roars: true }],
    typeRefuses: [{ kind: "Cat", roars: true }],
    reads: [`const cat: C["Cat"] = s; void cat;`],
  },
  {
    name: "schema names that differ from the values of the discriminating property",
    schema: { oneOf: [to("CatSchema"), to("DogSchema")], discriminator: { propertyName: "kind" } },
    schemas: { CatSchema: withKind(CAT, { enum: ["cat"] }), DogSchema: withKind(DOG, { const: "dog" }) },
    accepts: [
      { kind: "cat", meows: true },
      { kind: "dog", barks: true },
    ],
    refuses: [
      { kind: "CatSchema", meows: true },
      { kind: "dog", meows: true },
    ],
    reads: [`if (s.kind === "dog") void s.barks; else void s.meows;`],
  },
  {
    name: "a branch without the property",
    schema: {
      oneOf: [to("Cat"), to("Any")],
      discriminator: { propertyName: "kind", mapping: { cat: "Cat", any: "Any" } },
    },
    schemas: { Cat: withKind(CAT, { const: "cat" }), Any: object({ what: string }, "what") },
    accepts: [{ kind: "cat", meows: true }, { kind: "any", what: "x" }, { what: "x" }],
    refuses: [{ kind: "cat" }, {}],
  },
  {
    name: "a boolean property with a mapping from other values",
    schema: {
      oneOf: [to("Cat"), to("Dog")],
      discriminator: { propertyName: "kind", mapping: { yes: "Cat", no: "Dog" } },
    },
    schemas: { Cat: withKind(CAT, { type: "boolean" }), Dog: withKind(DOG, { type: "boolean" }) },
    accepts: [],
    refuses: [{ meows: true }, {}],
    reads: ["void (s.kind satisfies boolean);"],
  },
  {
    name: "unions in a union",
    schema: {
      oneOf: [to("Pets"), to("Fish")],
      discriminator: { propertyName: "kind", mapping: { cat: "Pets", dog: "Pets", fish: "Fish" } },
    },
    schemas: {
      Pets: {
        oneOf: [to("Cat"), to("Dog")],
        discriminator: { propertyName: "kind", mapping: { cat: "Cat", dog: "Dog" } },
      },
      Cat: withKind(CAT, { const: "cat" }),
      Dog: withKind(DOG, { const: "dog" }),
      Fish: object({ kind: string, swims: string }, "kind", "swims"),
    },
    accepts: [
      { kind: "cat", meows: true },
      { kind: "dog", barks: true },
      { kind: "fish", swims: "x" },
    ],
    refuses: [{ kind: "cat", barks: true }, { kind: "fish" }],
    reads: [
      `if (s.kind === "fish") void s.swims; else if (s.kind === "dog") void s.barks; else void s.meows;`,
    ],
  },
  {
    name: "branches without a name",
    schema: {
      oneOf: [withKind(CAT, { const: "cat" }), withKind(DOG, { enum: ["dog", "wolf"] })],
      discriminator: { propertyName: "kind" },
    },
    accepts: [
      { kind: "cat", meows: true },
      { kind: "wolf", barks: true },
    ],
    refuses: [{ kind: "wolf", meows: true }, {}],
    reads: [`if (s.kind === "cat") void s.meows; else void s.barks;`],
  },
];

const CIRCLES: Case[] = [
  {
    name: "a tree",
    schema: to("Tree"),
    schemas: { Tree: object({ name: string, trees: { type: "array", items: to("Tree") } }, "name") },
    accepts: [{ name: "a", trees: [{ name: "b", trees: [] }] }],
    refuses: [{ name: "a", trees: [{}] }],
  },
  {
    name: "a list of itself",
    schema: to("Json"),
    schemas: { Json: { oneOf: [string, { type: "array", items: to("Json") }] } },
    accepts: ["a", ["a", ["b", []]]],
    refuses: [1, ["a", [1]]],
  },
  {
    name: "any JSON",
    schema: to("Json"),
    schemas: {
      Json: { anyOf: [{ type: ["string", "number", "boolean", "null"] }, to("List"), to("Map")] },
      List: { type: "array", items: to("Json") },
      Map: { type: "object", additionalProperties: to("Json") },
    },
    accepts: ["a", null, [1, { a: [null] }], {}],
    refuses: [],
  },
  {
    name: "a pair with itself",
    schema: to("Pair"),
    schemas: {
      Pair: {
        type: "array",
        prefixItems: [string, { anyOf: [to("Pair"), { type: "null" }] }],
        items: false,
        minItems: 2,
      },
    },
    accepts: [
      ["a", null],
      ["a", ["b", null]],
    ],
    refuses: [["a"], ["a", ["b"]], ["a", "b"]],
  },
];

const REFERENCES: Case[] = [
  {
    name: "references into the middle of schemas",
    schema: object(
      {
        a: { $ref: "#/components/schemas/Outer/properties/inner" },
        b: { $ref: "#/components/schemas/Outer/$defs/Text" },
        c: { $ref: "#/components/schemas/Outer/properties/list/items" },
      },
      "a",
      "b",
      "c",
    ),
    schemas: {
      Outer: {
        ...object({ inner: object({ d: string }, "d"), list: { type: "array", items: number } }),
        $defs: { Text: string },
      },
    },
    accepts: [{ a: { d: "x" }, b: "y", c: 1 }],
    refuses: [
      { a: {}, b: "y", c: 1 },
      { a: { d: "x" }, b: 1, c: 1 },
      { a: { d: "x" }, b: "y", c: "z" },
    ],
    reads: [`const o: C["Outer"] = {}; void o;`],
  },
  {
    name: "a reference into a path",
    schema: { $ref: "#/paths/~1other~1%7Bid%7D/get/responses/200/content/application~1json/schema" },
    accepts: [{ other: "x" }],
    refuses: [{}, { other: 1 }],
  },
  ...["a.b", "a-b", "a~1b", "%C3%A4", "constructor", "toString", "1", "a%20b", "a%2541"].map(
    (name): Case => ({
      name: `a component called ${name}`,
      schema: { $ref: `#/components/schemas/${name}` },
      schemas: { [decodeURIComponent(name).replaceAll("~1", "/")]: object({ a: string }, "a") },
      accepts: [{ a: "x" }],
      refuses: [{}, { a: 1 }],
    }),
  ),
];

const DIRECTED: Case[] = [
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

export const CASES: Case[] = [
  ...SCALARS,
  ...NULLABLE,
  ...OBJECTS,
  ...LISTS,
  ...COMPOSED,
  ...DISCRIMINATED,
  ...HIERARCHY,
  ...CIRCLES,
  ...REFERENCES,
  ...DIRECTED,
];
