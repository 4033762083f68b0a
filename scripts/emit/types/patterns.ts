import { groupBy } from "../../maps.js";
import type { Schema } from "../../model/schema/schema.js";
import {
  ANY_NAME,
  createUnion,
  createTypeName,
  type Member,
  type NamePattern,
  type IndexSignature,
  type Type,
} from "./type.js";

/** Text without the special characters of regular expressions, except escaped ones. */
const LITERAL = "(?:[A-Za-z0-9_ :;,@#%&=!<>~\"'`/-]|\\\\[.\\-/$^*+?()[\\]{}|\\\\])*";
/** Literal text that can be anchored, with one wildcard: `^x-`, `_id$`, `^.*_id$` or `^x-.+_id$`. */
const SIMPLE_PATTERN = new RegExp(
  `^(?<start>\\^?)(?<before>${LITERAL})(?:(?<wildcard>\\.[*+])(?<after>${LITERAL}))?(?<end>\\$?)$`,
);

/**
 * Converts a regular expression of `patternProperties` to what a type can express: a prefix and a suffix, for a template
 * literal type, or the only name that matches. The difference between `.*` and `.+` is ignored.
 *
 * @returns `ANY_NAME` for any other expression
 */
export function parseNamePattern(pattern: string): NamePattern | { only: string } {
  const { groups } = SIMPLE_PATTERN.exec(pattern) ?? {};
  if (!groups) return ANY_NAME;
  const isAtStart = groups["start"] !== "";
  const isAtEnd = groups["end"] !== "";
  const before = removeEscapes(groups["before"] ?? "");
  const after = removeEscapes(groups["after"] ?? "");
  if (groups["wildcard"] === undefined) {
    if (isAtStart && isAtEnd) return { only: before };
    if (isAtStart) return { prefix: before, suffix: "" };
    return isAtEnd ? { prefix: "", suffix: before } : ANY_NAME;
  }
  // Text without an anchor can be in the middle of a name.
  const isAnchored = (before === "" || isAtStart) && (after === "" || isAtEnd);
  return isAnchored ? { prefix: before, suffix: after } : ANY_NAME;
}

function removeEscapes(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}

/** Lists the properties in `patternProperties` whose pattern matches one name, unless `properties` declares that name. */
export function listSingleNames(schema: Schema): (readonly [name: string, schemas: readonly Schema[]])[] {
  return [...schema.subschemaMap("patternProperties")].flatMap(([source, property]) => {
    const pattern = parseNamePattern(source);
    return "only" in pattern && !schema.properties.has(pattern.only) ? [[pattern.only, [property]]] : [];
  });
}

/** Creates index signatures. TypeScript requires the type of each to include the types of all matching properties. */
export function createIndexSignatures(
  signatures: readonly IndexSignature[],
  additional: Type | undefined,
  members: readonly Member[],
): IndexSignature[] {
  const all = additional ? [...signatures, { pattern: ANY_NAME, type: additional }] : signatures;
  const byPattern = groupBy(all, (signature) => JSON.stringify(signature.pattern));
  return [...byPattern.values()].map((same): IndexSignature => {
    const pattern = same[0]?.pattern ?? ANY_NAME;
    const covers = ({ prefix, suffix }: NamePattern): boolean =>
      prefix.startsWith(pattern.prefix) && suffix.endsWith(pattern.suffix);
    const covered = members.filter(({ name }) => matchesPattern(name, pattern));
    const types = [
      ...all.filter((signature) => covers(signature.pattern)).map(({ type }) => type),
      ...covered.map(({ type }) => type),
    ];
    const hasOptional = covered.some(({ isOptional }) => isOptional);
    return { pattern, type: createUnion(hasOptional ? [...types, createTypeName("undefined")] : types) };
  });
}

/** Whether a schema for property names lists them. Its type includes null if it is nullable, so it does not name properties. */
export function listsNames(schema: Schema): boolean {
  const target = schema.reference ?? schema;
  const values = target.listedValues ?? [];
  const allowsNull = schema.nullable || target.nullable;
  return !allowsNull && values.length > 0 && values.every((value) => typeof value === "string");
}

export function matchesPattern(name: string, { prefix, suffix }: NamePattern): boolean {
  return name.length >= prefix.length + suffix.length && name.startsWith(prefix) && name.endsWith(suffix);
}
