import { expect, test } from "vitest";
import { EncodedJson } from "../../../../src/http/responses/encoded-json.js";
import { estimateSize } from "../../../../src/operations/execution/response-size.js";

// A list or an object counts one byte more, and every number, boolean and null counts 5 bytes.
test.each<[unknown, number]>([
  ["", 0],
  ["abc", 0],
  ["é", 0],
  ["🧭", 0],
  ['"', 0],
  ["\\", 0],
  ["\u0001\n", 0],
  [[], 0],
  [{}, 0],
  [["a", "é"], 1],
  [{ a: "b", cd: "e" }, 1],
  [{ é: "b", '"': "e" }, 1],
  [{ a: ["b", { c: "d" }] }, 3],
  [12_345, 0],
  [null, 1],
  [[true, false, 1], 1 + 1 + 0 + 4],
])("the size of %j is estimated with %d bytes too many", (value, excess) => {
  expect(estimateSize(value)).toBe(Buffer.byteLength(JSON.stringify(value)) + excess);
});

test("the size of JSON that is encoded already is known", () => {
  const bytes = Buffer.from('{"a":"é"}');
  expect(estimateSize([new EncodedJson(bytes)])).toBe(2 + 1 + bytes.length);
});
