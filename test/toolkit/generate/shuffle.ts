import type { Random } from "../../support/random.js";

/**
 * Writes a value as JSON with the keys of each object in random order. It does not use JSON.stringify, because JavaScript
 * objects always list keys such as "200" first.
 */
export function stringifyShuffled(value: unknown, random: Random): string {
  if (Array.isArray(value)) return `[${value.map((item) => stringifyShuffled(item, random)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = random
    .shuffle(Object.entries(value))
    .map(([key, member]) => `${JSON.stringify(key)}:${stringifyShuffled(member, random)}`);
  return `{${members.join(",\n")}}`;
}

/** Copies a value with the keys of each object in random order, after numeric keys. */
export function shuffleKeys(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffleKeys(item, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    random.shuffle(Object.entries(value)).map(([key, member]) => [key, shuffleKeys(member, random)]),
  );
}
