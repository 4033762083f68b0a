/**
 * Parses JSON with `JSON.parse`, which takes a quarter of the time of the YAML parser for large documents.
 *
 * @returns undefined if the text is not JSON or has a duplicate key, which `JSON.parse` accepts. The YAML parser then
 *   reports the error with its location
 */
export function parseJson(text: string): { parsed: unknown } | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return undefined;
  }
  return countKeys(text) === countMembers(parsed) ? { parsed } : undefined;
}

/**
 * Counts the strings that a colon follows: the keys of all objects, including duplicate ones. Jumping from quote to quote
 * saves 3 % of the instructions of a run for 1,200 operations, compared with a loop over all characters.
 *
 * @param text valid JSON; an unterminated string would not end the loop
 */
function countKeys(text: string): number {
  let count = 0;
  for (let quote = text.indexOf('"'); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    quote = findStringEnd(text, quote);
    COLON.lastIndex = quote + 1;
    if (text.charAt(quote + 1) === ":" || COLON.test(text)) count += 1;
  }
  return count;
}

/** Matches a colon after white space. */
const COLON = /[ \t\n\r]+:/y;

/** Returns the offset of the quote that ends a string. `start` is the offset of its first quote. */
function findStringEnd(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); ; quote = text.indexOf('"', quote + 1)) {
    let before = quote - 1;
    while (text.charAt(before) === "\\") before -= 1;
    if ((quote - before) % 2 === 1) return quote;
  }
}

function countMembers(root: unknown): number {
  let count = 0;
  const pending: unknown[] = [root];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (typeof node !== "object" || node === null) continue;
    const values: unknown[] = Array.isArray(node) ? node : Object.values(node);
    if (!Array.isArray(node)) count += values.length;
    for (const value of values) if (typeof value === "object" && value !== null) pending.push(value);
  }
  return count;
}
