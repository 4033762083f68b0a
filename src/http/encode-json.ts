import { EncodedJson, toByteString } from "./encoded-json.js";

/** Size from which a body is encoded as a Buffer, because Node copies a sent string twice. */
export const LARGE_RESPONSE_BYTES = 64 * 1024;

/**
 * Encodes a body like JSON.stringify, in UTF-8. A string has one character per byte, see toByteString. Copies encoded JSON in the
 * places that EncodedJson names; anywhere else, JSON.stringify calls its toJSON.
 */
export function encodeJson(body: unknown): string | Buffer {
  if (body instanceof EncodedJson) return body.bytes;
  const pieces: string[] = [];
  if (isEncodedList(body)) appendItems(pieces, body);
  else if (hasEncodedMember(body)) appendMembers(pieces, body);
  else pieces.push(toByteString(JSON.stringify(body)));
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

function appendItems(pieces: string[], list: readonly unknown[]): void {
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
function appendMembers(pieces: string[], body: object): void {
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

function encodeWithoutBrackets(value: object): string {
  return toByteString(JSON.stringify(value).slice(1, -1));
}

function joinPieces(pieces: readonly string[]): string | Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length < LARGE_RESPONSE_BYTES) return pieces.join("");
  const bytes = Buffer.allocUnsafe(length);
  let offset = 0;
  for (const piece of pieces) offset += bytes.write(piece, offset, "latin1");
  return bytes;
}
