import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect as openSocket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { LOCK_TIMEOUT_MS, WRITE_WAIT_MS } from "../../src/budgets.js";
import { deleteExpiredResponses, findWorkspacesWithExpiredResponses } from "../../src/storage/idempotency.js";
import { connect, type Connected, readError, title } from "../support/contract.js";
import { Random, takeSeed } from "../support/random.js";
import { withDatabase } from "./properties/fixture.js";
import { newLocation } from "../support/stores.js";

const DAY_MS = 24 * 3_600_000;

type Sender = Pick<Connected, "baseUrl" | "key">;

function createPageBody({ rootDatabaseId }: { rootDatabaseId: string }, text = "Once"): object {
  return { parent: { database_id: rootDatabaseId }, properties: { Title: title(text) } };
}

function createHeaders({ key }: Sender, idempotencyKey: string): Record<string, string> {
  return {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Idempotency-Key": idempotencyKey,
  };
}

function write(sender: Sender, idempotencyKey: string, body: object, path = "/v1/pages"): Promise<Response> {
  return fetch(sender.baseUrl + path, {
    method: path === "/v1/pages" ? "POST" : "PATCH",
    headers: createHeaders(sender, idempotencyKey),
    body: JSON.stringify(body),
  });
}

/** Sends a write again after a 409 or 503 because it waited too long for others, as on a busy machine. It changed nothing. */
async function writePatiently(...args: Parameters<typeof write>): Promise<Response> {
  const start = performance.now();
  const response = await write(...args);
  const waitedMs = performance.now() - start;
  const waitedTooLong =
    (response.status === 409 && waitedMs >= LOCK_TIMEOUT_MS) ||
    (response.status === 503 && waitedMs >= WRITE_WAIT_MS);
  return waitedTooLong ? writePatiently(...args) : response;
}

async function readId(response: Response): Promise<string> {
  // The cast: the response has been checked against the document.
  return ((await response.json()) as { id: string }).id;
}

async function addOnce(connected: Connected): Promise<string> {
  return readId(await write(connected, randomUUID(), createPageBody(connected)));
}

async function countPages({ service }: Connected): Promise<number> {
  return (await service.store.read.selectFrom("pages").select("id").execute()).length;
}

async function countStoredResponses({ service }: Connected): Promise<number> {
  return (await service.store.read.selectFrom("idempotency_keys").select("id").execute()).length;
}

test("100 concurrent requests with one key to two services on one database create one page and get identical responses", async () => {
  const database = await newLocation();
  const first = await connect({ database });
  const second = await connect({ database });
  const senders = [first, { baseUrl: second.baseUrl, key: first.key }];
  const key = randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      writePatiently(senders[index % 2] ?? first, key, createPageBody(first)),
    ),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
  const replayed = responses.filter(({ headers }) => headers.get("Idempotency-Replayed") === "true");
  expect(replayed).toHaveLength(99);
  expect(await countPages(first)).toBe(1);
});

