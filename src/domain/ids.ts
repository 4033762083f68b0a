import { randomBytes } from "node:crypto";
import { v7 as uuidv7 } from "uuid";

const DASHED_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BARE_UUID = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/;

/** Parses a UUID of any version, with or without dashes, in any case. Returns it in lower case with dashes, or undefined. */
export function parseId(text: string): string | undefined {
  const lower = text.toLowerCase();
  return DASHED_UUID.test(lower) ? lower : BARE_UUID.exec(lower)?.slice(1).join("-");
}

/** Formats an id without dashes, as in URLs of pages and in URL fragments of blocks. */
export function formatBareId(id: string): string {
  return id.replaceAll("-", "");
}

/** Normalizes an id that the validator of the request has accepted, see parseId. Throws only if the validator has a bug. */
export function normalizeId(text: string): string {
  const id = parseId(text);
  if (id === undefined) throw new Error(`the validator accepted an invalid id: ${JSON.stringify(text)}`);
  return id;
}

/** Creates a UUID of version 7. The ids of a process ascend, so that new rows are appended at the end of an index. */
export function newId(): string {
  return uuidv7();
}

/** Creates a random id that is not in `taken`, long enough that a new property does not get that of a removed one with values. */
export function newPropertyId(taken: { has(id: string): boolean }): string {
  for (;;) {
    const id = randomBytes(6).toString("base64url");
    if (!taken.has(id)) return id;
  }
}
