import { expect, onTestFinished, test, vi } from "vitest";
import {
  computeRetryDelayMs,
  type Fetch,
  type LogEntry,
  type RetryOptions,
  withRetries,
} from "../../../src/client/retry.js";
import { type AttemptResult, connect, type Operation } from "../../../generated/client.js";
import { send } from "../../../src/fetch/index.js";
import { startServer } from "../../support/server.js";

/** Sends a call to a real server that always responds with a failure, and returns the attempts. */
async function countAttempts(
  operation: Partial<Operation>,
  failure: { status: number; body?: object },
  headers: Record<string, string> = {},
): Promise<LogEntry[]> {
  const log: LogEntry[] = [];
  const baseUrl = await startServer((request, response) => {
    request.resume();
    response
      .writeHead(failure.status, { "Content-Type": "application/json" })
      .end(JSON.stringify(failure.body ?? {}));
  });
  const around = withRetries((request) => fetch(request), { retries: 1, log: (entry) => log.push(entry) });
  const call: Operation = { name: "test", path: "/test", method: "patch", ...operation };
  await expect(send(connect({ baseUrl, around }), { body: {} }, { headers }, call)).rejects.toThrow();
  return log;
}

const CONFLICT = { status: 409, body: { object: "error", code: "conflict_error" } };

test("a PATCH without an idempotency key is not retried", async () => {
  expect(await countAttempts({}, { status: 503 })).toHaveLength(1);
  expect(await countAttempts({ idempotent: "Idempotency-Key" }, { status: 503 })).toHaveLength(2);
});

test("a conflict is retried, but not with If-Match", async () => {
  const operation = { idempotent: "Idempotency-Key" };
  expect(await countAttempts(operation, CONFLICT)).toHaveLength(2);
  expect(await countAttempts(operation, CONFLICT, { "If-Match": '"1"' })).toHaveLength(1);
});

test("a Retry-After in the past does not shorten the backoff", () => {
  const headers = { "Retry-After": new Date(Date.now() - 60_000).toUTCString() };
  expect(computeRetryDelayMs(1, { response: new Response(null, { headers }) })).toBeGreaterThanOrEqual(250);
});

test("the backoff doubles up to four seconds, with as much jitter again", () => {
  [250, 500, 1000, 2000, 4000, 4000, 4000].forEach((backoff, index) => {
    for (let sample = 0; sample < 100; sample += 1) {
      const wait = computeRetryDelayMs(index + 1, undefined);
      expect(wait).toBeGreaterThanOrEqual(backoff);
      expect(wait).toBeLessThan(2 * backoff);
    }
  });
});

/** Calls an operation with a fetch function, while the time stands still. */
function callInFrozenTime(
  fetch: Fetch,
  log: RetryOptions["log"],
  signal?: AbortSignal,
): Promise<AttemptResult> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  return withRetries(fetch, log ? { log } : {})(
    { name: "test", path: "/test", method: "get", idempotent: true },
    async (additions) => {
      const request = new Request("http://example.test", { signal: additions.signal ?? null });
      return { response: (await additions.fetch?.(request)) ?? Response.error() };
    },
    { signal },
  );
}

test("a call is retried four times by default, and the log has the duration of each attempt", async () => {
  const log: LogEntry[] = [];
  const call = callInFrozenTime(
    async () => {
      vi.advanceTimersByTime(7);
      return new Response(null, { status: 503 });
    },
    (entry) => log.push(entry),
  );
  await vi.advanceTimersByTimeAsync(60_000);
  expect((await call).response.status).toBe(503);
  expect(log.map(({ milliseconds }) => milliseconds)).toEqual([7, 7, 7, 7, 7]);
});

test("a call takes at most 90 seconds by default", async () => {
  const call = callInFrozenTime(
    ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", reject)),
    undefined,
  );
  const result = expect(call).rejects.toThrow("test got no response within 90000 ms.");
  await vi.advanceTimersByTimeAsync(90_000);
  await result;
});

test("no timer is left after a call, also if it is aborted while it waits", async () => {
  const controller = new AbortController();
  const call = callInFrozenTime(
    async () => new Response(null, { status: 503 }),
    () => queueMicrotask(() => controller.abort()),
    controller.signal,
  );
  await expect(call).rejects.toThrow("aborted");
  expect(vi.getTimerCount()).toBe(0);
});
