import { expect, test } from "vitest";
import { encodeJson } from "../../../../src/http/responses/encode-json.js";
import { joinEncodedJson, joinParts, LARGE_BODY_BYTES } from "../../../../src/http/responses/encoded-json.js";
import { decodeJson, EncodedJson } from "../../../../src/http/index.js";
import { Random, takeSeed } from "../../../support/random.js";
import { serve } from "../server.js";

const text = (body: unknown): string => joinParts(encodeJson(body)).toString();
const encode = (value: unknown): EncodedJson<unknown> => new EncodedJson(JSON.stringify(value));
const encodeEach = (...items: unknown[]): readonly EncodedJson<unknown>[] => items.map(encode);

test.for<[string, unknown]>([
  ["encoded JSON as body", encode({ a: ["ü🚀"] })],
  ["a list of encoded JSON among other members", { object: "list", results: encodeEach({ a: 1 }, { b: [2] }), next_cursor: null, has_more: false }], // prettier-ignore
  [
    "encoded members first, last and twice",
    { a: encode([]), b: 1, c: encodeEach({ d: {} }, []), e: encode({}) },
  ],
  ["members that JSON cannot represent", { a: undefined, list: encodeEach({}), c: () => 1, d: Symbol("e") }], // prettier-ignore
  ["only such members, and a list", { a: undefined, list: encodeEach({}) }],
  ["items that JSON cannot represent", { list: [...encodeEach({}), undefined, () => 1, null, Number.NaN] }],
  ["other items among encoded ones", { list: [{ b: 2 }, ...encodeEach({ a: 1 }), "c", 3, true, ...encodeEach({})] }], // prettier-ignore
  ["a list as body", encodeEach({ a: 1 }, { b: 2 })],
  ["a list in a list, and in a nested object", { list: [encodeEach({ a: 1 })], deep: { list: encodeEach({ b: 1 }), member: encode(1) } }], // prettier-ignore
  ["text of any script, lone surrogates, quotes and controls", { "ü\"\n": "🚀", list: encodeEach({ "\u2028\ud800": "日本\0\\\u007f" }) }], // prettier-ignore
  ["objects with toJSON", { list: [new Date(0), { toJSON: () => ({ a: [1] }) }, { toJSON: () => undefined }, encode(1)], at: new Date(1) }], // prettier-ignore
  ["a body with toJSON", { list: encodeEach({ a: 1 }), toJSON: () => "me" }],
  ["names of prototypes", JSON.parse('{"__proto__":1,"list":[],"constructor":2}')],
  ["an empty list", { list: [], other: encodeEach() }],
  ["null in a list", { list: [null] }],
  ["a class instance", new Map([["a", encode({})]])],
])("%s, as JSON.stringify", ([, body]) => {
  expect(text(body)).toBe(JSON.stringify(body));
});

test("random bodies like JSON.stringify", () => {
  const seed = takeSeed();
  const random = new Random(seed);
  for (let round = 0; round < 2000; round += 1) {
    const body = randomValue(random, 4);
    expect(text(body), `SEED=${seed}, round ${round}`).toBe(JSON.stringify(body));
  }
});

test("a body of any size, as JSON.stringify", () => {
  for (const length of [LARGE_BODY_BYTES / 2, LARGE_BODY_BYTES, 3 * LARGE_BODY_BYTES]) {
    const body = { list: encodeEach("ü".repeat(length), "🚀"), rest: "é" };
    expect(text(body)).toBe(JSON.stringify(body));
    const alternating = encodeEach("a", "b".repeat(length), "c", "d", "ü".repeat(length), "e".repeat(length));
    expect(text(alternating)).toBe(JSON.stringify(alternating));
  }
});

test("encoded items are joined to an encoded list", () => {
  for (const items of [[], ["ü"], ["🚀", { a: 1 }], ["é".repeat(LARGE_BODY_BYTES), 1, "a"]]) {
    const list = joinEncodedJson(items.map(encode));
    expect(list.toJSON()).toEqual(items);
    expect(text(list)).toBe(JSON.stringify(items));
  }
});

test("large encoded JSON is sent without being copied", () => {
  const large = encode("a".repeat(LARGE_BODY_BYTES));
  expect(encodeJson({ results: large, rest: 1 })).toEqual(['{"results":', large.bytes, ',"rest":1}']);
  expect(encodeJson({ results: large, rest: 1 })[1]).toBe(large.bytes);
});

test("encoded JSON is decoded to the value that it was made from", () => {
  for (const length of [1, LARGE_BODY_BYTES]) {
    const made = { a: ["ü🚀".repeat(length)] };
    const json = JSON.stringify(made);
    for (const encoded of [new EncodedJson<object>(json), new EncodedJson<object>(Buffer.from(json))])
      expect(decodeJson(encoded)).toEqual(made);
  }
  const value = { a: 1 };
  expect(decodeJson(value)).toBe(value);
});

test.each([1, LARGE_BODY_BYTES])("is sent with its length in bytes, %s times a text", async (times) => {
  const body = { list: encodeEach({ a: "ü🚀".repeat(times) }), b: "é" };
  const response = await fetch(`${await serve({ handler: async () => ({ status: 200, body }) })}/things`);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(JSON.stringify(body))));
  expect(await response.text()).toBe(JSON.stringify(body));
});

const SCALARS = [null, true, 0, -1.5, "", "a,b", 'ü"\\\n', "🚀", "\ud800", Number.NaN, undefined];

/** Generates a random value. Some parts of it are encoded JSON. */
function randomValue(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 5 : 1);
  if (kind < 1) return depth < 4 ? random.pick(SCALARS) : null;
  const members = Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  const made = kind < 3 ? members : Object.fromEntries(members.map((member, index) => [`m${index}`, member]));
  return random.below(2) > 0 ? made : encode(made);
}
