import { expect, test, vi } from "vitest";
import type { Client } from "../../src/client/index.js";
import { freezeClock } from "../support/clock.js";
import { addPage, connect, getError } from "../support/contract.js";

const ID = crypto.randomUUID();

interface LimitedResponse {
  status: number;
  headers: Headers;
}

/** Sends a GET for an unknown page, which is counted like any other request. */
async function get(client: Client): Promise<LimitedResponse> {
  const { status, headers } = await getError(client.retrievePage({ path: { page_id: ID } }));
  return { status, headers };
}

function readNumber(headers: Headers, name: string): number {
  const text = headers.get(name);
  expect(text).toMatch(/^\d+$/);
  return Number(text);
}

/** Sends concurrent requests, and expects that exactly the limit passes, each with its own remaining count. */
async function expectLimit(client: Client, limit: number, count: number): Promise<void> {
  const responses = await Promise.all(Array.from({ length: count }, () => get(client)));
  const [passed, refused] = [404, 429].map((status) => responses.filter((each) => each.status === status));
  const left = passed
    ?.map(({ headers }) => readNumber(headers, "X-RateLimit-Remaining"))
    .sort((a, b) => a - b);
  expect(left).toEqual(Array.from({ length: limit }, (_, index) => index));
  expect(refused).toHaveLength(count - limit);
  for (const { headers } of responses) expect(readNumber(headers, "X-RateLimit-Limit")).toBe(limit);
  for (const { headers } of refused ?? []) {
    expect(readNumber(headers, "X-RateLimit-Remaining")).toBe(0);
    const wait = readNumber(headers, "Retry-After");
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(60);
  }
}

test("free: of 120 concurrent requests exactly 100 pass; the others get 429 with Retry-After", async () => {
  const { connect: another } = await connect();
  const { client } = await another({ plan: "free" });
  freezeClock();
  await expectLimit(client, 100, 120);
  const error = await getError(client.retrievePage({ path: { page_id: ID } }));
  expect(error).toMatchObject({ status: 429, code: "rate_limited" });
  expect(error.message).toBe(
    `You have been rate limited. Please try again in ${error.headers.get("Retry-After")} seconds.`,
  );
});

test("enterprise: the limit is the agreed number, or there is none", async () => {
  const { connect: another } = await connect();
  const limited = await another({ plan: "enterprise", limit: 7 });
  freezeClock();
  await expectLimit(limited.client, 7, 10);
  const unlimited = await another({ plan: "enterprise" });
  const { headers } = await get(unlimited.client);
  expect(readNumber(headers, "X-RateLimit-Limit")).toBe(2_147_483_647);
});

test("Retry-After is rounded up, so a request after it passes", async () => {
  const { connect: another } = await connect();
  const { client } = await another({ plan: "enterprise", limit: 1 });
  freezeClock();
  expect((await get(client)).status).toBe(404);
  vi.advanceTimersByTime(57_600);
  const { status, headers } = await get(client);
  expect([status, readNumber(headers, "Retry-After")]).toEqual([429, 3]);
  expect(readNumber(headers, "X-RateLimit-Reset") * 1000).toBeGreaterThanOrEqual(Date.now() + 2400);
  vi.advanceTimersByTime(readNumber(headers, "Retry-After") * 1000);
  expect((await get(client)).status).toBe(404);
});

test("all keys of a workspace share its limit, and each workspace has its own", async () => {
  const { connect: another } = await connect();
  const one = await another({ workspaceName: "One", plan: "enterprise", limit: 2 });
  const two = await another({ workspaceName: "One" });
  const other = await another({ workspaceName: "Other", plan: "enterprise", limit: 2 });
  freezeClock();
  expect((await get(one.client)).status).toBe(404);
  expect((await get(two.client)).status).toBe(404);
  expect((await get(one.client)).status).toBe(429);
  expect((await get(two.client)).status).toBe(429);
  expect((await get(other.client)).status).toBe(404);
});

test("successes, errors and 429 have the three headers; Reset is Unix time within the minute", async () => {
  const { connect: another, send, baseUrl } = await connect();
  const connected = await another({ plan: "enterprise", limit: 4 });
  const headers = { Authorization: `Bearer ${connected.key}` };
  const id = await addPage(connected);
  const responses = [
    await send("GET", `/v1/pages/${id}`, undefined, headers),
    await send("GET", "/v1/pages/x", undefined, headers),
    await send("GET", "/v1/nothing", undefined, headers),
    await send("GET", `/v1/pages/${id}`, undefined, headers),
    await send("GET", "/v1/nothing", undefined, headers),
    await fetch(`${baseUrl}/v1/pages/${id}`),
  ];
  expect(responses.map(({ status }) => status)).toEqual([200, 400, 400, 429, 429, 401]);
  const left = responses.slice(0, 5).map((response) => response.headers.get("X-RateLimit-Remaining"));
  expect(left).toEqual(["2", "1", "0", "0", "0"]);
  const now = Date.now() / 1000;
  for (const { headers: seen } of responses) {
    expect(readNumber(seen, "X-RateLimit-Limit")).toBeGreaterThan(0);
    const reset = readNumber(seen, "X-RateLimit-Reset");
    expect(reset).toBeGreaterThan(now - 1);
    // One second more, because Reset is rounded up.
    expect(reset).toBeLessThanOrEqual(now + 61);
  }
});
