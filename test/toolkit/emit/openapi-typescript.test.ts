import { expect, test } from "vitest";
import {
  createPlaceholderSchema,
  translateRequestBody,
  translateResponse,
} from "../../../scripts/emit/types/openapi-typescript.js";
import { createTypeName, printType, type Type } from "../../../scripts/emit/types/type.js";

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
