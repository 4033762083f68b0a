import { hash } from "./code.js";

/** Reserved words, and names that the output uses. */
const TAKEN = new Set(
  (
    "arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected " +
    "public return static super switch this throw true try typeof undefined var void while with yield async of " +
    "Array BigInt Infinity JSON Map Math NaN Number Object RangeError RegExp Set String Symbol globalThis " +
    "value errors path seen evaluated outer index allowed reasons fail validator validators responseValidators expectations " +
    "decimal canonicalText MOST_REASONS COMPARED isObject codePoints isMultiple isEqual isUnique countMatching pointerStep " +
    "testTracked failTag failUnion"
  ).split(" "),
);

const LOCAL = /^(?:value|key|index|contained|pattern|format)\d*$/;

/** Turns a text into an identifier that the output does not use otherwise. */
function identifier(text: string): string {
  const plain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
    ? text
    : text
        .split(/[^A-Za-z0-9_]+/)
        .filter((word) => word !== "")
        .map((word, index) => (index === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
        .join("");
  const name = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
  return TAKEN.has(name) || LOCAL.test(name) ? `${name}Schema` : name;
}

/**
 * Names of functions for places of a document (`URI#pointer`). A schema without a given name is named after the nearest
 * place with one and the path from there, so that a new schema renames no other.
 */
export class FunctionNames {
  private readonly used = new Set<string>();
  private readonly found = new Map<string, string>();

  /** @param given names by place; if two places have the same name, the first one keeps it */
  constructor(given: ReadonlyMap<string, string>) {
    const wanted = [...given].map(([place, name]) => ({ place, name, spelled: identifier(name) }));
    // Names that are identifiers come first, then the order of the places: not the order of the document.
    const rank = ({ name, spelled }: (typeof wanted)[number]): number => (name === spelled ? 0 : 1);
    wanted.sort((one, other) => rank(one) - rank(other) || (one.place < other.place ? -1 : 1));
    for (const { place, spelled } of wanted) this.take(place, spelled);
  }

  /** Returns the name of a place. */
  nameOf(place: string): string {
    const known = this.found.get(place);
    if (known !== undefined) return known;
    const steps: string[] = [];
    for (let above = place; above.includes("/");) {
      const cut = above.lastIndexOf("/");
      steps.unshift(above.slice(cut + 1));
      above = above.slice(0, cut);
      const owner = this.found.get(above);
      if (owner !== undefined) return this.take(place, [owner, ...tail(steps)].join("$"));
    }
    const end = steps.filter((step) => !GENERIC.has(step)).slice(-2);
    return this.take(place, [identifier(end.map(unescape).join(" ") || "schema"), hash(place)].join("$"));
  }

  private take(place: string, name: string): string {
    const free = this.used.has(name) ? `${name}$${hash(place)}` : name;
    this.used.add(free);
    this.found.set(place, free);
    return free;
  }
}

const GENERIC = new Set(["schema", "content", "items", "allOf", "anyOf", "oneOf", "properties", "$defs"]);

/** The path from a named place as parts of a name, with a hash if it cannot be spelled completely. */
function tail(steps: readonly string[]): string[] {
  const short = steps.filter((step, index) => step !== "properties" || index === steps.length - 1);
  const words = short.map((step) => step.replace(/[^A-Za-z0-9_]+/g, ""));
  const lossy =
    short.length !== steps.filter((step) => step !== "properties").length ||
    words.some((word, index) => word !== short[index]?.replace(/^\$/, ""));
  return lossy ? [...words.filter((word) => word !== ""), hash(steps.join("/"))] : words;
}

function unescape(step: string): string {
  return decodeURIComponent(step.replaceAll("%", "%25")).replaceAll("~1", "/").replaceAll("~0", "~");
}
