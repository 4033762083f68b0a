import { expect, test } from "vitest";
import { ApiDocument } from "../support/api-document.js";

const COMMON_HEADERS = ["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"];

const responses = ApiDocument.committed()
  .operations()
  .flatMap((operation) =>
    operation.responses.map((response) => [`${operation.id} ${response.status}`, response] as const),
  );

/** Responses with one page, which has a version. */
const WITH_VERSION = new Set(["createPage 200", "retrievePage 200", "updatePage 200"]);

test.each(responses)(
  "%s declares the rate-limit headers and the request id, all required",
  (name, response) => {
    const required = response.headers.filter((header) => header.required).map(({ name }) => name);
    expect(required.sort()).toEqual(
      [
        ...COMMON_HEADERS,
        ...(["429", "503"].includes(response.status) ? ["Retry-After"] : []),
        ...(WITH_VERSION.has(name) ? ["ETag"] : []),
      ].sort(),
    );
    const numbers = response.headers.filter(({ name: header }) => !["X-Request-Id", "ETag"].includes(header));
    for (const { schema } of numbers) expect(schema.value).toMatchObject({ type: "integer" });
  },
);

test("each operation declares 401 and 429", () => {
  const operations = ApiDocument.committed().operations();
  const with401And429 = operations.filter(({ responses }) => {
    const statuses = responses.map(({ status }) => status);
    return statuses.includes("401") && statuses.includes("429");
  });
  expect(with401And429.map(({ id }) => id)).toEqual(operations.map(({ id }) => id));
});
