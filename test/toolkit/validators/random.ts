/* oxlint-disable unicorn/no-thenable -- `then` is a keyword of JSON Schema */
import { type JsonObject, type JsonValue, isObject } from "../../../scripts/json.js";
import type { Random } from "../../support/random.js";

const NAMES = ["a", "b", "c", "ab", "x y"];
const TEXTS = ["", "a", "b", "ab", "abc", "😀", "é😀", "a/b~"];
const NUMBERS = [0, 1, 2, 3, -1, 0.5, 1.5, 10];
const PATTERNS = ["^a", "b$", "^.$", "[a-c]{2}", "\\u{1F600}"];
const TYPES = ["string", "number", "integer", "boolean", "null", "array", "object"];

/** Generates a value from a small set, so that it often matches a schema. */
export function randomValue(random: Random, depth = 3): JsonValue {
  const kind = random.below(depth > 0 ? 8 : 4);
  if (kind === 0) return random.pick(TEXTS);
  if (kind === 1) return random.pick(NUMBERS);
  if (kind === 2) return random.chance(0.5);
  if (kind === 3) return null;
  if (kind === 4) return Array.from({ length: random.below(4) }, () => randomValue(random, depth - 1));
  return Object.fromEntries(random.some(NAMES).map((name) => [name, randomValue(random, depth - 1)]));
}

/** Generates a schema of draft 2020-12 with definitions that refer to each other. */
export function randomSchema(random: Random): JsonObject {
  const keywords = random.chance(0.3) ? [...KEYWORDS, ...UNEVALUATED] : KEYWORDS;
  const names = ["D0", "D1", "D2"];
  const $defs: JsonObject = {};
  // For the same value, a definition refers only to later ones, because such a cycle has no meaning.
  for (const [index, name] of names.entries()) {
    $defs[name] = schema(random, keywords, 2, names.slice(index + 1), names);
  }
  const root = schema(random, keywords, 3, names, names);
  return { ...(isObject(root) ? root : {}), $defs };
}

type Make = (random: Random, inPlace: () => JsonValue, inside: () => JsonValue) => JsonObject;

const UNEVALUATED: Make[] = [
  (random, _, inside) => ({ unevaluatedProperties: random.chance(0.6) ? false : inside() }),
  (random, _, inside) => ({ unevaluatedItems: random.chance(0.6) ? false : inside() }),
];

const KEYWORDS: Make[] = [
  (random) => ({
    type: random.chance(0.7) ? random.pick(TYPES) : [...new Set([random.pick(TYPES), random.pick(TYPES)])],
  }),
  (random) => ({ type: random.pick(["object", "array", "string"]) }),
  (random) => ({ enum: [...new Set([random.pick(TEXTS), random.pick(NUMBERS), null])] }),
  (random) => ({ enum: random.some([...TEXTS, ...NUMBERS, true], 0.6).concat(["z"]) }),
  (random) => ({ const: randomValue(random, 1) }),
  (random) => ({ minimum: random.pick(NUMBERS) }),
  (random) => ({ maximum: random.pick(NUMBERS), exclusiveMinimum: random.pick(NUMBERS) }),
  (random) => ({ multipleOf: random.pick([1, 2, 3, 0.5]) }),
  (random) => ({ minLength: random.below(3), maxLength: random.below(4) }),
  (random) => ({ pattern: random.pick(PATTERNS) }),
  (random) => ({ required: random.some(NAMES, 0.3) }),
  (random) => ({ minProperties: random.below(3) }),
  (random) => ({ maxProperties: random.below(4) }),
  (random) => ({ dependentRequired: { [random.pick(NAMES)]: [random.pick(NAMES)] } }),
  (random) => ({ minItems: random.below(3), maxItems: random.below(4) }),
  () => ({ uniqueItems: true }),
  (random, _, inside) => ({
    properties: Object.fromEntries(random.some(NAMES).map((name) => [name, inside()])),
  }),
  (random, _, inside) => ({ properties: { [random.pick(NAMES)]: inside() }, required: [random.pick(NAMES)] }),
  (random, _, inside) => ({ patternProperties: { [random.pick(PATTERNS)]: inside() } }),
  (random, _, inside) => ({ additionalProperties: random.chance(0.5) ? false : inside() }),
  (_, __, inside) => ({ propertyNames: inside() }),
  (_, __, inside) => ({ items: inside() }),
  (random, _, inside) => ({ prefixItems: random.chance(0.5) ? [inside()] : [inside(), inside()] }),
  (_, __, inside) => ({ contains: inside() }),
  (random, _, inside) => ({
    contains: inside(),
    minContains: random.below(3),
    maxContains: random.below(3) + 1,
  }),
  (_, inPlace) => ({ allOf: [inPlace(), inPlace()] }),
  (_, inPlace) => ({ anyOf: [inPlace(), inPlace()] }),
  (_, inPlace) => ({ oneOf: [inPlace(), inPlace()] }),
  (_, inPlace) => ({ oneOf: [inPlace(), { type: "null" }] }),
  (_, inPlace) => ({ not: inPlace() }),
  (_, inPlace) => ({ if: inPlace(), then: inPlace(), else: inPlace() }),
  (random, inPlace) => ({ dependentSchemas: { [random.pick(NAMES)]: inPlace() } }),
  (_, inPlace) => ({ oneOf: createTaggedBranches(inPlace) }),
  (_, inPlace) => ({ anyOf: createTaggedBranches(inPlace) }),
];

/** Generates branches with a discriminating property. */
function createTaggedBranches(inPlace: () => JsonValue): JsonValue[] {
  return [
    { type: "object", required: ["a"], properties: { a: { const: "a" } }, allOf: [inPlace()] },
    { type: "object", required: ["a"], properties: { a: { enum: ["b", 1] } } },
    { allOf: [{ type: "object" }, { required: ["a", "b"] }], properties: { a: { const: null } } },
  ];
}

/**
 * @param inPlaceNames definitions that can be referred to for the same value
 * @param allNames definitions that can be referred to for nested values
 */
function schema(
  random: Random,
  keywords: readonly Make[],
  depth: number,
  inPlaceNames: string[],
  allNames: string[],
): JsonValue {
  if (depth === 0) {
    if (random.chance(0.15)) return random.chance(0.7);
    return random.pick(KEYWORDS.slice(0, 16))(
      random,
      () => true,
      () => true,
    );
  }
  const inPlace = (): JsonValue =>
    inPlaceNames.length > 0 && random.chance(0.35)
      ? { $ref: `#/$defs/${random.pick(inPlaceNames)}` }
      : schema(random, keywords, depth - 1, inPlaceNames, allNames);
  const inside = (): JsonValue =>
    random.chance(0.35)
      ? { $ref: `#/$defs/${random.pick(allNames)}` }
      : schema(random, keywords, depth - 1, allNames, allNames);
  const parts = Array.from({ length: 1 + random.below(4) }, () =>
    random.pick(keywords)(random, inPlace, inside),
  );
  if (inPlaceNames.length > 0 && random.chance(0.15))
    parts.push({ $ref: `#/$defs/${random.pick(inPlaceNames)}` });
  return Object.assign({}, ...parts) as JsonObject;
}
