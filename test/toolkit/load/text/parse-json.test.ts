import { describe, expect, it } from "vitest";
import { parseJson } from "../../../../scripts/load/text/parse-json.js";

describe("parseJson", () => {
  it.each([
    '{"a": 1, "b": {"a": 1}, "c": [{"a": 1}, {"a": 2}]}',
    '{"a" : 1,\t"b"\n\r\t : 2}',
    '{"a:": "x: y", "\\"": "\\\\", "\\\\\\"b": ["c", ":", "\\":"]}',
    '["a", "b"]',
    '":"',
    "{}",
  ])("parses %j", (text) => {
    expect(parseJson(text)).toEqual(JSON.parse(text));
  });

  it.each([
    '{"a": 1, "a": 2}',
    '{"a" : 1, "a"\n: 1}',
    '[{"b": {"a": 1, "\\u0061": ":"}}]',
    '{"a": 1',
    "a: 1",
  ])("leaves %j to the YAML parser, because it is not JSON or has a duplicate key", (text) => {
    expect(parseJson(text)).toBeUndefined();
  });
});
