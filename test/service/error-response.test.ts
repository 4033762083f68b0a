import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { operations } from "../../generated/routes.js";
import { BusyError, LockTimeoutError } from "../../src/errors.js";
import { createErrorResponse } from "../../src/service/error-response.js";

function createContext(method: string) {
  const request = new IncomingMessage(new Socket());
  request.method = method;
  return { request, response: new ServerResponse(request), startTime: 0, headers: {} };
}

test("an unexpected error is reported, unless the client has disconnected", () => {
  const report = vi.fn();
  const context = createContext("GET");
  const error = new Error("a mistake");
  expect(createErrorResponse(error, context, undefined, report).status).toBe(500);
  expect(report.mock.calls).toEqual([[error]]);
  context.response.destroy();
  expect(createErrorResponse(error, context, undefined, report).status).toBe(500);
  expect(report).toHaveBeenCalledTimes(1);
});

test.each([
  { method: "GET", operation: operations.retrievePage, status: 503 },
  { method: "HEAD", operation: operations.retrievePage, status: 503 },
  { method: "POST", operation: operations.queryDatabase, status: 503 },
  { method: "PATCH", operation: operations.updatePage, status: 409 },
])(
  "the response to $method of $operation.name is $status when the database is locked",
  ({ method, operation, status }) => {
    const error = new LockTimeoutError("locked");
    expect(createErrorResponse(error, createContext(method), operation, () => {}).status).toBe(status);
  },
);

test("the response to a request that is refused because of too much work says why", () => {
  const context = createContext("GET");
  const message = "Too many requests are waiting.";
  expect(createErrorResponse(new BusyError(message), context, undefined, () => {}).body).toMatchObject({
    code: "service_unavailable",
    message,
  });
});
