import { expect, test } from "vitest";
import { createObjectDocs, createSchemaDocs } from "../../../scripts/emit/types/docs.js";
import { buildJsonSchema } from "../model/schema/schemas.js";

test.each([
  [{ summary: "One line." }, ["One line."]],
  [{ summary: "**Note**" }, ["**Note**"]],
  [{ summary: "Two\nlines", deprecated: true }, ["Two", "lines", "@deprecated"]],
  [{ summary: "Code:\n\n    one\n      two" }, ["Code:", "", "    one", "      two"]],
  [{ summary: "* an item\n\n* another" }, ["* an item", "", "* another"]],
  [{ summary: "ends */ here" }, ["ends *\\/ here"]],
  [{ summary: "a \r b\u2028 c" }, ["a", " b", " c"]],
  [{ examples: [{ name: undefined, value: { a: 1 } }] }, ["@example {", '  "a": 1', "}"]],
  [{ examples: [{ name: undefined, value: " a " }] }, ["@example a"]],
  [{}, []],
])("the doc comment of %j has the lines %j", (annotations, lines) => {
  expect(createObjectDocs(annotations)).toEqual(lines);
});

test("the doc comment of a schema has all of its examples", () => {
  expect(createSchemaDocs(buildJsonSchema({ title: "A", default: 1, examples: [1, { b: 2 }] }))).toEqual([
    "A",
    "@default 1",
    "@example 1",
    '@example {"b":2}',
  ]);
});

test("a doc comment leaves out an example of more than 1,000 characters", () => {
  const createDocs = (value: string): string[] =>
    createObjectDocs({ summary: "An image", examples: [{ name: undefined, value }] });
  const value = "a".repeat(1000);
  expect(createDocs(value)).toEqual(["An image", `@example ${value}`]);
  expect(createDocs(`${value}a`)).toEqual(["An image"]);
});
