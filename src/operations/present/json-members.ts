import { findEndOfString } from "../../http/json.js";

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPENING_BRACKET = 0x5b;
const CLOSING_BRACKET = 0x5d;
const OPENING_BRACE = 0x7b;
const CLOSING_BRACE = 0x7d;

/**
 * Splits the JSON of an object into the JSON of its members, by name, in half the time of JSON.parse. Returns undefined for
 * JSON with spaces between the members, or with escapes in their names.
 */
export function splitMembers(json: string): ReadonlyMap<string, string> | undefined {
  const members = new Map<string, string>();
  const end = json.length - 1;
  for (let start = 1; start < end;) {
    const nameEnd = json.indexOf('"', start + 1);
    if (json.charCodeAt(start) !== QUOTE || json.charCodeAt(nameEnd + 1) !== COLON) return undefined;
    const name = json.slice(start + 1, nameEnd);
    if (name.includes("\\")) return undefined;
    const valueEnd = findEndOfValue(json, nameEnd + 2);
    members.set(name, json.slice(nameEnd + 2, valueEnd));
    start = valueEnd + 1;
  }
  return members;
}

/** Returns the index of the comma or the bracket after a member's value. */
function findEndOfValue(json: string, start: number): number {
  let depth = 0;
  for (let index = start; index < json.length - 1; index += 1) {
    const code = json.charCodeAt(index);
    if (code === QUOTE) index = findEndOfString(json, index);
    else if (code === COMMA && depth === 0) return index;
    else if (code === OPENING_BRACKET || code === OPENING_BRACE) depth += 1;
    else if (code === CLOSING_BRACKET || code === CLOSING_BRACE) depth -= 1;
  }
  return json.length - 1;
}
