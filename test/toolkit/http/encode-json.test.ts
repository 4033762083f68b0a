import { expect, test } from "vitest";
import { encodeJson } from "../../../src/http/encode-json.js";
import { Random, takeSeed } from "../../support/random.js";
import { serve } from "./server.js";

const text = (body: unknown): string => Buffer.from(encodeJson(body)).toString();
const freeze = (...items: object[]): readonly object[] => items.map((item) => Object.freeze(item));

test.for<[string, unknown]>([
  ["a list of frozen objects among other members", { object: "list", results: freeze({ a: 1 }, { b: [2] }), next_cursor: null, has_more: false }], // prettier-ignore
  ["frozen lists first, last and twice", { a: freeze({}), b: 1, c: freeze({ d: {} }, []) }],
  ["members that JSON cannot represent", { a: undefined, list: freeze({ b: undefined }), c: () => 1, d: Symbol("e") }], // prettier-ignore
  ["only such members, and a list", { a: undefined, list: freeze({}) }],
  ["items that JSON cannot represent", { list: [...freeze({}), undefined, () => 1, null, Number.NaN] }],
  ["mutable items among frozen ones", { list: [...freeze({ a: 1 }), { b: 2 }, "c", 3, true, ...freeze({})] }], // prettier-ignore
  ["a list as body", freeze({ a: 1 }, { b: 2 })],
  ["a list in a list, and in a nested object", { list: [freeze({ a: 1 })], deep: { list: freeze({ b: 1 }) } }], // prettier-ignore
  ["text of any script, lone surrogates, quotes and controls", { "ü\"\n": "🚀", list: freeze({ "\u2028\ud800": "日本\0\\\u007f" }) }], // prettier-ignore
  ["objects with toJSON", { list: freeze(new Date(0), { toJSON: () => ({ a: [1] }) }, { toJSON: () => undefined }), at: new Date(1) }], // prettier-ignore
  ["a body with toJSON", { list: freeze({ a: 1 }), toJSON: () => "me" }],
  ["names of prototypes", JSON.parse('{"__proto__":1,"list":[],"constructor":2}')],
  ["an empty list", { list: [], other: freeze() }],
  ["null in a list", { list: [null] }],
  ["a class instance", new Map([["a", freeze({})]])],
])("%s, as JSON.stringify", ([, body]) => {
  expect(text(body)).toBe(JSON.stringify(body));
  // The second call returns the cached text of the first.
  expect(text(body)).toBe(JSON.stringify(body));
});

test("random bodies like JSON.stringify", () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const shared: object[] = [];
  for (let round = 0; round < 2000; round += 1) {
    const body = randomValue(random, shared, 4);
    expect(text(body), `SEED=${seed}, round ${round}`).toBe(JSON.stringify(body));
  }
});

test("a frozen item is encoded once, alone and in lists, and a mutable item each time", () => {
  let written = 0;
  const item = (frozen: boolean): object => {
    const counting = { toJSON: () => ({ written: (written += 1) }) };
    return frozen ? Object.freeze(counting) : counting;
  };
  const [kept, open] = [item(true), item(false)];
  expect(text({ list: [kept, open] })).toBe('{"list":[{"written":1},{"written":2}]}');
  expect(text({ list: [kept, open, kept] })).toBe('{"list":[{"written":1},{"written":3},{"written":1}]}');
  expect(text([kept])).toBe('[{"written":1}]');
});

test("is sent with its length in bytes", async () => {
  const body = { list: freeze({ a: "ü🚀" }), b: "é" };
  const response = await fetch(`${await serve({ handler: async () => ({ status: 200, body }) })}/things`);
  expect(response.headers.get("content-type")).toBe("application/json; charset=utf-8");
  expect(response.headers.get("content-length")).toBe(String(Buffer.byteLength(JSON.stringify(body))));
  expect(await response.json()).toEqual(body);
});

const SCALARS = [null, true, 0, -1.5, "", "a,b", 'ü"\\\n', "🚀", "\ud800", Number.NaN, undefined];

/** Generates a random value. Some of its objects are deeply frozen and reused in later values. */
function randomValue(random: Random, shared: object[], depth: number): unknown {
  const kind = random.below(depth > 0 ? 5 : 1);
  if (kind < 1) return depth < 4 ? random.pick(SCALARS) : null;
  const known = shared[random.below(shared.length * 2 + 1)];
  if (known) return known;
  const members = Array.from({ length: random.below(4) }, () => randomValue(random, shared, depth - 1));
  const made = kind < 3 ? members : Object.fromEntries(members.map((member, index) => [`m${index}`, member]));
  if (random.below(2) > 0) return made;
  shared.push(freezeDeep(made));
  return made;
}

function freezeDeep(value: object): object {
  for (const member of Object.values(value)) {
    if (typeof member === "object" && member !== null) freezeDeep(member);
  }
  return Object.freeze(value);
}
