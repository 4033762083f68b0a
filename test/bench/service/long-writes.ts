import { mkdirSync } from "node:fs";
import path from "node:path";
import { createKeyForWorkspace } from "../../../src/access/provision.js";
import { openStore } from "../../../src/storage/engine/store.js";
import type { Row } from "../table.js";
import { fillStore } from "./fill.js";
import { onPostgres } from "./postgres-database.js";
import { startService } from "./start.js";

/** Wait of other workspaces that is a failure. */
const MAX_WAIT_MS = 250;

/** Changes of a database with many pages, in an order in which each is possible. */
const CHANGES: readonly [name: string, body: object][] = [
  ["change of a type", { properties: { Code: { number: {} } } }],
  ["new unique_id", { properties: { Serial: { unique_id: {} } } }],
  ["dropped property", { properties: { Number: null } }],
  ["move to the trash", { in_trash: true }],
  ["restore", { in_trash: false }],
];

/** Measures the longest waits of another workspace while a database with many pages changes, on both databases. */
export async function measureLongWrites(scratch: string, pages: number): Promise<Row[]> {
  const folder = path.join(scratch, "long-writes");
  mkdirSync(folder);
  const onSqlite = await measureOn("SQLite", folder, path.join(folder, "page-service.db"), {}, pages);
  const onServer = await onPostgres((location) =>
    measureOn("PostgreSQL", folder, location, { DATABASE_URL: location }, pages),
  );
  return [...onSqlite, ...onServer];
}

async function measureOn(
  database: string,
  folder: string,
  location: string,
  env: Record<string, string>,
  pages: number,
): Promise<Row[]> {
  console.log(`Changes of ${pages.toLocaleString("en")} pages beside another workspace, ${database}`);
  const store = await openStore(location);
  const { key, databaseId } = await fillStore(store, pages);
  const other = await createKeyForWorkspace(store, { workspaceName: "Other", plan: "enterprise" });
  await store.close();
  const service = await startService(folder, env);
  const send = async (method: string, url: string, by: string, body?: object): Promise<number> => {
    const response = await fetch(service.url + url, {
      method,
      headers: { Authorization: `Bearer ${by}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const parent = { database_id: other.rootDatabaseId };
  const write = () => send("POST", "/v1/pages", other.key, { parent, properties: {} });
  const read = () => send("GET", `/v1/databases/${other.rootDatabaseId}`, other.key);
  const rows: Row[] = [];
  const measure = async (name: string, job: () => Promise<unknown>): Promise<void> => {
    const state = { isOver: false };
    const started = performance.now();
    const outcome = job()
      .catch((error: unknown) => (error instanceof Error ? (error.cause ?? error.message) : error))
      .finally(() => (state.isOver = true));
    const waits = await Promise.all([write, read].map((request) => longestWait(request, state)));
    const result = await outcome;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    const [longestWrite = "", longestRead = ""] = waits.map(({ longest }) => `${Math.round(longest)} ms`);
    rows.push({
      what: `Longest wait of others: ${name}, ${database}`,
      figure: `write ${longestWrite}, read ${longestRead}`,
      beside: `${seconds} s, ${String(result)}, ${waits.map(({ count }) => count).join(" + ")} requests of others`,
      ratio: "",
      target: `at most ${MAX_WAIT_MS} ms`,
      met: waits.every(({ longest }) => longest <= MAX_WAIT_MS),
    });
    console.log(`  ${rows.at(-1)?.what}: ${rows.at(-1)?.figure}; ${rows.at(-1)?.beside}`);
  };
  await measure("nothing", () => new Promise((resolve) => setTimeout(resolve, 3000, "alone")));
  for (const [name, body] of CHANGES) {
    await measure(name, () => send("PATCH", `/v1/databases/${databaseId}`, key, body));
  }
  await service.stop();
  return rows;
}

/** Sends one request after another until a job is over. */
async function longestWait(
  request: () => Promise<unknown>,
  job: { readonly isOver: boolean },
): Promise<{ longest: number; count: number }> {
  let longest = 0;
  let count = 0;
  do {
    const started = performance.now();
    await request().catch((error: unknown) => console.log(`  a request of others failed: ${String(error)}`));
    longest = Math.max(longest, performance.now() - started);
    count += 1;
  } while (!job.isOver);
  return { longest, count };
}
