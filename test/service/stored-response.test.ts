import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { MAX_STORED_RESPONSE_BYTES } from "../../src/budgets.js";
import { EncodedJson } from "../../src/http/index.js";
import { decodeStoredResponse, encodeStoredResponse } from "../../src/service/stored-response.js";

/** Creates a response with about this number of compressed bytes. */
function createResponse(bytes: number) {
  const headers = { ETag: '"1"', Location: '/ü,"body":' };
  return { status: 200, headers, body: { text: `ü🚀${randomBytes(bytes).toString("base64")}`, body: {} } };
}

test("a response is stored up to its limit, and restored unchanged, with its body as JSON", () => {
  const response = createResponse(MAX_STORED_RESPONSE_BYTES * 0.95);
  const content = encodeStoredResponse(response);
  const decoded = content && decodeStoredResponse(200, content);
  expect(decoded?.body).toBeInstanceOf(EncodedJson);
  expect(JSON.stringify(decoded)).toBe(JSON.stringify(response));
  expect(encodeStoredResponse(createResponse(MAX_STORED_RESPONSE_BYTES))).toBeNull();
});
