import { RESERVED_WORDS } from "../../../code/reserved-words.js";
import { unescapePointer } from "../../../json.js";
import { compareText } from "../../../text.js";
import { HELPERS } from "./helpers.js";
import { computeShortHash } from "./short-hash.js";

/**
 * Assigns function names to schema keys (`URI#pointer`). A schema without a preferred name is named after its nearest
 * named ancestor and the path from there, so that a new schema does not rename other functions.
 */
export class FunctionNames {
  private readonly used = new Set<string>();
  private readonly names = new Map<string, string>();

  /** @param preferred names by schema key; if two keys have the same name, the first one gets it */
  constructor(preferred: ReadonlyMap<string, string>) {
    const entries = [...preferred].map(([key, name]) => ({ key, name, identifier: toFunctionName(name) }));
    // Names that are identifiers come first. Sorted by key, so that the order of the document does not matter.
    const rank = ({ name, identifier }: (typeof entries)[number]): number => (name === identifier ? 0 : 1);
    entries.sort((one, other) => rank(one) - rank(other) || compareText(one.key, other.key));
    for (const { key, identifier } of entries) this.reserve(key, identifier);
  }

  /** Returns the function name for a schema key. */
  getName(key: string): string {
    const existing = this.names.get(key);
    if (existing !== undefined) return existing;
    const steps: string[] = [];
    let ancestor = key;
    while (ancestor.includes("/")) {
      const slash = ancestor.lastIndexOf("/");
      steps.unshift(ancestor.slice(slash + 1));
      ancestor = ancestor.slice(0, slash);
      const ancestorName = this.names.get(ancestor);
      if (ancestorName !== undefined)
        return this.reserve(key, [ancestorName, ...createPathSuffix(steps)].join("$"));
    }
    const end = steps.filter((step) => !GENERIC_SEGMENTS.has(step)).slice(-2);
    return this.reserve(
      key,
      [toFunctionName(end.map(unescapePointer).join(" ") || "schema"), computeShortHash(key)].join("$"),
    );
  }

  private reserve(key: string, name: string): string {
    const isTaken = this.used.has(name) || RESERVED_SUFFIX.test(name);
    const unused = isTaken ? `${name}$${computeShortHash(key)}` : name;
    this.used.add(unused);
    this.names.set(key, unused);
    return unused;
  }
}

/** Matches names of the constants, variables and further functions that the compiler derives from the name of a function. */
const RESERVED_SUFFIX = /\$(?:names|evaluated|enum|enum\$set|const|tracked|current|body)$/;

const GENERIC_SEGMENTS = new Set("schema content items allOf anyOf oneOf properties $defs".split(" "));

/**
 * Converts the path from a named ancestor to parts of a name: `properties/a` to `a`, and `$defs/b` to `defs` and `b`. Adds a
 * hash if the conversion loses other text, as for `a-b`.
 */
function createPathSuffix(steps: readonly string[]): string[] {
  const short = steps.filter((step, index) => step !== "properties" || index === steps.length - 1);
  const words = short.map((step) => step.replace(/[^A-Za-z0-9_]+/g, ""));
  const losesText =
    steps.at(-1) === "properties" || words.some((word, index) => word !== short[index]?.replace(/^\$/, ""));
  return losesText ? [...words.filter((word) => word !== ""), computeShortHash(steps.join("/"))] : words;
}

function toFunctionName(text: string): string {
  const words = /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
    ? text
    : text
        .split(/[^A-Za-z0-9_]+/)
        .filter((word) => word !== "")
        .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
        .join("");
  const name = /^[A-Za-z_]/.test(words) ? words : `_${words}`;
  return RESERVED_NAMES.has(name) || LOCAL_VARIABLE.test(name) ? `${name}Schema` : name;
}

/** Reserved words of JavaScript, and names that the generated code uses itself. */
const RESERVED_NAMES = new Set([
  ...RESERVED_WORDS,
  ...(
    "async of Array BigInt Infinity JSON Map Math NaN Number Object RangeError RegExp Set String Symbol globalThis " +
    "value errors path seen evaluated outer index allowed errorCount errorCountBefore fail isObject validator validators " +
    "responseValidators decimal canonicalText checkResults checkedValue MAX_ERRORS"
  ).split(" "),
  ...HELPERS.keys(),
]);

/** Names of local variables in generated code. */
const LOCAL_VARIABLE = /^(?:value|key|index|contained|pattern|format)\d*$/;
