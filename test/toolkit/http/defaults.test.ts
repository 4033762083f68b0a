import express from "express";
import { afterEach, describe, expect, test, vi } from "vitest";
import {
  createBinder,
  problemResponse,
  type HttpResponse,
  InvalidRequestError,
} from "../../../src/http/index.js";
import { startServer } from "../../support/server.js";
import { operation } from "./server.js";

afterEach(() => vi.restoreAllMocks());

/** Serves an operation with a minimal binder, and returns the response to one request. */
async function sendRequest(
  handler: (request: never, context: undefined) => Promise<HttpResponse>,
  init: RequestInit = {},
): Promise<Response> {
  const bind = createBinder({ validators: {} });
  const app = express();
  const body = { required: false, mediaTypes: { "application/json": "json" } } as const;
  app.all("/things", bind(operation({ body }), handler));
  return fetch(`${await startServer(app)}/things`, init);
}

describe("a binder with only validators", () => {
  test("has no context", async () => {
    const seen: unknown[] = [];
    const response = await sendRequest(async (_request, context) => {
      seen.push(context);
      return { status: 204 };
    });
    expect(response.status).toBe(204);
    expect(seen).toEqual([undefined]);
  });

  test("responds to a refused request with a problem of RFC 9457", async () => {
    const response = await sendRequest(async () => ({ status: 204 }), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: "{",
    });
    expect(response.status).toBe(400);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toEqual({
      title: "Bad Request",
      status: 400,
      detail: expect.stringMatching(/^Error parsing JSON body: /),
    });
  });

  test("responds to an unexpected error with 500 without details, and prints the error", async () => {
    const printed = vi.spyOn(console, "error").mockImplementation(() => {});
    const error = new Error("the password is 1234");
    const response = await sendRequest(() => Promise.reject(error));
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('{"title":"Internal Server Error","status":500}');
    expect(printed.mock.calls).toEqual([[error]]);
  });

  test("accepts a body of at most 1 MiB", async () => {
    const send = (size: number): Promise<Response> =>
      sendRequest(async () => ({ status: 204 }), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify("x".repeat(size - 2)),
      });
    expect((await send(1024 * 1024)).status).toBe(204);
    expect((await send(1024 * 1024 + 1)).status).toBe(413);
  });
});

test("`beforeResponse` sees the response of the handler, or of an error", async () => {
  const seen: number[] = [];
  const bind = createBinder({
    validators: {},
    beforeResponse: (_, { status }, { name }) => seen.push(name === "op" ? status : 0),
  });
  const app = express();
  app.get(
    "/found",
    bind(operation(), async () => ({ status: 204 })),
  );
  app.get(
    "/lost",
    bind(operation(), () => Promise.reject(Object.assign(new Error("lost"), { status: 404 }))),
  );
  const url = await startServer(app);
  expect((await fetch(`${url}/found`)).status).toBe(204);
  expect((await fetch(`${url}/lost`)).status).toBe(404);
  expect(seen).toEqual([204, 404]);
});

describe("problemResponse", () => {
  const withStatus = (status: unknown): Error => Object.assign(new Error("why"), { status });
  test.each<[unknown, object]>([
    [
      new InvalidRequestError("payload_too_large", "why"),
      { title: "Payload Too Large", status: 413, detail: "why" },
    ],
    [withStatus(404), { title: "Not Found", status: 404, detail: "why" }],
    [withStatus(501), { title: "Not Implemented", status: 501, detail: "why" }],
    [withStatus(503), { title: "Service Unavailable", status: 503 }],
    [withStatus(499), { title: "Error", status: 499, detail: "why" }],
    [withStatus(599), { title: "Error", status: 599 }],
    [withStatus(200), { title: "Internal Server Error", status: 500 }],
    [withStatus("404"), { title: "Internal Server Error", status: 500 }],
    [withStatus(404.5), { title: "Internal Server Error", status: 500 }],
    ["thrown text", { title: "Internal Server Error", status: 500 }],
    [undefined, { title: "Internal Server Error", status: 500 }],
  ])("%o", (error, body) => {
    const { status } = body as { status: number };
    expect(problemResponse(error)).toEqual({ status, contentType: "application/problem+json", body });
  });
});
