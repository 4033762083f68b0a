import { connect, type Socket } from "node:net";
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs the attackers of the soak test: `node --import tsx attack.ts URL KEYS`, with API keys of free workspaces as JSON.
 * Prints the number of runs of each attack by the status of its last request when it is stopped.
 */

interface Attacker {
  readonly key: string;
  readonly databaseId: string;
}

const [url = "", keys = "[]"] = process.argv.slice(2);
const { hostname, port } = new URL(url);
// The cast: the soak test passes attackers.
const [zones, bodies, scans, readers] = JSON.parse(keys) as Attacker[];
const counts: Record<string, number> = {};

async function send(
  attacker: Attacker,
  method: string,
  path: string,
  body?: object,
  { headers = {}, signal = AbortSignal.timeout(30_000) }: { headers?: object; signal?: AbortSignal } = {},
): Promise<Record<string, unknown> | undefined> {
  const response = await fetch(url + path, {
    method,
    signal,
    headers: { authorization: `Bearer ${attacker.key}`, "content-type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const name = `${method} ${path.replace(/[0-9a-f-]{32,}/, "ID")} ${response.status}`;
  counts[name] = (counts[name] ?? 0) + 1;
  // The cast: responses are JSON objects.
  return (await response.json()) as Record<string, unknown>;
}

async function createDatabase(attacker: Attacker): Promise<string> {
  const texts = Object.fromEntries([0, 1, 2].map((index) => [`Text ${index}`, { rich_text: {} }]));
  const properties = { Name: { title: {} }, When: { date: {} }, ...texts };
  const parent = { database_id: attacker.databaseId };
  const page = await send(attacker, "POST", "/v1/pages", { parent, properties: {} });
  const database = await send(attacker, "POST", "/v1/databases", {
    parent: { page_id: page?.id },
    title: [],
    properties,
  });
  return String(database?.id);
}

/** Creates about 130 KB of text. */
function createLongText(): object {
  return { rich_text: Array.from({ length: 60 }, () => ({ text: { content: "x".repeat(2000) } })) };
}

/** Sends time zones in spellings that differ in each request. */
async function spellTimeZones(attacker: Attacker, databaseId: string): Promise<void> {
  const zone = [..."America/Argentina/ComodRivadavia"]
    .map((letter) => (Math.random() < 0.5 ? letter.toLowerCase() : letter.toUpperCase()))
    .join("");
  const date = { start: "2024-01-01T10:00:00", time_zone: zone };
  await send(attacker, "POST", "/v1/pages", {
    parent: { database_id: databaseId },
    properties: { When: { date } },
  });
}

/** Sends large bodies in parallel, each with a new idempotency key, so that each is stored. */
async function sendLargeBodies(attacker: Attacker, databaseId: string): Promise<void> {
  const properties = { "Text 0": createLongText(), "Text 1": createLongText(), "Text 2": createLongText() };
  const body = { parent: { database_id: databaseId }, properties };
  await Promise.all(
    Array.from({ length: 25 }, () =>
      send(attacker, "POST", "/v1/pages", body, { headers: { "idempotency-key": randomUUID() } }),
    ),
  );
}

/** Sends filters and searches that no index serves. Half of the clients disconnect early. */
async function scan(attacker: Attacker, databaseId: string): Promise<void> {
  const filter = {
    or: Array.from({ length: 100 }, (_, index) => ({
      property: "Text 0",
      rich_text: { contains: `${index} no` },
    })),
  };
  await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const signal = index % 2 === 0 ? { signal: AbortSignal.timeout(100) } : {};
      await send(attacker, "POST", `/v1/databases/${databaseId}/query`, { filter }, signal);
      await send(attacker, "POST", "/v1/search", { query: "no page has this title" }, signal);
    }),
  );
}

const sockets = new Set<Socket>();

/** Sends a request and never reads the response. */
function requestWithoutReading(text: string): void {
  const socket = connect(Number(port), hostname);
  sockets.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => sockets.delete(socket));
  socket.pause();
  socket.write(text);
}

/** Requests large queries of a workspace, and web pages without a key, without reading the responses. */
async function readNothing(attacker: Attacker, databaseId: string): Promise<void> {
  const head = `Host: ${hostname}\r\nAuthorization: Bearer ${attacker.key}\r\n`;
  for (let count = 0; count < 20; count += 1) {
    requestWithoutReading(
      `POST /v1/databases/${databaseId}/query HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
    );
    for (const path of ["/docs", "/openapi.json"]) {
      requestWithoutReading(`GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`);
    }
  }
  await sleep(5000);
  for (const socket of [...sockets].slice(0, 60)) socket.destroy();
}

/** Repeats an attack forever. */
async function repeat(attacker: Attacker, attack: typeof scan, pauseMs: number): Promise<never> {
  let databaseId = "undefined";
  while (databaseId === "undefined") {
    databaseId = await createDatabase(attacker).catch(() => "undefined");
    if (databaseId === "undefined") await sleep(1000);
  }
  const largePages = attack === spellTimeZones ? 0 : 10;
  for (let count = 0; count < largePages; count += 1) {
    const properties = { "Text 0": createLongText(), "Text 1": createLongText() };
    await send(attacker, "POST", "/v1/pages", { parent: { database_id: databaseId }, properties }).catch(
      () => {},
    );
  }
  for (;;) {
    // Ignores errors, because refused and aborted requests are expected.
    await attack(attacker, databaseId).catch(() => {});
    await sleep(pauseMs);
  }
}

process.once("SIGTERM", () => {
  console.log(JSON.stringify(counts));
  process.exit();
});

if (zones) void repeat(zones, spellTimeZones, 200);
if (bodies) void repeat(bodies, sendLargeBodies, 5000);
if (scans) void repeat(scans, scan, 1000);
if (readers) void repeat(readers, readNothing, 1000);
