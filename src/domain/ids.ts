import { randomBytes, randomUUID } from "node:crypto";

const DASHED = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BARE = /^[0-9a-f]{32}$/;

/**
 * Reads an id of a page, database or workspace as callers write it.
 *
 * @param text A UUID of any version, with dashes or without, in any case.
 * @returns The id as the service stores it, dashed and in lower case; undefined when `text` is no UUID.
 */
export function parseId(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (DASHED.test(lower)) return lower;
  if (!BARE.test(lower)) return undefined;
  return [
    lower.slice(0, 8),
    lower.slice(8, 12),
    lower.slice(12, 16),
    lower.slice(16, 20),
    lower.slice(20),
  ].join("-");
}

/**
 * The id as the service stores it, of a text that the request's validation has let pass.
 *
 * @throws Error when it is no id after all, which the validation must not let happen
 */
export function requireId(text: string): string {
  const id = parseId(text);
  if (id === undefined) throw new Error(`the validator let an id pass that is none: ${JSON.stringify(text)}`);
  return id;
}

const HIGHEST_SEQUENCE = 0xfff;
let lastMilliseconds = 0;
let sequence = 0;

/**
 * Makes a new id: a UUID of version 7. Ids made by one process ascend, even within a millisecond and when
 * the clock is set back, so that rows are appended at the end of their index.
 */
export function newId(): string {
  const now = Date.now();
  if (now > lastMilliseconds) {
    lastMilliseconds = now;
    sequence = 0;
  } else if (sequence < HIGHEST_SEQUENCE) {
    sequence += 1;
  } else {
    lastMilliseconds += 1;
    sequence = 0;
  }
  const time = lastMilliseconds.toString(16).padStart(12, "0");
  const counter = sequence.toString(16).padStart(3, "0");
  // The last two groups of a random UUID hold the variant and 62 random bits, just what version 7 asks for.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter}-${randomUUID().slice(19)}`;
}

/**
 * Makes an id for a property: four characters of the URL-safe alphabet.
 *
 * @param taken The ids that the database's other properties have.
 */
export function newPropertyId(taken: { has(id: string): boolean }): string {
  for (;;) {
    const id = randomBytes(3).toString("base64url");
    if (!taken.has(id)) return id;
  }
}
