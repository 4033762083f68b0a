import { expect, test } from "vitest";
import { FunctionNames } from "../../../scripts/emit/validators/compiler/names.js";

test("the first of several keys with the same name keeps it, in any order", () => {
  const keys = ["d#/a", "d#/b", "d#/c"];
  const namesOf = (order: readonly string[]): string[] => {
    const names = new FunctionNames(new Map(order.map((key) => [key, key === "d#/a" ? "my pet" : "myPet"])));
    return keys.map((key) => names.nameOf(key));
  };
  const expected = [expect.stringMatching(/^myPet\$./), "myPet", expect.stringMatching(/^myPet\$./)];
  expect(namesOf(keys)).toEqual(expected);
  expect(namesOf(keys.toReversed())).toEqual(namesOf(keys));
});
