import { expect, test } from "vitest";
import {
  createPlaceholderSchema,
  createObjectDocLines,
  translateRequestBody,
  translateResponse,
} from "../../../scripts/emit/types/openapi-typescript.js";
import { createTypeName, printType, type Type } from "../../../scripts/emit/types/type.js";

test.each([
  [{ summary: "One line." }, ["One line."]],
  [{ summary: "**Note**" }, ["**Note**"]],
  [{ summary: "Two\nlines", deprecated: true }, ["Two", "lines", "@deprecated"]],
  [{ summary: "Code:\n\n    one\n      two" }, ["Code:", "", "    one", "      two"]],
  [{ summary: "* an item\n\n* another" }, ["* an item", "", "* another"]],
  [{ summary: "ends */ here" }, ["ends *\\/ here"]],
  [{ summary: "a \r b\u2028 c" }, ["a ", " b", " c"]],
  [{ example: { a: 1 } }, ["@example {", '  "a": 1', "}"]],
  [{}, []],
])("the doc comment of %j has the lines %j", (annotations, lines) => {
  expect(createObjectDocLines(annotations)).toEqual(lines);
});

test("a translated response has the given types of its schemas", () => {
  const list: Type = { kind: "array", item: createTypeName("Item") };
  const response = {
    headers: { etag: { required: true, schema: createPlaceholderSchema(createTypeName("string")) } },
    content: { 'a/"b"': { schema: createPlaceholderSchema(list) }, "text/plain": {} },
  };
  expect(printType(translateResponse(response))).toBe(`{
  headers: {
    etag: string;
    [name: string]: unknown;
  };
  content: {
    "a/\\"b\\"": Item[];
    "text/plain": unknown;
  };
}`);
});

test("a message without content has an optional member of type never", () => {
  expect(printType(translateResponse({}))).toContain("content?: never;");
  expect(printType(translateRequestBody({}))).toContain('"*/*"?: never;');
});
