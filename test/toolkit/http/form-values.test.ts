import { expect, test } from "vitest";
import { decodeFieldValue, decodeForm } from "../../../src/http/form-values.js";
import type { HttpField } from "../../../src/http/types.js";

test.for<[string, Omit<HttpField, "name"> | undefined, string, unknown]>([
  ["that is not declared", undefined, "5", "5"],
  ["of a number", { type: "number" }, "5", 5],
  ["of a list of numbers", { type: "array", itemType: "number" }, "5", 5],
  ["of an object, which is no number for the validator", { type: "object" }, "5", "5"],
  ["of a list of objects", { type: "array", itemType: { items: "number" } }, "5", "5"],
  ["of JSON or text, which begins like JSON", { type: "mixed" }, '{"a":5}', { a: 5 }],
  ["of JSON or text", { type: "mixed" }, "5", "5"],
  ["of JSON or a number", { type: "mixed", scalarType: "number" }, "5", 5],
])("decodes a part %s", ([, declared, text, expected]) => {
  const field = declared && { name: "part", ...declared };
  expect(decodeFieldValue(field, "part", Buffer.from(text), "text/plain")).toEqual(expected);
});

test("a list of JSON that can also be a scalar is a list if it is sent several times", () => {
  const field: HttpField = { name: "a", type: "array", itemType: "json", scalarType: "number" };
  expect(decodeForm([field], "a=1")).toEqual({ a: 1 });
  expect(decodeForm([field], "a=1&a=2")).toEqual({ a: [1, 2] });
});

test("decodes a name that a form repeats more often than a function can have arguments", () => {
  const field: HttpField = {
    name: "f",
    style: "deepObject",
    explode: true,
    type: "object",
    properties: { a: { items: "string" } },
  };
  expect(decodeForm([field], Array(200_000).fill("f[a]=").join("&"))).toEqual({
    f: { a: Array(200_000).fill("") },
  });
});

test("the members of a deepObject field are no undeclared members of an exploded object", () => {
  const exploded = { type: "object", explode: true } as const;
  const fields: HttpField[] = [
    { ...exploded, name: "filter", style: "deepObject", properties: { a: "string" } },
    { ...exploded, name: "meta", style: "form", itemType: "string", additionalProperties: true },
  ];
  expect(decodeForm(fields, "filter[a]=1&b=2")).toEqual({ filter: { a: "1" }, meta: { b: "2" } });
});

test("an exploded object with a member without a name reserves no other names", () => {
  const meta = {
    name: "meta",
    style: "form",
    explode: true,
    type: "object",
    properties: { "": "string" },
  } as const;
  const fields: HttpField[] = [{ ...meta, itemType: "string", additionalProperties: true }];
  expect(decodeForm(fields, "=1&b=2")).toEqual({ meta: { "": "1", b: "2" } });
});

test("the members of a deepObject field whose name has brackets are no undeclared members", () => {
  const exploded = { type: "object", explode: true } as const;
  const fields: HttpField[] = [
    { ...exploded, name: "x[y]", style: "deepObject", properties: { a: "string" } },
    { ...exploded, name: "meta", style: "form", itemType: "string", additionalProperties: true },
  ];
  expect(decodeForm(fields, "x[y][a]=1&b=2")).toEqual({ "x[y]": { a: "1" }, meta: { b: "2" } });
});
