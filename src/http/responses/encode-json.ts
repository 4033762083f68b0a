import {
  type BodyPart,
  EncodedJson,
  joinParts,
  LARGE_BODY_BYTES,
  encodeText,
  toByteString,
} from "./encoded-json.js";

/**
 * Encodes a body like JSON.stringify, in UTF-8. Uses encoded JSON in the places that EncodedJson names; anywhere else,
 * JSON.stringify calls its toJSON.
 */
export function encodeJson(body: unknown): BodyPart[] {
  if (body instanceof EncodedJson) return [body.bytes];
  const pieces: BodyPart[] = [];
  if (isEncodedList(body)) appendItems(pieces, body);
  else if (hasEncodedMember(body)) appendMembers(pieces, body);
  else pieces.push(encodeText(JSON.stringify(body)));
  return joinPieces(pieces);
}

function isEncodedList(value: unknown): value is unknown[] {
  return Array.isArray(value) && value.some((item) => item instanceof EncodedJson);
}

/** Whether a value is an object with encoded JSON in a member, but no toJSON, which could replace its members. */
function hasEncodedMember(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "toJSON" in value) return false;
  return Object.values(value).some((member) => member instanceof EncodedJson || isEncodedList(member));
}

function appendItems(pieces: BodyPart[], list: readonly unknown[]): void {
  let separator = "[";
  for (const item of list) {
    // Encoded in a list, where JSON has null for values such as functions.
    const json = item instanceof EncodedJson ? item.bytes : encodeWithoutBrackets([item]);
    pieces.push(separator, json);
    separator = ",";
  }
  pieces.push("]");
}

/** Appends an object that has at least one member with encoded JSON. */
function appendMembers(pieces: BodyPart[], body: object): void {
  let separator = "{";
  for (const [name, value] of Object.entries(body)) {
    if (value instanceof EncodedJson || isEncodedList(value)) {
      pieces.push(`${separator}${toByteString(JSON.stringify(name))}:`);
      if (value instanceof EncodedJson) pieces.push(value.bytes);
      else appendItems(pieces, value);
    } else {
      // Encoded in an object, because JSON omits members such as functions.
      const member = encodeWithoutBrackets({ [name]: value });
      if (member === "") continue;
      pieces.push(separator, member);
    }
    separator = ",";
  }
  pieces.push("}");
}

function encodeWithoutBrackets(value: object): BodyPart {
  return encodeText(JSON.stringify(value).slice(1, -1));
}

/** Joins the pieces, except those that are Buffers. */
function joinPieces(pieces: readonly BodyPart[]): BodyPart[] {
  const parts: BodyPart[] = [];
  let texts: string[] = [];
  for (const piece of pieces) {
    if (typeof piece === "string") {
      texts.push(piece);
    } else {
      parts.push(joinTexts(texts), piece);
      texts = [];
    }
  }
  parts.push(joinTexts(texts));
  return parts;
}

/** @param texts strings with one character per byte */
function joinTexts(texts: readonly string[]): BodyPart {
  const length = texts.reduce((sum, text) => sum + text.length, 0);
  return length < LARGE_BODY_BYTES ? texts.join("") : joinParts(texts);
}
