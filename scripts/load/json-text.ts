import type { Source } from "@redocly/openapi-core";

/**
 * JSON is read by the platform's own parser, several times faster than YAML's, and its positions are found in the
 * text when they are asked for. YAML's parser takes over wherever that parser says less: for its message on wrong
 * text, and for names that stand twice in an object, of which JSON.parse silently takes the last.
 */

/** Sources whose text is JSON. */
const json = new WeakMap<Source, JsonText>();

/**
 * Parses the text of a file named *.json.
 * @returns undefined when the text is not JSON, or not JSON that can be taken at its word
 */
export function parseJson(source: Source): { parsed: unknown } | undefined {
  if (!source.absoluteRef.endsWith(".json")) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(source.body);
  } catch {
    return undefined;
  }
  // Each member has a colon outside of strings: where one is missing afterwards, a name stood twice.
  if (countColons(source.body) !== countMembers(parsed)) return undefined;
  json.set(source, new JsonText(source.body));
  return { parsed };
}

/** A place in a text; the first line and column are 1. */
export interface Point {
  line: number;
  col: number;
}

/**
 * Finds where the value stands that keys lead to, or the name in front of it; what is not there has the place of
 * the nearest value above it.
 * @returns undefined when the source was not parsed by `parseJson`
 */
export function spanInJson(
  source: Source,
  keys: readonly string[],
  onKey: boolean,
): { start: Point; end: Point } | undefined {
  return json.get(source)?.span(keys, onKey);
}

/** Where a member of an object or an array stands. */
interface Member {
  key: number;
  value: number;
  end: number;
}

/** A text that is known to be JSON. What has been looked at is kept: problems come in swarms. */
class JsonText {
  readonly #text: string;
  readonly #root: Member;
  readonly #members = new Map<number, Map<string, Member>>();
  #lines: number[] | undefined;

  constructor(text: string) {
    this.#text = text;
    const start = skipSpace(text, 0);
    this.#root = { key: start, value: start, end: text.trimEnd().length };
  }

  span(keys: readonly string[], onKey: boolean): { start: Point; end: Point } {
    let at = this.#root;
    for (const key of keys) {
      const member = this.#membersOf(at.value).get(key);
      if (!member) break;
      at = member;
    }
    const end = onKey && at.key !== at.value ? endOfValue(this.#text, at.key) : at.end;
    return { start: this.#point(onKey ? at.key : at.value), end: this.#point(end) };
  }

  #membersOf(start: number): Map<string, Member> {
    const known = this.#members.get(start);
    if (known) return known;
    const members = findMembers(this.#text, start);
    this.#members.set(start, members);
    return members;
  }

  #point(offset: number): Point {
    this.#lines ??= lineStarts(this.#text);
    let low = 0;
    let high = this.#lines.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#lines[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return { line: low + 1, col: offset - (this.#lines[low] ?? 0) + 1 };
  }
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

function findMembers(text: string, start: number): Map<string, Member> {
  const members = new Map<string, Member>();
  const first = text.charCodeAt(start);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) return members;
  let at = skipSpace(text, start + 1);
  for (let index = 0; !isClose(text.charCodeAt(at)); index += 1) {
    const key = at;
    let name = String(index);
    if (first === OPEN_BRACE) {
      const end = endOfString(text, at);
      name = String(JSON.parse(text.slice(at, end)));
      at = skipSpace(text, skipSpace(text, end) + 1);
    }
    const end = endOfValue(text, at);
    members.set(name, { key, value: at, end });
    at = skipSpace(text, end);
    if (text.charCodeAt(at) === COMMA) at = skipSpace(text, at + 1);
  }
  return members;
}

/** Offset behind the value or name that starts here. */
function endOfValue(text: string, start: number): number {
  const first = text.charCodeAt(start);
  if (first === QUOTE) return endOfString(text, start);
  if (first !== OPEN_BRACE && first !== OPEN_BRACKET) {
    let at = start;
    while (at < text.length && !/[\s,\]}]/.test(text.charAt(at))) at += 1;
    return at;
  }
  let depth = 0;
  for (let at = start; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) depth += 1;
    else if (isClose(code) && --depth === 0) return at + 1;
  }
  return text.length;
}

function endOfString(text: string, start: number): number {
  for (let at = start; ;) {
    at = text.indexOf('"', at + 1);
    if (at === -1) return text.length;
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) return at + 1;
  }
}

function isClose(code: number): boolean {
  return code === CLOSE_BRACE || code === CLOSE_BRACKET || Number.isNaN(code);
}

function skipSpace(text: string, start: number): number {
  let at = start;
  while (/[\t\n\r ]/.test(text.charAt(at))) at += 1;
  return at;
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function countColons(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at) - 1;
    else if (code === COLON) count += 1;
  }
  return count;
}

function countMembers(root: unknown): number {
  let count = 0;
  const open: unknown[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node !== "object" || node === null) continue;
    const values: unknown[] = Array.isArray(node) ? node : Object.values(node);
    if (!Array.isArray(node)) count += values.length;
    for (const value of values) if (typeof value === "object" && value !== null) open.push(value);
  }
  return count;
}
