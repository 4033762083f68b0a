/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Writes a value as JSON with the keys of each object in an order of chance. It is written by hand, because objects
 * of JavaScript give keys such as "200" in an order of their own.
 */
export function shuffledJson(value: unknown, random: () => number): string {
  if (Array.isArray(value)) return `[${value.map((item) => shuffledJson(item, random)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = shuffled(Object.entries(value), random).map(
    ([key, member]) => `${JSON.stringify(key)}:${shuffledJson(member, random)}`,
  );
  return `{${members.join(",\n")}}`;
}

/** A copy of a value with the keys of each object in an order of chance, numbers first. */
export function shuffledValue(value: unknown, random: () => number): unknown {
  if (Array.isArray(value)) return value.map((item) => shuffledValue(item, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    shuffled(Object.entries(value), random).map(([key, member]) => [key, shuffledValue(member, random)]),
  );
}

function shuffled<T>(list: T[], random: () => number): T[] {
  return list
    .map((item) => ({ item, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ item }) => item);
}
