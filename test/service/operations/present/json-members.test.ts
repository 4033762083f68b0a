import { expect, test } from "vitest";
import { splitMembers } from "../../../../src/operations/present/json-members.js";
import { Random, takeSeed } from "../../../support/random.js";

const TEXTS = ["", "a", 'quo"te', "back\\", '\\"', ",", "}", "]{[:", "ü🚀", "\u0000\n", '"a":1'];

function randomValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 5 : 3);
  if (kind === 0) return random.pick(TEXTS);
  if (kind < 3) return random.pick([0, -1.5e-7, 1e21, true, false, null]);
  const values = Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  return kind === 3 ? values : Object.fromEntries(values.map((value) => [random.pick(TEXTS), value]));
}

test("random objects are split into the JSON of their members", () => {
  const seed = takeSeed();
  const random = new Random(seed);
  for (let round = 0; round < 3000; round += 1) {
    const names = random.some(["title", "a1-_", "", "ü", "__proto__", "a,b:{"]);
    const entries = names.map((name): [string, unknown] => [name, randomValue(random, 3)]);
    const json = JSON.stringify(Object.fromEntries(entries));
    const expected = new Map(entries.map(([name, value]) => [name, JSON.stringify(value)]));
    expect(splitMembers(json), `SEED=${seed}, round ${round}: ${json}`).toEqual(expected);
  }
});

test.for([
  ["spaces before a name", '{ "a":1}'],
  ["spaces before a colon", '{"a" :1}'],
  ["spaces after a comma", '{"a":1, "b":2}'],
  ["a quote in a name", JSON.stringify({ 'a":"b': 1 })],
  ["a backslash in a name", JSON.stringify({ "\\": 1 })],
  ["a name without an end", '{"a'],
  ["a list", "[1,2]"],
  ["a value that is no object", "null"],
] as const)("%s: not split", ([, json]) => {
  expect(splitMembers(json)).toBeUndefined();
});

test("JSON that is cut off anywhere has an end", () => {
  const json = '{"a":"b\\"","c":[{"d":"e"}],"f":null}';
  for (let length = 0; length < json.length; length += 1) splitMembers(json.slice(0, length));
});
