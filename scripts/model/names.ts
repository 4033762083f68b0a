// Names in generated code. The text of a document is untrusted: every name made here is empty, or an identifier without
// invisible characters that is safe as a property, a method, and a part of a type or file name. Letters of all scripts are
// kept, because otherwise the operations and schemas of a Chinese document would only have numbers.

import { compareText } from "../text.js";

/** Names with a special meaning for objects, classes, promises or the generated client. */
const RESERVED_NAMES = new Set(
  (
    "__proto__ constructor prototype hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString " +
    // In an interface, `new` would declare a constructor.
    "toJSON valueOf then http new"
  ).split(" "),
);

/** Device names of Windows, which exist in every folder and with every extension. */
export const WINDOWS_DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;

/** Maximum length in bytes of UTF-8. File names have at most 255, and emitters add suffixes and extensions to a name. */
const MAX_NAME_BYTES = 200;

/** Matches an identifier of ASCII characters. */
export const IDENTIFIER = /^[A-Za-z_$][A-Za-z0-9_$]*$/;

/**
 * Converts a text to camel case, e.g. `retrieve-page` to `retrievePage`. Keeps identifiers, and adds a suffix to reserved names. Returns
 * `""` for a text without letters and digits.
 */
export function toIdentifier(text: string): string {
  const convertWord = (word: string, index: number): string =>
    index === 0 ? decapitalize(word) : capitalize(word);
  const camelCase = IDENTIFIER.test(text) ? text : escapeStart(splitWords(text).map(convertWord).join(""));
  const name = truncateName(camelCase);
  return RESERVED_NAMES.has(name) ? `${name}Operation` : name;
}

/** Converts a text to a PascalCase identifier, e.g. `retrieve-page` to `RetrievePage`; `""` without letters and digits. */
export function toPascalCase(text: string): string {
  return truncateName(escapeStart(splitWords(text).map(capitalize).join("")));
}

/** Makes the name of the operations of a tag, and of their file; `""` for a tag without letters and digits. */
export function makeGroupName(tag: string): string {
  const name = decapitalize(toIdentifier(tag));
  return WINDOWS_DEVICE.test(name) ? `${name}Operations` : name;
}

/** Makes the ID of an operation without an operationId, e.g. `getV1PagesByPageId` for GET /v1/pages/{page_id}. */
export function makeOperationId(method: string, path: string): string {
  const parts = path.replace(/\{([^}]*)\}/g, " by $1 ");
  return toIdentifier(`${method} ${parts}`);
}

/**
 * Assigns a unique name to each item: of items with the same name, one whose name is its text in the document keeps it, or else
 * the first in the order of these texts. The others get the suffixes `2`, `3` and so on.
 *
 * @param getText returns the text that the name is made of, not its position, so that moving a path changes no name
 * @param reserved names that no item gets
 */
export function assignUniqueNames<T>(
  items: readonly T[],
  getName: (item: T) => string,
  getText: (item: T) => string,
  reserved: readonly string[] = [],
): Map<T, string> {
  // In the order of the items.
  const result = new Map(items.map((item): [T, string] => [item, ""]));
  // Compared in lower case: the types or files of names that differ only in case could have the same name.
  const used = new Set(reserved.map((each) => each.toLowerCase()));
  const sorted = items
    .map((item) => ({ item, base: getName(item), text: getText(item) }))
    .sort((a, b) => Number(a.base !== a.text) - Number(b.base !== b.text) || compareText(a.text, b.text));
  const bases = new Set(sorted.map(({ base }) => base.toLowerCase()));
  for (const { item, base } of sorted) {
    const unique = findFreeName(base, (name) => {
      const key = name.toLowerCase();
      // A name with a suffix is never the unchanged name of another item.
      return used.has(key) || (name !== base && bases.has(key));
    });
    used.add(unique.toLowerCase());
    result.set(item, unique);
  }
  return result;
}

/** Returns a name that is not used yet, and adds it to the used names. */
export function reserveName(base: string, used: Set<string>): string {
  const name = findFreeName(base, (each) => used.has(each));
  used.add(name);
  return name;
}

/** Returns a name that is not taken: the base, otherwise the base with the first free suffix from `2`. */
export function findFreeName(base: string, isTaken: (name: string) => boolean): string {
  let name = base;
  for (let suffix = 2; isTaken(name); suffix += 1) name = `${base}${suffix}`;
  return name;
}

/** Accents of Latin letters. The marks of other scripts belong to the letter, such as vowels in Devanagari. */
const LATIN_ACCENTS = /(?<=\p{Script=Latin}\p{M}*)\p{M}/gu;
/** Characters that separate words: those that cannot be in an identifier, underscores, and invisible characters. */
const SEPARATORS = /(?:[^\p{ID_Continue}]|[\p{Pc}\p{Default_Ignorable_Code_Point}])+/u;

function splitWords(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(LATIN_ACCENTS, "")
    .normalize("NFC")
    .replace(/([\p{Ll}\p{Nd}])(\p{Lu})/gu, "$1 $2")
    .split(SEPARATORS)
    .filter((word) => word !== "");
}

/** Adds an underscore before a character that cannot begin an identifier, such as a digit. */
function escapeStart(name: string): string {
  return name === "" || /^\p{ID_Start}/u.test(name) ? name : `_${name}`;
}

/** Shortens a name to the maximum length, without splitting a character. */
function truncateName(name: string): string {
  return new TextDecoder().decode(new TextEncoder().encode(name).subarray(0, MAX_NAME_BYTES), {
    stream: true,
  });
}

/** Lower-cases the first letter, or all letters of an acronym: `pages` for `Pages`, `ai` for `AI`. */
function decapitalize(word: string): string {
  return word === word.toUpperCase() ? word.toLowerCase() : word.charAt(0).toLowerCase() + word.slice(1);
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
