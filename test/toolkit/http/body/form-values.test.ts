import { expect, test } from "vitest";
import { addValue, decodeFieldValue, decodeForm } from "../../../../src/http/body/form-values.js";
import type { HttpField } from "../../../../src/http/types.js";

test.for<[string, Omit<HttpField, "name"> | undefined, string, unknown]>([
  ["that is not declared", undefined, "5", "5"],
  ["of a number", { type: "number" }, "5", 5],
  ["of a list of numbers", { type: { items: "number" } }, "5", 5],
  ["of an object, which is no number for the validator", { type: { properties: {} } }, "5", "5"],
  ["of a list of objects", { type: { items: { items: "number" } } }, "5", "5"],
  ["of JSON or text, which begins like JSON", { type: { jsonOr: "string" } }, '{"a":5}', { a: 5 }],
  ["of JSON or text, which begins like a list", { type: { jsonOr: "string" } }, "[5]", [5]],
  ["of JSON or text", { type: { jsonOr: "string" } }, "5", "5"],
  ["of JSON or a number", { type: { jsonOr: "number" } }, "5", 5],
])("decodes a part %s", ([, declared, text, expected]) => {
  const field = declared && { name: "part", ...declared };
  expect(decodeFieldValue(field, "part", Buffer.from(text), "text/plain")).toEqual(expected);
});

test("a list of JSON that can also be a scalar is a list if it is sent several times", () => {
  const field: HttpField = { name: "a", type: { items: "json", scalarType: "number" } };
  expect(decodeForm([field], "a=1")).toEqual({ a: 1 });
  expect(decodeForm([field], "a=1&a=2")).toEqual({ a: [1, 2] });
});

test("a field of JSON that is not sent has no value, and a list of JSON has one item if it is sent once", () => {
  const fields: HttpField[] = [
    { name: "one", type: "json" },
    { name: "either", type: { jsonOr: "string" } },
    { name: "list", type: { items: "json" } },
  ];
  expect(decodeForm(fields, "")).toEqual({});
  expect(decodeForm(fields, "one={}&either=x&list={}")).toEqual({ one: {}, either: "x", list: [{}] });
});

test("a part that is sent several times is a list of all its values, also if the first one is empty", () => {
  const values = {};
  for (const value of ["", 0, "a"]) addValue(values, undefined, "a", value);
  expect(values).toEqual({ a: ["", 0, "a"] });
  const list: HttpField = { name: "b", type: { items: "string" } };
  for (const value of ["", "a", "b"]) addValue(values, list, "b", value);
  expect(values).toMatchObject({ b: ["", "a", "b"] });
});

test("a field of JSON that is sent several times, and an undeclared field, have all their values", () => {
  const fields: HttpField[] = [
    { name: "one", type: "json" },
    { name: "", additional: true, type: "integer", style: "form", explode: true },
  ];
  expect(decodeForm(fields, "one=1&one=2&none=0")).toEqual({ one: [1, 2], none: 0 });
  expect(decodeForm([], "a=1&a=2&b=3")).toEqual({ a: ["1", "2"], b: "3" });
});

test("decodes a name that a form repeats more often than a function can have arguments", () => {
  const field: HttpField = {
    name: "f",
    style: "deepObject",
    explode: true,
    type: { properties: { a: { items: "string" } } },
  };
  expect(decodeForm([field], Array(200_000).fill("f[a]=").join("&"))).toEqual({
    f: { a: Array(200_000).fill("") },
  });
});

test("the members of a deepObject field are no undeclared members of an exploded object", () => {
  const fields: HttpField[] = [
    { name: "filter", style: "deepObject", explode: true, type: { properties: { a: "string" } } },
    { name: "meta", style: "form", explode: true, type: { properties: {}, additionalProperties: "string" } },
  ];
  expect(decodeForm(fields, "filter[a]=1&b=2")).toEqual({ filter: { a: "1" }, meta: { b: "2" } });
});

test("the properties of an object without a style are no undeclared fields", () => {
  const fields: HttpField[] = [{ name: "a", type: { properties: { b: "string" } } }];
  expect(decodeForm(fields, "b=1&c=2")).toEqual({ a: { b: "1" }, c: "2" });
});

test("an exploded object with a member without a name reserves no other names", () => {
  const type = { properties: { "": "string" }, additionalProperties: "string" } as const;
  const fields: HttpField[] = [{ name: "meta", style: "form", explode: true, type }];
  expect(decodeForm(fields, "=1&b=2")).toEqual({ meta: { "": "1", b: "2" } });
});

test("the members of a deepObject field whose name has brackets are no undeclared members", () => {
  const fields: HttpField[] = [
    { name: "x[y]", style: "deepObject", explode: true, type: { properties: { a: "string" } } },
    { name: "meta", style: "form", explode: true, type: { properties: {}, additionalProperties: "string" } },
  ];
  expect(decodeForm(fields, "x[y][a]=1&b=2")).toEqual({ "x[y]": { a: "1" }, meta: { b: "2" } });
});
