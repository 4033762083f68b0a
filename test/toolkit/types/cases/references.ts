import { type Case, number, object, string, to } from "./case.js";

export const RECURSIVE: Case[] = [
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

export const REFERENCES: Case[] = [
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
