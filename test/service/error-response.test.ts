import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, test, vi } from "vitest";
import { createErrorResponse } from "../../src/service/error-response.js";

test("an unexpected error is reported, unless the client has disconnected", () => {
  const report = vi.fn();
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  const context = { request, response, startTime: 0, headers: {} };
  const error = new Error("a mistake");
  expect(createErrorResponse(error, context, undefined, report).status).toBe(500);
  expect(report.mock.calls).toEqual([[error]]);
  response.destroy();
  expect(createErrorResponse(error, context, undefined, report).status).toBe(500);
  expect(report).toHaveBeenCalledTimes(1);
});
