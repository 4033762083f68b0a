import {
  type BodyPart,
  EncodedJson,
  encodeText,
  joinParts,
  LARGE_BODY_BYTES,
  PLACEHOLDER,
  stringifyWithPlaceholders,
} from "./encoded-json.js";

/** Encodes a body like JSON.stringify, in UTF-8. Encoded JSON in it is copied, not decoded and encoded again. */
export function encodeJson(body: unknown): BodyPart[] {
  if (body instanceof EncodedJson) return [body.bytes];
  const { text, encoded } = stringifyWithPlaceholders(body);
  const texts = text.split(`"${PLACEHOLDER}"`).map(encodeText);
  return joinStrings(texts.flatMap((piece, index) => [piece, encoded[index] ?? ""]));
}

/** Joins adjacent strings, and returns them between the parts that are Buffers. */
function joinStrings(parts: readonly BodyPart[]): BodyPart[] {
  const joined: BodyPart[] = [];
  let strings: string[] = [];
  for (const part of parts) {
    if (typeof part === "string") strings.push(part);
    else {
      joined.push(joinBytes(strings), part);
      strings = [];
    }
  }
  return [...joined, joinBytes(strings)];
}

/** @param strings strings with one character per byte */
function joinBytes(strings: readonly string[]): BodyPart {
  const length = strings.reduce((sum, string) => sum + string.length, 0);
  return length < LARGE_BODY_BYTES ? strings.join("") : joinParts(strings);
}
