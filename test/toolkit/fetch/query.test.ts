import { expect, test } from "vitest";
import { queryWriter, untypedQueryWriter, writeQuery } from "../../../src/fetch/query.js";

test("lists are repeated, members of objects have their own names, and undefined and null are omitted", () => {
  const query = {
    a: [1, null, 2],
    b: { c: true, d: undefined },
    e: undefined,
    f: null,
    "g h": "&",
    constructor: 1,
  };
  expect(writeQuery(query)).toBe("a=1&a=2&c=true&g%20h=%26&constructor=1");
  const writers = { e: queryWriter("json"), f: queryWriter("comma") };
  expect(writeQuery({ e: undefined, f: null }, writers)).toBe("");
});

test.each([
  ["form+", "a/b?c&d", ["x=a/b?c%26d"]],
  ["form+", ["a/b", "c"], ["x=a/b", "x=c"]],
  ["form", { page: 1, sort: ["a,asc", null, "b"], tags: [] }, ["page=1", "sort=a%2Casc", "sort=b"]],
  ["form", { a: { b: 1 }, c: [{ d: 2 }], e: null }, ["a=%7B%22b%22%3A1%7D", "c=%7B%22d%22%3A2%7D"]],
  ["comma", ["a", "b,c"], ["x=a,b%2Cc"]],
  ["comma", { r: 1, g: 2 }, ["x=r,1,g,2"]],
  ["comma+", "a,b", ["x=a,b"]],
  ["comma+", ["a", "b,c,:"], ["x=a,b%2Cc%2C:"]],
  ["spaceDelimited", ["a", "b"], ["x=a%20b"]],
  ["pipeDelimited", ["a", "b"], ["x=a%7Cb"]],
  [
    "deepObject",
    { a: 1, b: [2, 3], c: { d: 4 } },
    ["x%5Ba%5D=1", "x%5Bb%5D%5B0%5D=2", "x%5Bb%5D%5B1%5D=3", "x%5Bc%5D%5Bd%5D=4"],
  ],
  ["deepObject", { a: null, b: 1, c: undefined }, ["x%5Bb%5D=1"]],
  ["json", { a: [1] }, ["x=%7B%22a%22%3A%5B1%5D%7D"]],
  ["json*", [{ a: 1 }, "b"], ["x=%7B%22a%22%3A1%7D", "x=%22b%22"]],
])("style %s of %j", (style, value, pairs) => {
  expect(queryWriter(style)("x", value)).toEqual(pairs);
});

test.each([
  ["comma", [""], "looks like an empty list"],
  ["spaceDelimited", ["a b"], 'contains the delimiter " "'],
  ["pipeDelimited", ["a", "b|"], 'contains the delimiter "|"'],
  ["deepObject", { "a]": 1 }, "contains brackets"],
  ["deepObject", { a: { "[b": 1 } }, "contains brackets"],
  ["deepObject", { "": 1 }, "is empty"],
])("style %s refuses %j, which is ambiguous", (style, value, message) => {
  expect(() => queryWriter(style)("x", value)).toThrow(message);
});

test("a parameter without a declared type takes texts and lists, but no objects", () => {
  const write = untypedQueryWriter("comma");
  expect([write("x", "a"), write("x", ["a", "b"])]).toEqual([["x=a"], ["x=a,b"]]);
  expect(() => write("x", { a: 1 })).toThrow("an object needs a declared type");
});
