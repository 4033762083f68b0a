import { EncodedJson, toByteString } from "./encoded-json.js";

/** Size of a body that becomes a buffer, because sending a string makes two copies of it. */
export const LARGE_BODY_BYTES = 64 * 1024;

/** Encodes a body like JSON.stringify, in UTF-8. A string has one character per byte, see toByteString. */
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

/** Whether a value is an object with encoded JSON in a member. toJSON could replace the members. */
function hasEncodedMember(value: unknown): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value) || "toJSON" in value) return false;
  return Object.values(value).some((member) => member instanceof EncodedJson || isEncodedList(member));
}

function appendItems(pieces: string[], list: readonly unknown[]): void {
  let separator = "[";
  for (const item of list) {
    // Encoded in a list, where JSON has null for values such as functions.
    const json = item instanceof EncodedJson ? item.bytes : encodeInside([item]);
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
      const member = encodeInside({ [name]: value });
      if (member === "") continue;
      pieces.push(separator, member);
    }
    separator = ",";
  }
  pieces.push("}");
}

/** Encodes a list or an object without its brackets. */
function encodeInside(value: object): string {
  return toByteString(JSON.stringify(value).slice(1, -1));
}

function joinPieces(pieces: readonly string[]): string | Buffer {
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  if (length < LARGE_BODY_BYTES) return pieces.join("");
  const bytes = Buffer.allocUnsafe(length);
  let offset = 0;
  for (const piece of pieces) offset += bytes.write(piece, offset, "latin1");
  return bytes;
}
