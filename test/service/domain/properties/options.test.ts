import { expect, test } from "vitest";
import {
  createStatusConfig,
  mergeOptions,
  OptionList,
  parseOption,
} from "../../../../src/domain/properties/options.js";

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

test("a new option needs a name, and gets a description and a color: by default the next one", () => {
  const options = mergeOptions(
    [],
    [{ name: "a", description: "First" }, { name: "b" }, { name: "c", color: "pink" }],
  );
  expect(options).toMatchObject([
    { name: "a", color: "default", description: "First" },
    { name: "b", color: "gray", description: null },
    { name: "c", color: "pink", description: null },
  ]);
  expect(() => mergeOptions([], [{ id: "a" }])).toThrow(
    'no option has the id "a". Give a new option a name.',
  );
});

test("an option that a value adds has the color and the description of the request", () => {
  const input = { name: "a", color: "pink", description: "First" };
  expect(parseOption(input, "Tags", new OptionList([]), true)).toMatchObject(input);
});

test("the options of a property that becomes a status are in the first group, except those with a default name", () => {
  const { options, groups } = createStatusConfig(mergeOptions([], [{ name: "Done" }, { name: "Later" }]));
  const names = new Map(options.map(({ id, name }) => [id, name]));
  expect([...names.values()]).toEqual(["Done", "Later", "Not started", "In progress"]);
  expect(groups.map(({ optionIds }) => optionIds.map((id) => names.get(id)))).toEqual([
    ["Not started", "Later"],
    ["In progress"],
    ["Done"],
  ]);
});
