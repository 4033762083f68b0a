import { expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import type { HttpField } from "../../../src/http/types.js";
import { convertAndValidate } from "../../../src/http/convert-and-validate.js";
import { compileValidator } from "../validators/compiled.js";

/** Checks the value of a field `p` that was decoded from text, and returns it, or the message for an invalid value. */
function check(schema: JsonObject, value: unknown, field: Partial<HttpField> = {}): unknown {
  const values = { p: value };
  const fields: HttpField[] = [{ name: "p", type: "string", ...field }];
  try {
    convertAndValidate(compileValidator({ properties: { p: schema } }), "query", values, fields);
    return values.p;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

const SHORT = { type: "string", maxLength: 2 };
const LIST = { type: "array", items: { anyOf: [SHORT, { type: "number" }, { type: "boolean" }] } };

test.for<[string, JsonObject, unknown, unknown]>([
  ["text that is too long", { type: ["integer", "string"], maxLength: 2 }, "123", 123],
  ["text that is allowed", { type: ["integer", "string"], maxLength: 2 }, "12", "12"],
  ["a number beside listed texts", { enum: ["1", 1, 2] }, "2", 2],
  ["a boolean in a union", { anyOf: [SHORT, { type: "boolean" }] }, "true", true],
  ["a number beside texts with a pattern", { type: ["number", "string"], pattern: "^[a-z]+$" }, "1.5", 1.5],
  ["a boolean beside longer texts", { type: ["boolean", "string"], minLength: 6 }, "false", false],
  ["items", LIST, ["a", "1", "1.5", "false"], ["a", "1", 1.5, false]],
  ["a member", { additionalProperties: { type: "integer" } }, { "a/b": "1", c: 2 }, { "a/b": 1, c: 2 }],
  ["a member with the name of a prototype", { type: "object" }, JSON.parse('{"__proto__":"1"}'), { ["__proto__"]: "1" }], // prettier-ignore
])("%s", ([, schema, value, expected]) => {
  expect(check(schema, value)).toEqual(expected);
});

test("a text that is not allowed alone is the only item of a list", () => {
  const schema: JsonObject = { anyOf: [{ type: "array", items: { type: "integer" } }, { const: "all" }] };
  const list = { type: { items: "integer" } } as const;
  expect(check(schema, "all", list)).toBe("all");
  expect(check(schema, "5", list)).toEqual([5]);
  expect(check({ anyOf: [schema, { type: "boolean" }] }, 5, list)).toEqual([5]);
  expect(check({ type: "array" }, { placeholder: "file 1" }, list)).toEqual([{ placeholder: "file 1" }]);
  expect(check({ type: "array" }, 7, { type: { items: "string" } })).toMatch(/instead was `7`/);
  expect(check(schema, "some", list)).toMatch(/instead was `"some"`/);
});

test("a value of an additional field is converted, too", () => {
  expect(check({ type: "integer" }, "1", { name: "", additional: true })).toBe(1);
});

test("an invalid value is reported as it was sent", () => {
  expect(check(SHORT, "123")).toBe(
    "query failed validation: query.p.length should be ≤ `2`, instead was `3`.",
  );
  const message = 'query failed validation: query.p[1] should be an integer, instead was `"a"`.';
  expect(check({ type: "array", items: { type: "integer" } }, [1, "a"])).toBe(message);
});

test("strings in a list and in an object are converted, unless a member is JSON", () => {
  const integers: JsonObject = { type: "array", items: { type: "integer" } };
  expect(check(integers, ["1"], { type: { items: "string" } })).toEqual([1]);
  const members: JsonObject = { properties: { a: { type: "integer" } } };
  const type = { properties: { a: "string", b: "json" } } as const;
  expect(check(members, { a: "1" }, { type: { properties: { a: "string" } } })).toEqual({ a: 1 });
  expect(check(members, { a: "1" }, { type })).toMatch(/instead was `"1"`/);
});

test("a text in a list of lists is the only item of its list", () => {
  const lists: JsonObject = { type: "array", items: { type: "array", items: { type: "integer" } } };
  expect(check(lists, ["5"], { type: { items: { items: "integer" } } })).toEqual([[5]]);
});

test("strings in JSON are not converted", () => {
  expect(check({ type: "integer" }, "1", { type: "json" })).toMatch(/instead was `"1"`/);
});
