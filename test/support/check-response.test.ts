import { describe, expect, test } from "vitest";
import { ApiDocument } from "./api-document.js";
import { createResponseChecker, ResponseViolation } from "./check-response.js";
import { createCheckedFetch } from "./checked-fetch.js";
import { uncheckedFetch } from "./checked-responses.js";
import { coverageReport } from "./run-reporter.js";
import { startServer } from "./server.js";

const ID = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915";
const REQUEST_ID = "5f1d7a84-9d0f-4f0e-9b7a-3d9b3e1f2a60";
const checker = createResponseChecker(ApiDocument.committed());

interface TestResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
}

const HEADERS = {
  "Content-Type": "application/json; charset=utf-8",
  "X-RateLimit-Limit": "100",
  "X-RateLimit-Remaining": "99",
  "X-RateLimit-Reset": "1777886013",
  "X-Request-Id": REQUEST_ID,
};

function createError(status: number, code: string, changes: Partial<TestResponse> = {}): TestResponse {
  const body = JSON.stringify({ object: "error", status, code, message: "No.", request_id: REQUEST_ID });
  return { status, headers: HEADERS, body, ...changes };
}

function omitHeader(name: keyof typeof HEADERS): Record<string, string> {
  const { [name]: _, ...rest } = HEADERS;
  return rest;
}

/** Serves the response once and passes it to the checker in the same way as the tests' own fetch. */
async function check(
  sent: TestResponse,
  path = `/v1/pages/${ID}`,
  method = "GET",
): Promise<string | undefined> {
  const url = await startServer((_, response) => {
    response.writeHead(sent.status, sent.headers).end(sent.body);
  });
  let pair: string | undefined;
  const fetch = createCheckedFetch(uncheckedFetch, (response) => {
    pair = checker.check(response);
  });
  await fetch(`${url}${path}`, { method });
  return pair;
}

/** Checks a response and returns the message of the violation. */
async function findViolation(sent: TestResponse, path?: string, method?: string): Promise<string> {
  const error: unknown = await check(sent, path, method).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ResponseViolation);
  return error instanceof Error ? error.message : "";
}

test("accepts and counts a response that the document declares", async () => {
  expect(await check(createError(404, "object_not_found"))).toBe("retrievePage 404");
  expect(await check(createError(401, "unauthorized"), "/v1/pages", "POST")).toBe("createPage 401");
});

describe("a violation names the operation, the status and the location", () => {
  test.each(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"] as const)(
    "the header %s is missing",
    async (name) => {
      const message = await findViolation(
        createError(404, "object_not_found", { headers: omitHeader(name) }),
      );
      expect(message).toContain(`retrievePage (GET /v1/pages/${ID}), status 404`);
      expect(message).toContain(`header ${name} is missing`);
    },
  );

  test("429 without Retry-After", async () => {
    expect(await findViolation(createError(429, "rate_limited"))).toContain("header Retry-After is missing");
  });

  test.each([
    ["X-RateLimit-Limit", "many"],
    ["X-RateLimit-Remaining", "-1"],
    ["X-RateLimit-Reset", "1.5"],
    ["X-Request-Id", "42"],
  ])("the header %s is %s", async (name, value) => {
    const headers = { ...HEADERS, [name]: value };
    expect(await findViolation(createError(404, "object_not_found", { headers }))).toContain(
      `header ${name} (${JSON.stringify(value)})`,
    );
  });

  test("a status that the operation does not declare", async () => {
    expect(await findViolation(createError(418, "teapot"))).toContain("declares no status 418");
    expect(await findViolation(createError(409, "conflict_error"))).toContain("declares no status 409");
  });

  test.each([
    ["text/html", "text/html"],
    ["none", undefined],
  ])("another content type: %s", async (_, type) => {
    const headers = {
      ...omitHeader("Content-Type"),
      ...(type === undefined ? {} : { "Content-Type": type }),
    };
    expect(await findViolation(createError(404, "object_not_found", { headers }))).toContain("content type");
  });

  test.each([
    ["is not JSON", "oops", "the body is not JSON"],
    ["is empty", "", "the body is not JSON"],
    ["lacks a field", '{"object":"error","status":404,"code":"object_not_found","message":""}', "request_id"],
    ["is another object", JSON.stringify({ object: "page", id: ID }), "body /object"],
  ])("a body that %s", async (_, body, place) => {
    expect(await findViolation(createError(404, "object_not_found", { body }))).toContain(place);
  });

  test("a body with the code of another status", async () => {
    expect(await findViolation(createError(404, "unauthorized"))).toContain("body /code");
  });

  test("a page with a field too many, and one with a malformed time", async () => {
    const page = findPageExample();
    const headers = { ...HEADERS, ETag: '"1-0"' };
    expect(await check({ status: 200, headers, body: JSON.stringify(page) })).toBe("retrievePage 200");
    const more = JSON.stringify({ ...page, secret: 1 });
    expect(await findViolation({ status: 200, headers: HEADERS, body: more })).toContain("secret");
    const time = JSON.stringify({ ...page, created_time: "2026-05-04T09:12:33Z" });
    expect(await findViolation({ status: 200, headers: HEADERS, body: time })).toContain("/created_time");
  });
});

describe("a path under /v1 without an operation", () => {
  test("passes with 400 invalid_request_url and is not counted", async () => {
    expect(await check(createError(400, "invalid_request_url"), "/v1/nothing")).toBeUndefined();
    expect(await check(createError(400, "invalid_request_url"), "/v1/pages", "DELETE")).toBeUndefined();
    const headers = { ...HEADERS, "Retry-After": "3" };
    expect(await check(createError(429, "rate_limited", { headers }), "/v1/nothing")).toBeUndefined();
  });

  test("fails with any other response", async () => {
    expect(await findViolation(createError(404, "object_not_found"), "/v1/nothing")).toContain(
      "no operation",
    );
    expect(await findViolation(createError(400, "invalid_json"), "/v1/nothing")).toContain("invalid_json");
    const headers = omitHeader("X-RateLimit-Limit");
    expect(await findViolation(createError(400, "invalid_request_url", { headers }), "/v1/pages/")).toContain(
      "X-RateLimit-Limit",
    );
  });
});

test("checks HEAD like GET without the body, and does not count it", async () => {
  const sent = createError(404, "object_not_found");
  expect(await check(sent, undefined, "HEAD")).toBeUndefined();
  const headers = omitHeader("X-Request-Id");
  expect(await findViolation({ ...sent, headers }, undefined, "HEAD")).toContain("X-Request-Id");
});

test("ignores paths outside of /v1", async () => {
  expect(await check({ status: 418, headers: {}, body: "tea" }, "/livez")).toBeUndefined();
});

test("the report counts seen responses and lists the others", () => {
  expect(coverageReport(["a 200", "a 404", "b 200"], ["a 200", "b 200", ""], true)).toContain("2 of 3");
  expect(coverageReport(["a 200", "a 404"], ["a 200"], true)).toMatch(/Never seen:\n {2}a 404/);
  expect(coverageReport(["a 200"], ["a 200"], true)).not.toContain("Never seen:");
  expect(coverageReport(["a 200", "a 404"], ["a 200"], false)).not.toContain("Never seen:");
});

/** Returns the document's own example of a page. */
function findPageExample(): object {
  const operation = ApiDocument.committed()
    .operations()
    .find(({ id }) => id === "retrievePage");
  const response = operation?.responses.find(({ status }) => status === "200");
  const value = response?.content[0]?.examples[0]?.value;
  if (typeof value !== "object" || value === null) throw new Error("The page has no example.");
  return value;
}
