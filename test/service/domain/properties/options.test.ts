import { expect, test } from "vitest";
import { mergeOptions, OptionList } from "../../../../src/domain/properties/options.js";

test("an option is found by its id before its name, or by its name alone", () => {
  const common = { color: "default", description: null } as const;
  const [first, second] = [
    { ...common, id: "a", name: "b", rank: 0 },
    { ...common, id: "b", name: "c", rank: 1 },
  ] as const;
  const list = new OptionList([first, second]);
  for (const [request, expected] of [
    [{ id: "b" }, second],
    [{ id: "b", name: "b" }, second],
    [{ id: "none", name: "b" }, first],
    [{ name: "b" }, first],
    [{ id: "c" }, undefined],
    [{ name: "a" }, undefined],
    [{ name: null }, undefined],
    [{}, undefined],
  ] as const)
    expect(list.find(request)).toBe(expected);
  const found = ["a", "b", "c", ""].map((name) => list.find({ name }));
  expect(found).toEqual([undefined, first, second, undefined]);
});

test("a schema change keeps an option by its id, and cannot rename it", () => {
  const option = { id: "a", name: "b", color: "default", description: null, rank: 0 } as const;
  expect(mergeOptions([option], [{ id: "a" }])).toEqual([option]);
  expect(() => mergeOptions([option], [{ id: "a", name: "c" }])).toThrow("Cannot update name of select");
});

test.each([
  ["", "the name must not be empty."],
  [" ", "the name must not be empty."],
  ["x".repeat(101), "the name has more than 100 characters."],
  ["a,b", "commas not allowed: a,b"],
])("a new option cannot have the name %j", (name, reason) => {
  expect(() => mergeOptions([], [{ name }])).toThrow(`Invalid select option, ${reason}`);
});
