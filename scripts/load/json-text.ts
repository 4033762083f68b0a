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
  return countColons(text) === countMembers(parsed) ? { parsed } : undefined;
}

/** Counts the colons outside of strings: each member of an object has one, including those with duplicate keys. */
function countColons(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') at = findStringEnd(text, at);
    else if (character === ":") count += 1;
  }
  return count;
}

/** Returns the offset of the quote that ends a string. `start` is the offset of its first quote. */
function findStringEnd(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); ; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charAt(before) === "\\") before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
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
