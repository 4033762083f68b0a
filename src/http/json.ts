import { RequestRefused } from "./errors.js";

/** Deeper nesting than any real document has; a recursive reader of the value must not run out of stack. */
const MAX_DEPTH = 100;

const decoder = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses a JSON body.
 *
 * @throws RequestRefused when it is not UTF-8 or not JSON, when it is nested more than 100 deep, or when a string in it
 *   is not well-formed Unicode or holds NUL, which no database stores faithfully
 */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes);
  checkDepth(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new RequestRefused("invalid_json", `Error parsing JSON body: ${reason}`);
  }
  // Decoded UTF-8 is well-formed; only an escape can bring in half a surrogate pair or NUL.
  if (/\\u(?:[dD][89a-fA-F]|0000)/.test(text)) checkStrings(value);
  return value;
}

/** Decodes UTF-8 strictly: a malformed byte is refused, where Buffer would silently put U+FFFD. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new RequestRefused("invalid_json", "Error parsing JSON body: it is not valid UTF-8");
  }
}

function checkDepth(text: string): void {
  let depth = 0;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === 0x22) index = endOfString(text, index);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > MAX_DEPTH) {
        throw new RequestRefused(
          "invalid_json",
          `Error parsing JSON body: nested more than ${MAX_DEPTH} deep`,
        );
      }
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
}

/** Index of the quote that ends the string begun at `start`; the end of the text when there is none. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === 0x5c) backslashes += 1;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function checkStrings(value: unknown): void {
  if (typeof value === "string") {
    if (!value.isWellFormed() || value.includes("\0")) {
      throw new RequestRefused(
        "invalid_value",
        "body failed validation: it holds a string that is not valid Unicode text.",
      );
    }
  } else if (Array.isArray(value)) value.forEach(checkStrings);
  else if (typeof value === "object" && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      checkStrings(key);
      checkStrings(member);
    }
  }
}
