import { randomBytes, randomUUID } from "node:crypto";

const DASHED_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BARE_UUID = /^[0-9a-f]{32}$/;

/** Parses a UUID of any version, with or without dashes, in any case. Returns it in lower case with dashes, or undefined. */
export function parseId(text: string): string | undefined {
  const lower = text.toLowerCase();
  if (DASHED_UUID.test(lower)) return lower;
  if (!BARE_UUID.test(lower)) return undefined;
  return [
    lower.slice(0, 8),
    lower.slice(8, 12),
    lower.slice(12, 16),
    lower.slice(16, 20),
    lower.slice(20),
  ].join("-");
}

/** Formats an id without dashes, as in URLs of pages and in URL fragments of blocks. */
export function formatBareId(id: string): string {
  return id.replaceAll("-", "");
}

/** Parses an id that the validator of the request has accepted. It throws only if the validator has a bug. */
export function requireId(text: string): string {
  const id = parseId(text);
  if (id === undefined) throw new Error(`the validator accepted an invalid id: ${JSON.stringify(text)}`);
  return id;
}

/** Ids of one millisecond. Further ones get the next millisecond (RFC 9562, section 6.2, method 1). */
const IDS_PER_MS = 2 ** 12;

/** Time of the last id in milliseconds, and its number in this millisecond. */
let lastTime = 0;
let lastNumber = 0;

/**
 * Creates a UUID of version 7. The ids of a process ascend, so that new rows are appended at the end of an index. Takes its random
 * part from randomUUID, which reads random bytes for 128 ids at once: a request can create 1,000 blocks.
 */
export function newId(): string {
  const now = Date.now();
  lastNumber += 1;
  if (now > lastTime || lastNumber === IDS_PER_MS) {
    lastTime = Math.max(now, lastTime + 1);
    lastNumber = 0;
  }
  const time = lastTime.toString(16).padStart(12, "0");
  const number = lastNumber.toString(16).padStart(3, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${number}-${randomUUID().slice(19)}`;
}

/** Creates an id for a property: four characters of the URL-safe Base64 alphabet. It is not one of the `taken` ids. */
export function newPropertyId(taken: { has(id: string): boolean }): string {
  for (;;) {
    const id = randomBytes(3).toString("base64url");
    if (!taken.has(id)) return id;
  }
}
