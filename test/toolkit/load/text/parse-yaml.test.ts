import { expect, test } from "vitest";
import { parseYaml } from "../../../../scripts/load/text/parse-yaml.js";
import { SourceText } from "../../../../scripts/load/text/source-text.js";

const parse = (text: string): unknown => parseYaml(new SourceText("/spec.yaml", text));

test.each([
  "1.10",
  "+1",
  "007",
  "0x1F",
  "1e3",
  "2.0",
  "12345678901234567890",
  "True",
  "~",
  ".inf",
  "it''s",
  "a\\nb",
])("the key %s is a text as it is written", (key) => {
  expect(parse(`${key}: 1\nother: {${key}: 2}\n`)).toEqual({ [key]: 1, other: { [key]: 2 } });
});

test("two keys that are the same number are different", () => {
  expect(parse("1.10: a\n1.1: b\n")).toEqual({ "1.10": "a", "1.1": "b" });
  expect(() => parse('1.10: a\n"1.10": b\n')).toThrow("duplicated mapping key");
});

test("values keep their types, and merge keys are followed", () => {
  expect(parse("a: &base { 200: 1.10, b: true }\nc: { <<: *base, d: [1, ~] }\n")).toEqual({
    a: { "200": 1.1, b: true },
    c: { "200": 1.1, b: true, d: [1, null] },
  });
});

test("a JSON file that is YAML may have slashes in strings, but no comments", () => {
  const parseJsonFile = (text: string): unknown => parseYaml(new SourceText("/spec.json", text));
  expect(parseJsonFile(`{'a': '//b', "c": "/*d"}`)).toEqual({ a: "//b", c: "/*d" });
  expect(() => parseJsonFile(`{'a': 1 // b\n}`)).toThrow("JSON has no comments");
});
