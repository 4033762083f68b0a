import { expect, test } from "vitest";
import { pathWriter, unreachablePath, writePath } from "../../../src/fetch/path.js";

test("a template is filled with percent-encoded values", () => {
  expect(writePath("/a/{x}/{y}.json", { x: "b/c d", y: 1 })).toBe("/a/b%2Fc%20d/1.json");
  expect(writePath("/{constructor}", { constructor: "x" })).toBe("/x");
  expect(() => writePath("/{constructor}", {})).toThrow("The path parameter constructor is empty");
  expect(writePath("/a(b)[c]|^/{x[]}", { "x[]": "y" })).toBe("/a(b)%5Bc%5D%7C%5E/y");
  expect(writePath("/10%off/a\\b/%41/%C3", {})).toBe("/10%25off/a%5Cb/%41/%C3");
});

test.each(["", ".", "..", null, undefined])("a segment %j is refused", (x) => {
  expect(() => writePath("/a/{x}/b", { x })).toThrow("The path parameter x is empty, . or ..");
});

test("a segment of encoded dots is refused, because URL parsers read it as ..", () => {
  const writers = { x: pathWriter("label*", "") };
  expect(() => writePath("/a/{x}", { x: ["."] }, writers)).toThrow("The path parameter x is empty, . or ..");
});

test("a template with a literal dot segment is refused", () => {
  expect(() => unreachablePath("/a/../b")).toThrow("it has a segment . or ..");
});

test.each([
  ["simple", ["a", "b,c"], "a,b%2Cc"],
  ["simple", ["a", undefined, null, "b"], "a,b"],
  ["simple", ["", "a"], ",a"],
  ["simple", [{ a: 1 }], "%7B%22a%22%3A1%7D"],
  ["simple", { r: 1, g: 2 }, "r,1,g,2"],
  ["simple", { r: 1, g: null, b: undefined }, "r,1"],
  ["simple*", { r: 1, g: 2 }, "r=1,g=2"],
  ["simple", { "a=b": 1 }, "a%3Db,1"],
  ["simple*", { "a=b": 1 }, "a%3Db=1"],
  ["label", ["a", "b"], ".a,b"],
  ["label*", ["a", "b"], ".a.b"],
  ["label*", "a.b", ".a.b"],
  ["label*", { r: 1, g: 2 }, ".r=1.g=2"],
  ["matrix", ["a", "b"], ";x=a,b"],
  ["matrix*", ["a", "b"], ";x=a;x=b"],
  ["matrix", { r: 1, g: 2 }, ";x=r,1,g,2"],
  ["matrix*", { r: 1 }, ";r=1"],
  ["matrix*", "a", ";x=a"],
  ["matrix*", [], ";x"],
  ["matrix", "", ";x"],
  ["json", { a: 1 }, "%7B%22a%22%3A1%7D"],
])("style %s of %j", (style, value, text) => {
  expect(pathWriter(style, "")("x", value)).toBe(text);
});

test("the style matrix percent-encodes the name of its parameter", () => {
  expect(pathWriter("matrix", "")("a b", ["c"])).toBe(";a%20b=c");
});

test("characters of the adjacent text are encoded in a value", () => {
  expect(pathWriter("simple", ".-")("x", "a.b-c_d")).toBe("a%2Eb%2Dc_d");
  expect(pathWriter("label", "-")("x", "a.b-c")).toBe(".a.b%2Dc");
  expect(pathWriter("label*", "-")("x", ["a.b-c"])).toBe(".a%2Eb%2Dc");
  expect(pathWriter("matrix*", "-")("x", ["a-b"])).toBe(";x=a%2Db");
  expect(pathWriter("json", "-")("x", ["a-b"])).toBe("%5B%22a%2Db%22%5D");
  expect(pathWriter("simple", "!'()*~_")("x", "!'()*~_")).toBe("%21%27%28%29%2A%7E%5F");
});
