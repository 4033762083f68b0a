import { type Case, number, object, string, to } from "./case.js";

export const LISTS: Case[] = [
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
    schema: { type: "array", prefixItems: [string, number, string, string], minItems: 2, maxItems: 3 },
    accepts: [
      ["a", 1],
      ["a", 1, "b"],
    ],
    refuses: [["a"], ["a", 1, 2], ["a", 1, "b", "c"]],
  },
  {
    name: "an optional first item of several types",
    schema: { type: "array", prefixItems: [{ type: ["string", "number"] }], items: false },
    accepts: [[], ["a"], [1]],
    refuses: [[true], ["a", 1]],
  },
  {
    name: "recursive lists as optional and further items",
    schema: to("Filter"),
    schemas: {
      Filter: {
        oneOf: [string, { type: "array", prefixItems: [number, { type: "array", items: to("Filter") }] }],
      },
      Further: {
        oneOf: [
          string,
          { type: "array", prefixItems: [number], items: { type: "array", items: to("Further") } },
        ],
      },
      Nullable: {
        type: ["array", "null"],
        prefixItems: [{ anyOf: [number, { type: "array", prefixItems: [to("Nullable")] }] }],
      },
    },
    accepts: ["a", [1], [1, ["a", [2, []]]]],
    refuses: [1, ["a"], [1, [2]]],
  },
  {
    name: "an array of first items",
    schema: { type: "array", items: { type: "array", prefixItems: [string], items: false, minItems: 1 } },
    accepts: [[["a"]], []],
    refuses: [[[1]], [[]], ["a"]],
  },
  {
    name: "a list whose type and items are in different members of allOf",
    schema: { allOf: [{ type: "array" }, { items: number }] },
    accepts: [[], [1]],
    refuses: [["a"], 1, {}],
    reads: ["s.map((item) => item.toFixed());"],
  },
  {
    name: "a list with items in a component or in a union beside its type",
    schema: {
      type: "object",
      properties: {
        component: { type: "array", allOf: [to("Numbers")] },
        union: {
          type: "array",
          oneOf: [
            { items: number, minItems: 1 },
            { items: string, minItems: 1 },
          ],
        },
      },
    },
    schemas: { Numbers: { type: "array", items: number } },
    accepts: [{ component: [1], union: [1] }, { union: ["a"] }],
    refuses: [{ component: ["a"] }, { union: [true] }, { component: 1 }],
    reads: ["s.component?.map((item) => item.toFixed());", "s.union?.map((item) => item.valueOf());"],
  },
  {
    name: "a list whose items two schemas describe",
    schema: {
      allOf: [{ items: object({ a: string }, "a") }, { items: object({ b: number }, "b") }],
      type: "array",
    },
    accepts: [[], [{ a: "x", b: 1 }]],
    refuses: [[{ a: "x" }], [{ b: 1 }], {}],
    reads: ["s.map(({ a, b }) => a.repeat(b));"],
  },
  {
    name: "first items beside the type of all items",
    schema: {
      type: "array",
      allOf: [{ prefixItems: [{ const: 1 }, number], minItems: 1 }, { items: number }],
    },
    accepts: [[1], [1, 2, 3]],
    refuses: [[], [2], [1, "a"], [1, 2, "a"]],
    reads: ["const one: 1 = s[0]; void one;", "const third: number | undefined = s[2]; void third;"],
  },
  {
    name: "first items of two schemas, one of which allows no others",
    schema: {
      type: "array",
      allOf: [
        { prefixItems: [{ enum: ["a", "b"] }, string], items: false },
        { prefixItems: [string, { const: "c" }, number], minItems: 1 },
      ],
    },
    accepts: [["a"], ["b", "c"]],
    refuses: [[], ["c"], ["a", "b"], ["a", "c", 1]],
  },
];
