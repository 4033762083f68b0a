/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import type { JsonObject, JsonValue } from "../../scripts/model/model.js";
import { isObject } from "../../scripts/model/node.js";

/** Random numbers that are the same for the same seed (mulberry32). */
export class Dice {
  constructor(private state: number) {}

  /** A number from 0 to below 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), 1 | this.state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(items: readonly T[]): T {
    // The cast: no caller has an empty list.
    return items[this.below(items.length)] as T;
  }

  /** Each of the items with the same probability. */
  some<T>(items: readonly T[], probability = 0.5): T[] {
    return items.filter(() => this.chance(probability));
  }
}

const NAMES = ["a", "b", "c", "ab", "x y"];
const TEXTS = ["", "a", "b", "ab", "abc", "😀", "é😀", "a/b~"];
const NUMBERS = [0, 1, 2, 3, -1, 0.5, 1.5, 10];
const PATTERNS = ["^a", "b$", "^.$", "[a-c]{2}", "\\u{1F600}"];
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** A random value, of a small world so that schemas often fit. */
export function randomValue(dice: Dice, depth = 3): JsonValue {
  const kind = dice.below(depth > 0 ? 8 : 4);
  if (kind === 0) return dice.pick(TEXTS);
  if (kind === 1) return dice.pick(NUMBERS);
  if (kind === 2) return dice.chance(0.5);
  if (kind === 3) return null;
  if (kind === 4) return Array.from({ length: dice.below(4) }, () => randomValue(dice, depth - 1));
  return Object.fromEntries(dice.some(NAMES).map((name) => [name, randomValue(dice, depth - 1)]));
}

/** A random schema of draft 2020-12, with definitions that it and they refer to. */
export function randomSchema(dice: Dice): JsonObject {
  const keywords = dice.chance(0.3) ? [...KEYWORDS, ...UNEVALUATED] : KEYWORDS;
  const names = ["D0", "D1", "D2"];
  const $defs: JsonObject = {};
  // A definition refers in place to later ones only: a circle for the same value has no meaning.
  for (const [index, name] of names.entries()) {
    $defs[name] = schema(dice, keywords, 2, names.slice(index + 1), names);
  }
  const root = schema(dice, keywords, 3, names, names);
  return { ...(isObject(root) ? root : {}), $defs };
}

type Make = (dice: Dice, inPlace: () => JsonValue, inside: () => JsonValue) => JsonObject;

const UNEVALUATED: Make[] = [
  (dice, _, inside) => ({ unevaluatedProperties: dice.chance(0.6) ? false : inside() }),
  (dice, _, inside) => ({ unevaluatedItems: dice.chance(0.6) ? false : inside() }),
];

const KEYWORDS: Make[] = [
  (dice) => ({
    type: dice.chance(0.7) ? dice.pick(TYPES) : [...new Set([dice.pick(TYPES), dice.pick(TYPES)])],
  }),
  (dice) => ({ type: dice.pick(["object", "array", "string"]) }),
  (dice) => ({ enum: [...new Set([dice.pick(TEXTS), dice.pick(NUMBERS), null])] }),
  (dice) => ({ enum: dice.some([...TEXTS, ...NUMBERS, true], 0.6).concat(["z"]) }),
  (dice) => ({ const: randomValue(dice, 1) }),
  (dice) => ({ minimum: dice.pick(NUMBERS) }),
  (dice) => ({ maximum: dice.pick(NUMBERS), exclusiveMinimum: dice.pick(NUMBERS) }),
  (dice) => ({ multipleOf: dice.pick([1, 2, 3, 0.5]) }),
  (dice) => ({ minLength: dice.below(3), maxLength: dice.below(4) }),
  (dice) => ({ pattern: dice.pick(PATTERNS) }),
  (dice) => ({ required: dice.some(NAMES, 0.3) }),
  (dice) => ({ minProperties: dice.below(3) }),
  (dice) => ({ maxProperties: dice.below(4) }),
  (dice) => ({ dependentRequired: { [dice.pick(NAMES)]: [dice.pick(NAMES)] } }),
  (dice) => ({ minItems: dice.below(3), maxItems: dice.below(4) }),
  () => ({ uniqueItems: true }),
  (dice, _, inside) => ({ properties: Object.fromEntries(dice.some(NAMES).map((name) => [name, inside()])) }),
  (dice, _, inside) => ({ properties: { [dice.pick(NAMES)]: inside() }, required: [dice.pick(NAMES)] }),
  (dice, _, inside) => ({ patternProperties: { [dice.pick(PATTERNS)]: inside() } }),
  (dice, _, inside) => ({ additionalProperties: dice.chance(0.5) ? false : inside() }),
  (_, __, inside) => ({ propertyNames: inside() }),
  (_, __, inside) => ({ items: inside() }),
  (dice, _, inside) => ({ prefixItems: dice.chance(0.5) ? [inside()] : [inside(), inside()] }),
  (_, __, inside) => ({ contains: inside() }),
  (dice, _, inside) => ({ contains: inside(), minContains: dice.below(3), maxContains: dice.below(3) + 1 }),
  (_, inPlace) => ({ allOf: [inPlace(), inPlace()] }),
  (_, inPlace) => ({ anyOf: [inPlace(), inPlace()] }),
  (_, inPlace) => ({ oneOf: [inPlace(), inPlace()] }),
  (_, inPlace) => ({ oneOf: [inPlace(), { type: "null" }] }),
  (_, inPlace) => ({ not: inPlace() }),
  (_, inPlace) => ({ if: inPlace(), then: inPlace(), else: inPlace() }),
  (dice, inPlace) => ({ dependentSchemas: { [dice.pick(NAMES)]: inPlace() } }),
  (_, inPlace) => ({ oneOf: tagged(inPlace) }),
  (_, inPlace) => ({ anyOf: tagged(inPlace) }),
];

/** Branches that a property tells apart. */
function tagged(inPlace: () => JsonValue): JsonValue[] {
  return [
    { type: "object", required: ["a"], properties: { a: { const: "a" } }, allOf: [inPlace()] },
    { type: "object", required: ["a"], properties: { a: { enum: ["b", 1] } } },
    { allOf: [{ type: "object" }, { required: ["a", "b"] }], properties: { a: { const: null } } },
  ];
}

/**
 * @param inPlaceNames definitions that may be referred to for the same value
 * @param allNames definitions that may be referred to for values inside
 */
function schema(
  dice: Dice,
  keywords: readonly Make[],
  depth: number,
  inPlaceNames: string[],
  allNames: string[],
): JsonValue {
  if (depth === 0) {
    if (dice.chance(0.15)) return dice.chance(0.7);
    return dice.pick(KEYWORDS.slice(0, 16))(
      dice,
      () => true,
      () => true,
    );
  }
  const inPlace = (): JsonValue =>
    inPlaceNames.length > 0 && dice.chance(0.35)
      ? { $ref: `#/$defs/${dice.pick(inPlaceNames)}` }
      : schema(dice, keywords, depth - 1, inPlaceNames, allNames);
  const inside = (): JsonValue =>
    dice.chance(0.35)
      ? { $ref: `#/$defs/${dice.pick(allNames)}` }
      : schema(dice, keywords, depth - 1, allNames, allNames);
  const parts = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(keywords)(dice, inPlace, inside));
  if (inPlaceNames.length > 0 && dice.chance(0.15))
    parts.push({ $ref: `#/$defs/${dice.pick(inPlaceNames)}` });
  return Object.assign({}, ...parts) as JsonObject;
}
