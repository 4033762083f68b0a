import { expect, test } from "vitest";
import { FunctionNames } from "../../../scripts/emit/validators/compiler/function-names.js";

test("the first of several keys with the same name keeps it, in any order", () => {
  const keys = ["d#/a", "d#/b", "d#/c"];
  const namesOf = (order: readonly string[]): string[] => {
    const names = new FunctionNames(new Map(order.map((key) => [key, key === "d#/a" ? "my pet" : "myPet"])));
    return keys.map((key) => names.getName(key));
  };
  const expected = [expect.stringMatching(/^myPet\$./), "myPet", expect.stringMatching(/^myPet\$./)];
  expect(namesOf(keys)).toEqual(expected);
  expect(namesOf(keys.toReversed())).toEqual(namesOf(keys));
});

test("names of paths that differ only in removed characters are different, and do not depend on each other", () => {
  const paths = ["properties/b-c", "properties/b.c", "properties/bc", "properties/-", "properties/+"];
  const namesOf = (order: readonly string[]): string[] => {
    const names = new FunctionNames(new Map([["d#/a", "pet"]]));
    return order.map((path) => names.getName(`d#/a/${path}`));
  };
  expect(new Set(namesOf(paths)).size).toBe(paths.length);
  expect(paths.flatMap((path) => namesOf([path]))).toEqual(namesOf(paths));
});

test.each("names evaluated enum const tracked current body".split(" "))(
  "the function of a property called %s does not take the name of a constant or function derived from its owner",
  (property) => {
    const names = new FunctionNames(new Map([["d#/a", "pet"]]));
    expect(names.getName(`d#/a/properties/${property}`)).toMatch(new RegExp(`^pet\\$${property}\\$.`));
  },
);
