import { rmSync } from "node:fs";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { operations } from "../../generated/routes.js";
import { connect, addPage, title } from "../support/contract.js";
import { newPostgresDatabase, NO_POSTGRES } from "../support/stores.js";
import { NO_REDIS, startRedis } from "../support/redis.js";
import { createPageService } from "../../src/service.js";
import { testUnless } from "../support/requirements.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

/** Reads the values of /metrics by name and labels. */
async function scrape(baseUrl: string): Promise<Record<string, number>> {
  const response = await fetch(`${baseUrl}/metrics`);
  expect(response.status).toBe(200);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain; version=0\.0\.4/);
  const lines = (await response.text()).split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => {
      const [, name = line, value] = /^(\S+(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
      return [name, Number(value)];
    }),
  );
}

/** Creates the key of the number of requests of an operation, method and status class. */
const createRequestsKey = (operation: string, method: string, status: string): string =>
  `page_service_request_duration_seconds_count{operation="${operation}",method="${method}",status="${status}"}`;

test("writes that wait for others are counted", async () => {
  const { baseUrl, service } = await connect();
  let end = (): void => {};
  const isOver = new Promise<void>((resolve) => (end = resolve));
  // Before the service closes, which waits for its writes.
  onTestFinished(() => end());
  const waiting: Promise<void>[] = [];
  const first = service.store.writeServiceWide(() => {
    // The group of this write has begun.
    waiting.push(service.store.writeServiceWide(async () => {}));
    return isOver;
  });
  await expect.poll(async () => (await scrape(baseUrl)).page_service_writes_waiting).toBe(1);
  end();
  await Promise.all([first, ...waiting]);
  expect((await scrape(baseUrl)).page_service_writes_waiting).toBe(0);
});

test("requests are counted by operation, method and class of the status, with their durations", async () => {
  const connected = await connect();
  const { baseUrl, client, send } = connected;
  const page = await addPage(connected);
  const started = performance.now();
  for (let n = 0; n < 3; n += 1) await client.retrievePage({ path: { page_id: page } });
  await send("GET", "/v1/pages/00000000-0000-7000-8000-000000000000");
  await fetch(`${baseUrl}/v1/pages/${page}`);
  await send("GET", "/v1/no/such/path");
  await send("DELETE", "/v1/pages");
  const found = await scrape(baseUrl);
  const elapsedSeconds = (performance.now() - started) / 1000;
  expect(found).toMatchObject({
    [createRequestsKey("createPage", "POST", "2xx")]: 1,
    [createRequestsKey("retrievePage", "GET", "2xx")]: 3,
    [createRequestsKey("retrievePage", "GET", "4xx")]: 2,
    [createRequestsKey("none", "GET", "4xx")]: 1,
    [createRequestsKey("none", "DELETE", "4xx")]: 1,
    page_service_write_group_size_count: expect.any(Number),
    page_service_writes_waiting: 0,
    process_cpu_seconds_total: expect.any(Number),
    nodejs_heap_size_used_bytes: expect.any(Number),
    nodejs_eventloop_lag_p99_seconds: expect.any(Number),
  });
  expect(found.page_service_write_group_size_sum).toBeGreaterThan(0);
  const labels = 'operation="retrievePage",method="GET",status="2xx"';
  const sum = found[`page_service_request_duration_seconds_sum{${labels}}`] ?? 0;
  expect(sum).toBeGreaterThan(0);
  expect(sum).toBeLessThan(elapsedSeconds);
  expect(found[`page_service_request_duration_seconds_bucket{le="+Inf",${labels}}`]).toBe(3);
  const buckets = Object.entries(found).flatMap(([name, value]) =>
    name.startsWith("page_service_request_duration_seconds_bucket") && name.includes(labels) ? [value] : [],
  );
  expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
  // Reading again counts nothing twice.
  expect(await scrape(baseUrl)).toMatchObject({ [createRequestsKey("retrievePage", "GET", "2xx")]: 3 });
});

test("labels contain no workspace names or ids", async () => {
  const connected = await connect();
  const { baseUrl, workspaceId, rootDatabaseId, key, send } = connected;
  await connected.connect({ workspaceName: "Acme & Sons" });
  const page = await addPage(connected, "Secret plans");
  await send("GET", `/v1/${encodeURIComponent("Secret plans")}/${page}`);
  await send("PATCH", `/v1/pages/${page}`, { properties: { Title: title("Other plans") } });
  const text = await (await fetch(`${baseUrl}/metrics`)).text();
  for (const word of [workspaceId, rootDatabaseId, key, page, "Acme", "Test", "plans", "/v1"]) {
    expect(text).not.toContain(word);
  }
  const known = new Set<string>(["none", ...Object.keys(operations)]);
  for (const [, operation = ""] of text.matchAll(/operation="([^"]*)"/g)) expect(known).toContain(operation);
});

test("rate-limited requests are counted by kind of caller", async () => {
  const { baseUrl, connect: another } = await connect();
  const { key } = await another({ plan: "enterprise", limit: 2 });
  for (let n = 0; n < 5; n += 1) {
    await fetch(`${baseUrl}/v1/users/me`, { headers: { Authorization: `Bearer ${key}` } });
  }
  expect(await scrape(baseUrl)).toMatchObject({
    'page_service_rate_limit_refusals_total{caller="workspace"}': 3,
    'page_service_rate_limit_refusals_total{caller="address"}': 0,
  });
});

testUnless(NO_REDIS ?? NO_POSTGRES)(
  "exports the connections to PostgreSQL and the state of Redis",
  async () => {
    const redis = await startRedis();
    const database = await newPostgresDatabase();
    const service = await createPageService({ database, redisUrl: redis.url });
    onTestFinished(() => service.close());
    const baseUrl = `http://127.0.0.1:${await service.listen(0, "127.0.0.1")}`;
    await service.createKey({ workspaceName: "Acme" });
    const found = await scrape(baseUrl);
    expect(found).toMatchObject({
      page_service_redis_up: 1,
      'page_service_database_waiting{use="write"}': 0,
    });
    expect(found).not.toHaveProperty("page_service_disk_free_bytes");
    const countWriters = async () => {
      const metrics = await scrape(baseUrl);
      return ["idle", "busy"].map(
        (state) => metrics[`page_service_database_connections{use="write",state="${state}"}`] ?? 0,
      );
    };
    // The connection of the last write, or of counting, is busy for a moment.
    await expect.poll(countWriters).toEqual([1, 0]);
    await redis.kill();
    await expect.poll(async () => (await scrape(baseUrl)).page_service_redis_up).toBe(0);
  },
);

test("metrics are readable without Redis, and when the folder of the database is gone", async () => {
  const folder = createTemporaryFolder();
  const service = await createPageService({ database: path.join(folder, "page-service.db") });
  onTestFinished(() => service.close());
  const baseUrl = `http://localhost:${await service.listen(0)}`;
  const found = await scrape(baseUrl);
  expect(found).not.toHaveProperty("page_service_redis_up");
  expect(found.page_service_disk_free_bytes).toBeGreaterThan(0);
  rmSync(folder, { recursive: true });
  expect((await scrape(baseUrl)).page_service_disk_free_bytes).toBeNaN();
});
