import { compareText } from "../diagnostic.js";

/**
 * Names in generated code. The text of a document is untrusted: every name made here is an ASCII identifier that is safe
 * as a property, a method, and a part of a type or file name.
 */

/** Names with a special meaning for objects, classes, promises or the generated client. */
const TAKEN = new Set([
  "__proto__",
  "constructor",
  "prototype",
  "hasOwnProperty",
  "isPrototypeOf",
  "propertyIsEnumerable",
  "toLocaleString",
  "toString",
  "toJSON",
  "valueOf",
  "then",
  "http",
  // In an interface it would declare a constructor.
  "new",
]);

/** Device names of Windows, which no file can have, whatever its extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Maximum length, so that a name with its additions is still valid as a file name. */
const MAX_NAME_LENGTH = 200;

const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/** camelCase identifier for a text. Identifiers are kept; a text without letters and digits gives `""`. */
export function camelCase(text: string): string {
  const name = (IDENTIFIER.test(text) ? text : joinWords(words(text))).slice(0, MAX_NAME_LENGTH);
  return TAKEN.has(name) ? `${name}Operation` : name;
}

/** PascalCase identifier for a text, e.g. `RetrievePage` for `retrievePage` or `retrieve-page`. */
export function pascalCase(text: string): string {
  const joined = words(text).map(capitalize).join("").slice(0, MAX_NAME_LENGTH);
  return /^[0-9]/.test(joined) ? `_${joined}` : joined;
}

/** Name for the operations of a tag, also used as a file name; `""` for a tag without letters and digits. */
export function groupName(tag: string): string {
  const name = lowerFirst(camelCase(tag));
  return DEVICE.test(name) ? `${name}Operations` : name;
}

/** Name for an operation without an operationId, e.g. `getV1PagesByPageId` for GET /v1/pages/{page_id}. */
export function operationIdFor(method: string, path: string): string {
  const parts = path.replace(/\{([^}]*)\}/g, " by $1 ");
  return camelCase(`${method} ${parts}`);
}

/**
 * Creates names unique: of items with the same name, the first by `order` keeps it, the others get `2`, `3` and so on. The
 * position in the document does not count, so moving a path changes no name.
 */
export function uniqueNames<T>(
  items: T[],
  name: (item: T) => string,
  order: (item: T) => string,
): Map<T, string> {
  const result = new Map<T, string>();
  // Type and file names derived from a name may differ in case only, so names are compared without it.
  const used = new Set<string>();
  const sorted = [...items].sort((a, b) => compareText(order(a), order(b)));
  const wanted = new Set(sorted.map((item) => name(item).toLowerCase()));
  for (const item of sorted) {
    const base = name(item);
    let candidate = base;
    for (let serial = 2; used.has(candidate.toLowerCase()); serial += 1) {
      const next = `${base}${serial}`;
      if (!wanted.has(next.toLowerCase())) candidate = next;
    }
    used.add(candidate.toLowerCase());
    result.set(item, candidate);
  }
  return result;
}

function words(text: string): string[] {
  return (
    text
      .normalize("NFKD")
      // Accents do not separate words.
      .replace(/\p{M}+/gu, "")
      .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
      .split(/[^A-Za-z0-9]+/)
      .filter((word) => word !== "")
  );
}

function joinWords(parts: string[]): string {
  const joined = parts.map((part, index) => (index === 0 ? lowerFirst(part) : capitalize(part))).join("");
  return /^[0-9]/.test(joined) ? `_${joined}` : joined;
}

/** `pages` for `Pages`, and `ai` for `AI`. */
function lowerFirst(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
