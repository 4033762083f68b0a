import type { Random } from "../../support/random.js";

/**
 * Writes a value as JSON with the keys of each object in an order of chance. It is written by hand, because objects
 * of JavaScript give keys such as "200" in an order of their own.
 */
export function shuffledJson(value: unknown, random: Random): string {
  if (Array.isArray(value)) return `[${value.map((item) => shuffledJson(item, random)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = random
    .shuffle(Object.entries(value))
    .map(([key, member]) => `${JSON.stringify(key)}:${shuffledJson(member, random)}`);
  return `{${members.join(",\n")}}`;
}

/** A copy of a value with the keys of each object in an order of chance, numbers first. */
export function shuffledValue(value: unknown, random: Random): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffledValue(item, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    random.shuffle(Object.entries(value)).map(([key, member]) => [key, shuffledValue(member, random)]),
  );
}