test("stored responses survive a restart; different content is refused; keys are separate for each API key", async () => {
  const database = await newLocation();
  const first = await connect({ database });
  const key = 'a key, "quoted": 8f2d\'';
  const text = await (await write(first, key, createPageBody(first))).text();
  await first.service.close();

  const second = await connect({ database });
  const sender = { baseUrl: second.baseUrl, key: first.key };
  const again = await write(sender, key, createPageBody(first));
  expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([200, "true"]);
  expect(await again.text()).toBe(text);

  const path = `/v1/pages/${JSON.parse(text).id}`;
  for (const refused of [
    await write(sender, key, createPageBody(first, "Twice")),
    await write(sender, key, { properties: { Title: title("Twice") } }, path),
  ]) {
    const error = await readError(refused);
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toContain('headers["Idempotency-Key"] was sent with another request before');
  }

  // Another API key of the same workspace.
  const other = await write(second, key, createPageBody(first));
  expect([other.status, other.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
  expect(await other.text()).not.toBe(text);
  expect(await countPages(second)).toBe(2);
});

test("a key with the same body on another path is refused and changes nothing", async () => {
  const connected = await connect();
  const [one, other] = [await addOnce(connected), await addOnce(connected)];
  const key = randomUUID();
  const edit = { properties: { Points: { number: 7 } } };
  expect((await write(connected, key, edit, `/v1/pages/${one}`)).status).toBe(200);
  const refused = await readError(await write(connected, key, edit, `/v1/pages/${other}`));
  expect(refused).toMatchObject({ status: 400, code: "validation_error" });
  expect(refused.message).toContain("Idempotency-Key");
  const { body } = await connected.client.retrievePage({ path: { page_id: other } });
  expect(body.properties.Points).toMatchObject({ number: null });
});

test("a replayed update changes nothing, so later changes remain", async () => {
  const connected = await connect();
  const id = await addOnce(connected);
  const path = `/v1/pages/${id}`;
  const key = randomUUID();
  const text = await (await write(connected, key, { properties: { Points: { number: 1 } } }, path)).text();
  await write(connected, randomUUID(), { properties: { Points: { number: 2 } } }, path);
  const again = await write(connected, key, { properties: { Points: { number: 1 } } }, path);
  expect(await again.text()).toBe(text);
  const { body } = await connected.client.retrievePage({ path: { page_id: id } });
  expect(body.properties.Points).toMatchObject({ number: 2 });
});

test("a key with another If-Match is refused", async () => {
  const connected = await connect();
  const id = await addOnce(connected);
  const { headers } = await connected.client.retrievePage({ path: { page_id: id } });
  const key = randomUUID();
  const update = (ifMatch: string) =>
    connected.send(
      "PATCH",
      `/v1/pages/${id}`,
      { archived: false },
      { "Idempotency-Key": key, "If-Match": ifMatch },
    );
  const tag = headers.ETag ?? "";
  expect((await update(tag)).status).toBe(200);
  expect((await update(tag)).status).toBe(200);
  expect((await update("*")).status).toBe(400);
});

test("a failed write stores no response, so a retry executes it", async () => {
  const connected = await connect();
  const key = randomUUID();
  const id = await addOnce(connected);
  const path = `/v1/pages/${id}`;
  const edit = { icon: { emoji: "🧭" } };
  await write(connected, randomUUID(), { in_trash: true }, path);
  const kept = await countStoredResponses(connected);
  expect((await write(connected, key, edit, path)).status).toBe(400);
  expect((await write(connected, key, { properties: [] }, path)).status).toBe(400);
  expect(await countStoredResponses(connected)).toBe(kept);
  await write(connected, randomUUID(), { in_trash: false }, path);
  const done = await write(connected, key, edit, path);
  expect([done.status, done.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
});

test("a key must not be empty or longer than 255 characters", async () => {
  const connected = await connect();
  for (const [key, status] of [
    ["", 400],
    ["x".repeat(256), 400],
    ["x".repeat(255), 200],
  ] as const) {
    const response = await write(connected, key, createPageBody(connected));
    expect(response.status).toBe(status);
    if (status === 400)
      expect((await readError(response)).message).toContain('headers["Idempotency-Key"].length should be');
  }
});

test("stored responses expire after a day and are deleted in small batches", async () => {
  const connected = await connect();
  const { store } = connected.service;
  const keys = Array.from({ length: 5 }, () => randomUUID());
  for (const key of keys) await write(connected, key, createPageBody(connected));
  const age = (milliseconds: number) =>
    store.writeServiceWide((tx) =>
      tx
        .updateTable("idempotency_keys")
        .set({ created_time: Date.now() - milliseconds })
        .execute(),
    );
  await age(DAY_MS - 60_000);
  const [key = ""] = keys;
  const young = await write(connected, key, createPageBody(connected));
  expect(young.headers.get("Idempotency-Replayed")).toBe("true");

  await age(DAY_MS);
  const old = await write(connected, key, createPageBody(connected));
  expect([old.status, old.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
  expect(await countPages(connected)).toBe(6);

  const remove = () =>
    store.write(connected.workspaceId, (scope) => deleteExpiredResponses(scope, Date.now(), 3));
  expect(await findWorkspacesWithExpiredResponses(store.read, Date.now(), 10)).toEqual([
    connected.workspaceId,
  ]);
  expect([await remove(), await remove(), await remove()]).toEqual([3, 1, 0]);
  expect(await findWorkspacesWithExpiredResponses(store.read, Date.now(), 10)).toEqual([]);
  expect(await countStoredResponses(connected)).toBe(1);
  const again = await write(connected, key, createPageBody(connected));
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
});

test("a retry of a write whose response is too large to store reports that the write was done", async () => {
  const connected = await withDatabase({ Name: { title: {} }, Text: { rich_text: {} } });
  // Random text, because other text would be compressed to a small size.
  const random = new Random(1);
  const word = () => String.fromCodePoint(0x4e00 + random.below(20_000));
  const text = Array.from({ length: 100 }, () => ({
    text: { content: Array.from({ length: 1500 }, word).join("") },
  }));
  const body = { parent: { database_id: connected.databaseId }, properties: { Text: { rich_text: text } } };
  const key = randomUUID();
  expect((await write(connected, key, body)).status).toBe(200);
  const pages = await countPages(connected);
  const retry = await readError(await write(connected, key, body));
  // Not a conflict, which clients would retry.
  expect(retry).toMatchObject({ status: 400, code: "validation_error" });
  expect(retry.message).toContain("was done, but its response was too large to store");
  expect(await countPages(connected)).toBe(pages);
});

test("1,000 writes that are retried after a dropped connection create 1,000 pages", async () => {
  const random = new Random(takeSeed());
  const connected = await connect({ database: await newLocation() });
  const { hostname, port } = new URL(connected.baseUrl);
  let replayed = 0;

  async function dropAndRetry(index: number): Promise<string> {
    const key = randomUUID();
    const body = createPageBody(connected, `Page ${index}`);
    const text = JSON.stringify(body);
    const head = { Host: "a", ...createHeaders(connected, key), "Content-Length": String(text.length) };
    const lines = Object.entries(head).map((pair) => pair.join(": "));
    const request = `POST /v1/pages HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${text}`;
    const socket = openSocket(Number(port), hostname);
    socket.on("error", () => {});
    await once(socket, "connect");
    if (random.chance(0.4)) {
      // Drops the connection after the response has arrived.
      socket.write(request);
      await once(socket, "readable");
    } else {
      // Mostly sends the whole request, and drops the connection at a random moment of its execution.
      const sent = random.chance(0.8) ? request.length : random.below(request.length);
      const delay = random.below(40);
      socket.write(request.slice(0, sent));
      await sleep(delay);
    }
    // Closes with RST or with FIN.
    if (random.chance(0.5)) socket.resetAndDestroy();
    else socket.destroy();
    const response = await writePatiently(connected, key, body);
    expect(response.status).toBe(200);
    if (response.headers.get("Idempotency-Replayed") === "true") replayed += 1;
    return readId(response);
  }

  const ids: string[] = [];
  for (let round = 0; round < 50; round += 1) {
    ids.push(
      ...(await Promise.all(Array.from({ length: 20 }, (_, index) => dropAndRetry(round * 20 + index)))),
    );
  }
  const pages = await connected.service.store.read.selectFrom("pages").select("id").orderBy("id").execute();
  expect(pages.map(({ id }) => id)).toEqual(ids.toSorted());
  // Fails if few of the first attempts were executed, because then few retries were tested.
  expect(replayed).toBeGreaterThan(100);
});
