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

interface Answer {
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

function errorAnswer(status: number, code: string, changes: Partial<Answer> = {}): Answer {
  const body = JSON.stringify({ object: "error", status, code, message: "No.", request_id: REQUEST_ID });
  return { status, headers: HEADERS, body, ...changes };
}

function without(name: keyof typeof HEADERS): Record<string, string> {
  const { [name]: _, ...rest } = HEADERS;
  return rest;
}

/** Serves the answer once and hands it to the checker as the tests' own fetch does. */
async function check(answer: Answer, path = `/v1/pages/${ID}`, method = "GET"): Promise<string | undefined> {
  const url = await startServer((_, response) => {
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  let pair: string | undefined;
  const fetch = createCheckedFetch(uncheckedFetch, (response) => {
    pair = checker.check(response);
  });
  await fetch(`${url}${path}`, { method });
  return pair;
}

/** The message of the violation. */
async function violation(answer: Answer, path?: string, method?: string): Promise<string> {
  const error: unknown = await check(answer, path, method).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ResponseViolation);
  return error instanceof Error ? error.message : "";
}

test("a response as the document declares it passes and is counted", async () => {
  expect(await check(errorAnswer(404, "object_not_found"))).toBe("retrievePage 404");
  expect(await check(errorAnswer(401, "unauthorized"), "/v1/pages", "POST")).toBe("createPage 401");
});

describe("a violation names the operation, the status and the place:", () => {
  test.each(["X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset", "X-Request-Id"] as const)(
    "the header %s is missing",
    async (name) => {
      const message = await violation(errorAnswer(404, "object_not_found", { headers: without(name) }));
      expect(message).toContain(`retrievePage (GET /v1/pages/${ID}), status 404`);
      expect(message).toContain(`header ${name} is missing`);
    },
  );

  test("429 without Retry-After", async () => {
    expect(await violation(errorAnswer(429, "rate_limited"))).toContain("header Retry-After is missing");
  });

  test.each([
    ["X-RateLimit-Limit", "many"],
    ["X-RateLimit-Remaining", "-1"],
    ["X-RateLimit-Reset", "1.5"],
    ["X-Request-Id", "42"],
  ])("the header %s is %s", async (name, value) => {
    const headers = { ...HEADERS, [name]: value };
    expect(await violation(errorAnswer(404, "object_not_found", { headers }))).toContain(
      `header ${name} (${JSON.stringify(value)})`,
    );
  });

  test("a status that the operation does not declare", async () => {
    expect(await violation(errorAnswer(418, "teapot"))).toContain("declares no status 418");
    expect(await violation(errorAnswer(409, "conflict_error"))).toContain("declares no status 409");
  });

  test.each([
    ["text/html", "text/html"],
    ["none", undefined],
  ])("another content type: %s", async (_, type) => {
    const headers = { ...without("Content-Type"), ...(type === undefined ? {} : { "Content-Type": type }) };
    expect(await violation(errorAnswer(404, "object_not_found", { headers }))).toContain("content type");
  });

  test.each([
    ["is not JSON", "oops", "the body is not JSON"],
    ["is empty", "", "the body is not JSON"],
    ["lacks a field", '{"object":"error","status":404,"code":"object_not_found","message":""}', "request_id"],
    ["is another object", JSON.stringify({ object: "page", id: ID }), "body /object"],
  ])("a body that %s", async (_, body, place) => {
    expect(await violation(errorAnswer(404, "object_not_found", { body }))).toContain(place);
  });

  test("a body with the code of another status", async () => {
    expect(await violation(errorAnswer(404, "unauthorized"))).toContain("body /code");
  });

  test("a page with a field too many, and one with a malformed time", async () => {
    const page = exampleOfPage();
    const headers = { ...HEADERS, ETag: '"1-0"' };
    expect(await check({ status: 200, headers, body: JSON.stringify(page) })).toBe("retrievePage 200");
    const more = JSON.stringify({ ...page, secret: 1 });
    expect(await violation({ status: 200, headers: HEADERS, body: more })).toContain("secret");
    const time = JSON.stringify({ ...page, created_time: "2026-05-04T09:12:33Z" });
    expect(await violation({ status: 200, headers: HEADERS, body: time })).toContain("/created_time");
  });
});

describe("a path under /v1 that no operation has", () => {
  test("passes with 400 invalid_request_url, and is not counted", async () => {
    expect(await check(errorAnswer(400, "invalid_request_url"), "/v1/nothing")).toBeUndefined();
    expect(await check(errorAnswer(400, "invalid_request_url"), "/v1/pages", "DELETE")).toBeUndefined();
    const headers = { ...HEADERS, "Retry-After": "3" };
    expect(await check(errorAnswer(429, "rate_limited", { headers }), "/v1/nothing")).toBeUndefined();
  });

  test("fails with anything else", async () => {
    expect(await violation(errorAnswer(404, "object_not_found"), "/v1/nothing")).toContain("no operation");
    expect(await violation(errorAnswer(400, "invalid_json"), "/v1/nothing")).toContain("invalid_json");
    const headers = without("X-RateLimit-Limit");
    expect(await violation(errorAnswer(400, "invalid_request_url", { headers }), "/v1/pages/")).toContain(
      "X-RateLimit-Limit",
    );
  });
});

test("HEAD is checked as GET, its body aside, and is not counted", async () => {
  const answer = errorAnswer(404, "object_not_found");
  expect(await check(answer, undefined, "HEAD")).toBeUndefined();
  const headers = without("X-Request-Id");
  expect(await violation({ ...answer, headers }, undefined, "HEAD")).toContain("X-Request-Id");
});

test("paths that are not under /v1 are left alone", async () => {
  expect(await check({ status: 418, headers: {}, body: "tea" }, "/livez")).toBeUndefined();
});

test("the report counts what was seen and lists what never was", () => {
  expect(coverageReport(["a 200", "a 404", "b 200"], ["a 200", "b 200", ""], true)).toContain("2 of 3");
  expect(coverageReport(["a 200", "a 404"], ["a 200"], true)).toMatch(/Never seen:\n {2}a 404/);
  expect(coverageReport(["a 200"], ["a 200"], true)).not.toContain("Never seen:");
  expect(coverageReport(["a 200", "a 404"], ["a 200"], false)).not.toContain("Never seen:");
});

/** The document's own example of a page. */
function exampleOfPage(): object {
  const operation = ApiDocument.committed()
    .operations()
    .find(({ id }) => id === "retrievePage");
  const response = operation?.responses.find(({ status }) => status === "200");
  const value = response?.content[0]?.examples[0]?.value;
  if (typeof value !== "object" || value === null) throw new Error("The page has no example.");
  return value;
}
