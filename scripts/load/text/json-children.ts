/** Nodes of a member: of its value, and of its key unless it is an item. A node is an offset or, in YAML, the index of an event. */
export interface Child {
  value: number;
  key: number | undefined;
}

/** Matches white space and what separates members, up to the next key or value. */
const SEPARATOR = /[\s:,]*/y;
const SCALAR = /"[^"\\]*(?:\\.[^"\\]*)*"|[^\s,\]}]+/y;
/** Matches what begins or ends a collection, and strings, whose brackets do not. */
const NESTING = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]/g;

/** Lists the members of the collection at an offset of valid JSON by key or index; none for a scalar. Does not read what is in them. */
export function indexJsonChildren(text: string, start: number): Map<string, Child> {
  const children = new Map<string, Child>();
  const isObject = text[start] === "{";
  if (!isObject && text[start] !== "[") return children;
  let at = skip(SEPARATOR, text, start + 1);
  while (!/[\]}]/.test(text.charAt(at))) {
    const key = isObject ? at : undefined;
    const keyEnd = isObject ? skip(SCALAR, text, at) : at;
    const name = isObject ? String(JSON.parse(text.slice(at, keyEnd))) : String(children.size);
    const value = skip(SEPARATOR, text, keyEnd);
    children.set(name, { value, key });
    at = skip(SEPARATOR, text, skipValue(text, value));
  }
  return children;
}

/** Returns the offset of the value of a JSON document. */
export function findJsonRoot(text: string): number {
  return skip(SEPARATOR, text, 0);
}

function skipValue(text: string, start: number): number {
  if (!/[[{]/.test(text.charAt(start))) return skip(SCALAR, text, start);
  NESTING.lastIndex = start;
  let depth = 0;
  do {
    NESTING.test(text);
    const last = text[NESTING.lastIndex - 1];
    if (last === "{" || last === "[") depth += 1;
    else if (last !== '"') depth -= 1;
  } while (depth > 0);
  return NESTING.lastIndex;
}

/** Returns the offset after the match of a sticky pattern. */
function skip(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start;
  pattern.test(text);
  return pattern.lastIndex;
}
