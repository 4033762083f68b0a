import { expect, test } from "vitest";
import { MAX_KEY_LENGTH } from "../../../../src/domain/properties/index-rows.js";
import type { Condition, ElementTest } from "../../../../src/domain/query/condition.js";
import {
  findExactLookup,
  findLookupSets,
  mayScanValues,
  needsTextScan,
} from "../../../../src/storage/query/index-lookups.js";
import { plainProperty } from "../../../support/objects.js";

const property = plainProperty("prop", "Property", "rich_text");
const element = (test: ElementTest): Condition => ({ kind: "element", property, test });
const [exact, prefix, range, scan] = [
  element({ kind: "id", id: "one" }),
  element({ kind: "text", operator: "starts_with", text: "a" }),
  element({ kind: "range", range: { from: { value: 1, exclusive: false } } }),
  element({ kind: "text", operator: "contains", text: "a" }),
];

test.each<[string, Condition, Condition[][]]>([
  [
    "the members of a conjunction",
    { kind: "and", members: [scan, range, exact, prefix] },
    [[exact], [prefix], [range], [scan]],
  ],
  [
    "a disjunction, whose most expensive member counts",
    {
      kind: "and",
      members: [{ kind: "or", members: [exact, scan] }, range, { kind: "or", members: [exact, prefix] }],
    },
    [[exact, prefix], [range], [exact, scan]],
  ],
  [
    "the best lookup of each member of a disjunction",
    {
      kind: "or",
      members: [
        { kind: "and", members: [scan, exact] },
        { kind: "and", members: [range, prefix] },
      ],
    },
    [[exact, prefix]],
  ],
  [
    "no disjunction with a member without lookups",
    { kind: "or", members: [exact, { kind: "not", member: exact }] },
    [],
  ],
])("lookups are ordered by their cost: %s", (_, condition, expected) => {
  const lookupSets = findLookupSets(condition);
  expect(lookupSets).toEqual(expected);
  expect(lookupSets.map(mayScanValues)).toEqual(expected.map((lookupSet) => lookupSet.includes(scan)));
});

test("the pages of one lookup of an exact key are ordered by id, but not those of several lookups or of a range of keys", () => {
  const [first = [], second = [], others = []] = [
    exact,
    { kind: "or" as const, members: [exact, exact] },
    prefix,
  ].map((condition) => findLookupSets(condition)[0]);
  expect([first, second, others].map(findExactLookup)).toEqual([exact, undefined, undefined]);
});

test("a text that is as long as a key needs a scan, because many longer texts can begin with it", () => {
  for (const operator of ["equals", "starts_with"] as const) {
    const needsScan = (length: number) => needsTextScan({ kind: "text", operator, text: "x".repeat(length) });
    expect([needsScan(MAX_KEY_LENGTH - 1), needsScan(MAX_KEY_LENGTH)]).toEqual([false, true]);
  }
});
