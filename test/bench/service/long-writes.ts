import { cpSync } from "node:fs";
import { once } from "node:events";
import { Agent, request } from "node:http";
import path from "node:path";
import { createKeyAsOperator } from "../../../src/access/keys/operator-keys.js";
import { openStore } from "../../../src/storage/engine/open-store.js";
import { findAllJobs } from "../../../src/storage/jobs.js";
import { startNode } from "../child.js";
import type { Row } from "../table.js";
import { type Filled, fillStore } from "./fill.js";
import { withPostgresDatabase } from "./postgres-database.js";
import { startService } from "./start.js";

/** Target for the longest wait of another workspace. */
const MAX_WAIT_MS = 250;

/** Time between two requests of one kind, however long the responses take. */
const INTERVAL_MS = 10;

/** Duration of the measurement without a job before each job. */
const CONTROL_MS = 5_000;

/** Changes of a database with many pages, in an order in which each is valid. */
const CHANGES: readonly [name: string, body: object][] = [
  ["change of a type", { properties: { Code: { number: {} } } }],
  ["new unique_id", { properties: { Serial: { unique_id: {} } } }],
  ["dropped property", { properties: { Number: null } }],
  ["move to the trash", { in_trash: true }],
  ["restore", { in_trash: false }],
];

/** Measures the longest waits of another workspace while a database with many pages changes, on both databases. */
export async function measureLongWrites(filled: Filled, scratch: string): Promise<Row[]> {
  const folder = path.join(scratch, "long-writes");
  cpSync(filled.folder, folder, { recursive: true });
  const onSqlite = await measureOn("SQLite", folder, path.join(folder, "page-service.db"), {}, filled);
  const onServer = await withPostgresDatabase(async (location) => {
    const store = await openStore(location);
    const { key, databaseId } = await fillStore(store, filled.pages);
    await store.close();
    return measureOn("PostgreSQL", folder, location, { DATABASE_URL: location }, { key, databaseId });
  });
  return [...onSqlite, ...onServer];
}

async function measureOn(
  database: string,
  folder: string,
  location: string,
  env: Record<string, string>,
  { key, databaseId }: Pick<Filled, "key" | "databaseId">,
): Promise<Row[]> {
  console.log(`Waits of another workspace during changes of a large database, ${database}`);
  const store = await openStore(location);
  const other = await createKeyAsOperator(store, {
    workspaceName: "Other",
    plan: "enterprise",
    limit: 1_000_000,
  });
  const service = await startService(folder, env);
  const agent = new Agent({ keepAlive: true, timeout: 3000 });
  const send = (method: string, url: string, by: string, body?: object): Promise<Response> =>
    sendTo(agent, service.url + url, method, by, body);
  const parent = { database_id: other.rootDatabaseId };
  const created = await send("POST", "/v1/pages", other.key, { parent, properties: {} });
  // The cast: the response is a page.
  const page = `/v1/pages/${(JSON.parse(created.text) as { id: string }).id}`;
  const probes = {
    livez: () => send("GET", "/livez", other.key),
    GET: () => send("GET", page, other.key),
    PATCH: () => send("PATCH", page, other.key, { icon: { type: "emoji", emoji: "🙂" } }),
  };
  const rows: Row[] = [];
  const measure = async (name: string, job: () => Promise<unknown>): Promise<void> => {
    const state = { isOver: false };
    const started = performance.now();
    const outcome = job()
      .catch((error: unknown) => error)
      .finally(() => (state.isOver = true));
    const waits = await Promise.all(Object.values(probes).map((probe) => collectWaits(probe, state)));
    const result = await outcome;
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    rows.push({
      what: `Longest wait of others (p99): ${name}, ${database}`,
      figure: waits
        .map(
          (times, index) =>
            `${Object.keys(probes)[index]} ${formatMs(times.at(-1))} (${formatMs(times[findP99Index(times)])})`,
        )
        .join(", "),
      beside: `${seconds} s, ${String(result)}`,
      ratio: "",
      target: `at most ${MAX_WAIT_MS} ms`,
      met: waits.every((times) => (times.at(-1) ?? 0) <= MAX_WAIT_MS),
    });
    console.log(`  ${rows.at(-1)?.what}: ${rows.at(-1)?.figure}; ${rows.at(-1)?.beside}`);
  };
  const pause = (time: number) => new Promise((resolve) => setTimeout(resolve, time, "no job"));
  for (const [name, body] of CHANGES) {
    await measure("nothing", () => pause(CONTROL_MS));
    await measure(name, async () => {
      const { status } = await send("PATCH", `/v1/databases/${databaseId}`, key, body);
      // Waits for the job that removes old values after the response.
      while ((await findAllJobs(store.read)).length > 0) await pause(100);
      return status;
    });
  }
  await measure("deleted workspace", async () => {
    const remove = startNode(["dist/src/cli.js", "workspaces", "delete", "Bench", "--yes"], {
      DATA_DIR: folder,
      ...env,
    });
    const [code] = await once(remove, "exit");
    return `exit code ${code}`;
  });
  agent.destroy();
  await service.stop();
  await store.close();
  return rows;
}

interface Response {
  readonly status: number;
  readonly text: string;
}

function sendTo(agent: Agent, url: string, method: string, key: string, body?: object): Promise<Response> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const sent = request(url, { method, agent, headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, text })).on("error", reject);
    });
    sent.on("error", reject).end(body && JSON.stringify(body));
  });
}

/**
 * Sends a request at each interval until a job is over, without waiting for the responses to earlier requests.
 *
 * @returns the waits for the responses, shortest first
 */
async function collectWaits(
  probe: () => Promise<Response>,
  job: { readonly isOver: boolean },
): Promise<number[]> {
  const waits: Promise<number>[] = [];
  while (!job.isOver) {
    const started = performance.now();
    waits.push(
      probe().then(
        ({ status, text }) => {
          if (status !== 200)
            console.log(`  a request of the other workspace got ${status}: ${text.slice(0, 200)}`);
          return performance.now() - started;
        },
        (error: unknown) => {
          console.log(`  a request of the other workspace failed: ${String(error)}`);
          return Infinity;
        },
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
  return (await Promise.all(waits)).sort((a, b) => a - b);
}

function findP99Index(times: readonly number[]): number {
  return Math.floor(0.99 * (times.length - 1));
}

function formatMs(time: number | undefined): string {
  return `${Math.round(time ?? 0)} ms`;
}
