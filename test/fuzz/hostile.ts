import type { Random } from "../support/random.js";

/** Hostile values as JSON texts, because JSON.stringify cannot write some of these numbers and names. */
const VALUES: readonly string[] = [
  "null",
  "true",
  "0",
  "-0",
  "-1",
  "1e400",
  "-1e400",
  "1e-400",
  "9007199254740993",
  "123456789012345678901234567890",
  "0.1e309",
  '""',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  '"\\ufffe\\uffff"',
  '"\\u202e\\u200b\\ufeff"',
  '"__proto__"',
  '"constructor"',
  '"toString"',
  '"hasOwnProperty"',
  `"' OR '1'='1' --"`,
  '"\\"; DROP TABLE pages; --"',
  '"%00%ff%"',
  '"../../etc/passwd"',
  '"${7*7}{{7*7}}"',
  '"<script>alert(1)</script>"',
  '"\\r\\nX-Injected: 1"',
  "[]",
  "{}",
  "[[[[]]]]",
  "[null]",
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"":""}',
  '{"length":1e9}',
  '{"toJSON":1}',
  '{"a":1,"a":2}',
  '{"$ref":"#"}',
  '{"0":1}',
  '"2024-02-30"',
  '"99999-01-01"',
  '"-000001-01-01T00:00:00Z"',
  '"2024-01-01T25:61:61Z"',
  '"00000000-0000-0000-0000-000000000000"',
  JSON.stringify("x".repeat(2_001)),
  JSON.stringify("😀".repeat(1_001)),
  JSON.stringify("x".repeat(60_000)),
  `[${"1,".repeat(150)}1]`,
  `[${"{},".repeat(1_100)}{}]`,
  nest("[", "]", 60),
  nest('{"a":', "}", 120, "1"),
  nest('{"children":[', "]}", 80),
  nest('{"and":[', "]}", 40),
];

function nest(open: string, close: string, depth: number, inside = ""): string {
  return open.repeat(depth) + inside + close.repeat(depth);
}

/** Bodies that are invalid or rejected as JSON. */
export const BODIES: readonly (string | Uint8Array)[] = [
  "",
  " ",
  "{",
  "}",
  "{]",
  '{"a":}',
  '{"a":1,}',
  "{'a':1}",
  "NaN",
  "undefined",
  "null",
  "[]",
  '"text"',
  "1e999",
  "\ufeff{}",
  '{"\\ud800":1}',
  "{}{}",
  '{"a":01}',
  '{"a":"\u0001"}',
  nest("[", "]", 6_000),
  nest('{"a":', "}", 6_000, "1"),
  nest('{"children":[', "]}", 3_000),
  `{"a":"${"x".repeat(600_000)}"}`,
  new Uint8Array([0]),
  new Uint8Array([0xff, 0xfe, 0x7b, 0x7d]),
  new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
  new Uint8Array([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]),
];

/** Encoded path segments. */
export const SEGMENTS: readonly string[] = [
  "%00",
  "%ff",
  "%",
  "%zz",
  "%2F",
  "null",
  "undefined",
  "__proto__",
  "constructor",
  "1",
  "-",
  "%F0%9F%98%80",
  "a%20b",
  "%27%20OR%201=1",
  "x".repeat(5_000),
  "00000000000040008000000000000000",
  "00000000-0000-4000-8000-00000000000",
  "00000000-0000-4000-8000-0000000000000",
  "٠".repeat(3).replace(/./gu, (digit) => encodeURIComponent(digit)),
];

/** Encoded values of query parameters. */
export const PARAMETERS: readonly string[] = [
  "",
  "null",
  "-1",
  "0",
  "1",
  "100",
  "101",
  "1e2",
  "1.5",
  "NaN",
  "%00",
  "%ff",
  "x",
  "[]",
  "%ud800",
  "9".repeat(400),
];

/** Writes a value as JSON after replacing, removing, adding or renaming random parts of it. */
export function mutate(value: unknown, times: number, random: Random): string {
  const places: Spot[] = [];
  collectPaths(value, [], places);
  const changes = new Map<string, Change>();
  for (let index = 0; index < times; index += 1) {
    const spot = random.pick(places);
    const kinds: Change["kind"][] =
      spot.path.length === 0 ? ["replace", "add"] : ["replace", "replace", "remove", "add", "rename"];
    changes.set(JSON.stringify(spot.path), { kind: random.pick(kinds), text: random.pick(VALUES) });
  }
  return write(value, [], changes) ?? "{}";
}

interface Spot {
  path: (string | number)[];
}

interface Change {
  kind: "replace" | "remove" | "add" | "rename";
  text: string;
}

function collectPaths(value: unknown, path: (string | number)[], found: Spot[]): void {
  found.push({ path });
  if (typeof value !== "object" || value === null) return;
  for (const [name, member] of Object.entries(value)) {
    collectPaths(member, [...path, Array.isArray(value) ? Number(name) : name], found);
  }
}

/** Writes a value with changes as JSON; returns undefined if the value is removed. */
function write(value: unknown, path: (string | number)[], changes: Map<string, Change>): string | undefined {
  const change = changes.get(JSON.stringify(path));
  if (change?.kind === "remove") return undefined;
  if (change?.kind === "replace") return change.text;
  if (Array.isArray(value)) {
    const items = value
      .map((item, index) => write(item, [...path, index], changes))
      .filter((item) => item !== undefined);
    if (change?.kind === "add") items.push(change.text);
    return `[${items.join(",")}]`;
  }
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null";
  const members = Object.entries(value).flatMap(([name, member]) => {
    const text = write(member, [...path, name], changes);
    const renamed = changes.get(JSON.stringify([...path, name]))?.kind === "rename";
    return text === undefined ? [] : [`${JSON.stringify(renamed ? `${name}_` : name)}:${text}`];
  });
  if (change?.kind === "add")
    members.push(`${change.text.startsWith('"') ? change.text : '"extra"'}:${change.text}`);
  return `{${members.join(",")}}`;
}
