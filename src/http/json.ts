import { InvalidRequestError, type InvalidRequestReason } from "./errors.js";
import { formatPathSegment } from "./validation.js";

/** Maximum nesting, so that recursive functions on the value do not overflow the stack. */
const MAX_DEPTH = 100;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body, or a value of one.
 *
 * @param label name of the value in messages
 * @throws InvalidRequestError when the body is not UTF-8 or not JSON, is nested more than MAX_DEPTH levels deep, or contains a
 *   string with a lone surrogate or NUL, which databases cannot store
 */
export function parseJson(bytes: Uint8Array, label = "body"): unknown {
  const text = decodeUtf8(bytes, "invalid_json", `Error parsing JSON ${label}: it is not valid UTF-8`);
  checkDepth(text, label);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new InvalidRequestError("invalid_json", `Error parsing JSON ${label}: ${reason}`);
  }
  // Decoded UTF-8 is well-formed, so only escapes can contain a lone surrogate or NUL.
  if (/\\u(?:[dD][89a-fA-F]|0000)/.test(text)) checkStrings(value, label);
  return value;
}

/** Decodes UTF-8 strictly; Buffer would replace malformed bytes with U+FFFD. */
export function decodeUtf8(
  bytes: Uint8Array,
  reason: InvalidRequestReason = "invalid_value",
  message = "The body is not valid UTF-8.",
): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new InvalidRequestError(reason, message);
  }
}

/** Throws if arrays and objects are nested more than MAX_DEPTH levels deep. JSON.parse would take 0.1 s for 1 MB of brackets. */
function checkDepth(text: string, label: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = findEndOfString(text, index);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) throw createDepthError(label);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
}

/** Returns the index of the quote that ends the string at `start`, or the length of the text if there is none. */
export function findEndOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function createDepthError(label: string): InvalidRequestError {
  return new InvalidRequestError(
    "invalid_value",
    `${label} failed validation: ${label} should be nested at most ${MAX_DEPTH} levels deep.`,
  );
}

/**
 * Throws if a string or a name in the value has a character that databases cannot store, or if the value is nested too deeply. The
 * message has the location of the string.
 */
export function checkStrings(value: unknown, label: string): void {
  const found = findInvalidString(value, label, 0);
  if (found === undefined) return;
  const location = `${label}${found.segments.toReversed().map(formatPathSegment).join("")}`;
  const subject = found.isName ? `a name in ${location}` : location;
  throw new InvalidRequestError(
    "invalid_value",
    `${label} failed validation: ${subject} has ${found.problem}.`,
  );
}

interface InvalidString {
  readonly problem: string;
  /** Whether it is the name of a member instead of a value. */
  readonly isName: boolean;
  /** The path of the string, or of the object with the name, from the inside out. */
  readonly segments: string[];
}

/** Builds the path only when it returns from an invalid string, so that valid values cost nothing more. */
function findInvalidString(value: unknown, label: string, depth: number): InvalidString | undefined {
  if (depth > MAX_DEPTH) throw createDepthError(label);
  if (typeof value === "string") {
    const problem = describeInvalidCharacter(value);
    return problem === undefined ? undefined : { problem, isName: false, segments: [] };
  }
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, member] of Array.isArray(value) ? value.entries() : Object.entries(value)) {
    const problem = typeof key === "string" ? describeInvalidCharacter(key) : undefined;
    if (problem !== undefined) return { problem, isName: true, segments: [] };
    const found = findInvalidString(member, label, depth + 1);
    if (found === undefined) continue;
    found.segments.push(String(key));
    return found;
  }
  return undefined;
}

function describeInvalidCharacter(text: string): string | undefined {
  if (text.includes("\0")) return "the character U+0000, which is not allowed";
  return text.isWellFormed() ? undefined : "half of a surrogate pair, which is not valid Unicode text";
}
