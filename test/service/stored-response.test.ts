import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { MAX_STORED_RESPONSE_BYTES } from "../../src/budgets.js";
import { decodeStoredResponse, encodeStoredResponse } from "../../src/service/stored-response.js";

/** Creates a response with about this number of compressed bytes. */
function createResponse(bytes: number) {
  return { status: 200, headers: { ETag: '"1"' }, body: { text: randomBytes(bytes).toString("base64") } };
}

test("a response is stored up to its limit, and restored unchanged", () => {
  const response = createResponse(MAX_STORED_RESPONSE_BYTES * 0.95);
  const content = encodeStoredResponse(response);
  expect(content && decodeStoredResponse(200, content)).toEqual(response);
  expect(encodeStoredResponse(createResponse(MAX_STORED_RESPONSE_BYTES))).toBeNull();
});
