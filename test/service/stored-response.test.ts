import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { MAX_STORED_BODY_BYTES, MAX_STORED_RESPONSE_BYTES } from "../../src/budgets.js";
import { EncodedJson } from "../../src/http/index.js";
import { decodeStoredResponse, encodeStoredResponse } from "../../src/service/stored-response.js";

/** Creates a response with a text. */
function createResponse(text: string) {
  const headers = { ETag: '"1"', Location: '/ü,"body":' };
  return { status: 200, headers, body: new EncodedJson(JSON.stringify({ text: `ü🚀${text}`, body: {} })) };
}

/** Creates a text with about this number of bytes after compression. */
function createText(compressedBytes: number): string {
  return randomBytes(compressedBytes).toString("base64");
}

test.each([
  ["small", 1],
  ["large", MAX_STORED_RESPONSE_BYTES * 0.95],
])("a %s response is restored unchanged, with its body as JSON", (_, bytes) => {
  const response = createResponse(createText(bytes));
  const content = encodeStoredResponse(response);
  const decoded = content && decodeStoredResponse(200, content);
  expect(decoded?.body).toBeInstanceOf(EncodedJson);
  expect(JSON.stringify(decoded)).toBe(JSON.stringify(response));
});

test("a response without headers is restored unchanged", () => {
  const body = new EncodedJson(JSON.stringify({ results: [] }));
  const content = encodeStoredResponse({ status: 200, body });
  expect(content && decodeStoredResponse(200, content)).toEqual({ status: 200, headers: undefined, body });
});

test("a response that is too large after compression is not stored", () => {
  expect(encodeStoredResponse(createResponse(createText(MAX_STORED_RESPONSE_BYTES)))).toBeNull();
});

test("a response with too much JSON is not stored, however small it would be after compression", () => {
  const almostTooLong = "ü".repeat(MAX_STORED_BODY_BYTES / 2 - 100);
  expect(encodeStoredResponse(createResponse(almostTooLong))).not.toBeNull();
  expect(encodeStoredResponse(createResponse(`${almostTooLong}${"ü".repeat(100)}`))).toBeNull();
});
