import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { connect as openSocket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ANSWER_LIFE, removeOldAnswers } from "../../src/storage/idempotency.js";
import { connect, type Connected, errorOf, title } from "../support/contract.js";
import { Random, takeSeed } from "../support/random.js";
import { newLocation } from "../support/stores.js";

type Sender = Pick<Connected, "baseUrl" | "key">;

function pageBody({ rootDatabaseId }: { rootDatabaseId: string }, text = "Once"): object {
  return { parent: { database_id: rootDatabaseId }, properties: { Title: title(text) } };
}

function headersOf({ key }: Sender, idempotencyKey: string): Record<string, string> {
  return {
    Authorization: `Bearer ${key}`,
    "Content-Type": "application/json",
    "Idempotency-Key": idempotencyKey,
  };
}

function write(sender: Sender, idempotencyKey: string, body: object, path = "/v1/pages"): Promise<Response> {
  return fetch(sender.baseUrl + path, {
    method: path === "/v1/pages" ? "POST" : "PATCH",
    headers: headersOf(sender, idempotencyKey),
    body: JSON.stringify(body),
  });
}

async function idOf(response: Response): Promise<string> {
  // The cast: the response was held against the document.
  return ((await response.json()) as { id: string }).id;
}

async function addOnce(connected: Connected): Promise<string> {
  return idOf(await write(connected, randomUUID(), pageBody(connected)));
}

async function countPages({ service }: Connected): Promise<number> {
  return (await service.store.read.selectFrom("pages").select("id").execute()).length;
}

async function countAnswers({ service }: Connected): Promise<number> {
  return (await service.store.read.selectFrom("idempotency_keys").select("key_id").execute()).length;
}

test("100 at once, through two services on one database, make one page and are answered with the same bytes", async () => {
  const database = await newLocation();
  const first = await connect({ database });
  const second = await connect({ database });
  const senders = [first, { baseUrl: second.baseUrl, key: first.key }];
  const key = randomUUID();
  const responses = await Promise.all(
    Array.from({ length: 100 }, (_, index) => write(senders[index % 2] ?? first, key, pageBody(first))),
  );
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
  expect(new Set(await Promise.all(responses.map((response) => response.text()))).size).toBe(1);
  const replayed = responses.filter(({ headers }) => headers.get("Idempotency-Replayed") === "true");
  expect(replayed).toHaveLength(99);
  expect(await countPages(first)).toBe(1);
});

test("the answer outlives the service; another content is refused; another API key has keys of its own", async () => {
  const database = await newLocation();
  const first = await connect({ database });
  const key = 'a key, "quoted": 8f2d\'';
  const answer = await (await write(first, key, pageBody(first))).text();
  await first.service.close();

  const second = await connect({ database });
  const sender = { baseUrl: second.baseUrl, key: first.key };
  const again = await write(sender, key, pageBody(first));
  expect([again.status, again.headers.get("Idempotency-Replayed")]).toEqual([200, "true"]);
  expect(await again.text()).toBe(answer);

  const path = `/v1/pages/${JSON.parse(answer).id}`;
  for (const refused of [
    await write(sender, key, pageBody(first, "Twice")),
    await write(sender, key, { properties: { Title: title("Twice") } }, path),
  ]) {
    const error = await errorOf(refused);
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toContain('headers["Idempotency-Key"] was sent with another request before');
  }

  // The other API key is one of the same workspace.
  const other = await write(second, key, pageBody(first));
  expect([other.status, other.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
  expect(await other.text()).not.toBe(answer);
  expect(await countPages(second)).toBe(2);
});

test("an update that is sent again changes nothing: what others did since stays", async () => {
  const connected = await connect();
  const id = await addOnce(connected);
  const path = `/v1/pages/${id}`;
  const key = randomUUID();
  const answer = await (await write(connected, key, { properties: { Points: { number: 1 } } }, path)).text();
  await write(connected, randomUUID(), { properties: { Points: { number: 2 } } }, path);
  const again = await write(connected, key, { properties: { Points: { number: 1 } } }, path);
  expect(await again.text()).toBe(answer);
  const { body } = await connected.client.retrievePage({ path: { page_id: id } });
  expect(body.properties.Points).toMatchObject({ number: 2 });
});

test("a write that failed leaves nothing: sent again, it is tried again", async () => {
  const connected = await connect();
  const key = randomUUID();
  const id = await addOnce(connected);
  const path = `/v1/pages/${id}`;
  const edit = { icon: { emoji: "🧭" } };
  await write(connected, randomUUID(), { in_trash: true }, path);
  const kept = await countAnswers(connected);
  expect((await write(connected, key, edit, path)).status).toBe(400);
  expect((await write(connected, key, { properties: [] }, path)).status).toBe(400);
  expect(await countAnswers(connected)).toBe(kept);
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
    const response = await write(connected, key, pageBody(connected));
    expect(response.status).toBe(status);
    if (status === 400)
      expect((await errorOf(response)).message).toContain('headers["Idempotency-Key"].length should be');
  }
});

test("after a day the answer is gone, and what is too old is removed a few at a time", async () => {
  const connected = await connect();
  const { store } = connected.service;
  const keys = Array.from({ length: 5 }, () => randomUUID());
  for (const key of keys) await write(connected, key, pageBody(connected));
  const age = (milliseconds: number, idempotencyKeys: string[]) =>
    store.write((tx) =>
      tx
        .updateTable("idempotency_keys")
        .set({ created_time: Date.now() - milliseconds })
        .where("idempotency_key", "in", idempotencyKeys)
        .execute(),
    );
  await age(ANSWER_LIFE - 60_000, keys);
  const [key = ""] = keys;
  const young = await write(connected, key, pageBody(connected));
  expect(young.headers.get("Idempotency-Replayed")).toBe("true");

  await age(ANSWER_LIFE, keys);
  const old = await write(connected, key, pageBody(connected));
  expect([old.status, old.headers.get("Idempotency-Replayed")]).toEqual([200, null]);
  expect(await countPages(connected)).toBe(6);

  const remove = () => store.write((tx) => removeOldAnswers(tx, Date.now(), 3));
  expect([await remove(), await remove(), await remove()]).toEqual([3, 1, 0]);
  expect(await countAnswers(connected)).toBe(1);
  const again = await write(connected, key, pageBody(connected));
  expect(again.headers.get("Idempotency-Replayed")).toBe("true");
});

test(
  "1,000 writes whose connection is dropped before the answer, and that are sent again, make 1,000 pages",
  { timeout: 120_000 },
  async () => {
    const random = new Random(takeSeed());
    const connected = await connect({ database: await newLocation() });
    const { hostname, port } = new URL(connected.baseUrl);
    let replayed = 0;

    async function dropAndRetry(index: number): Promise<string> {
      const key = randomUUID();
      const body = pageBody(connected, `Page ${index}`);
      const text = JSON.stringify(body);
      const head = { Host: "a", ...headersOf(connected, key), "Content-Length": String(text.length) };
      const lines = Object.entries(head).map((pair) => pair.join(": "));
      const request = `POST /v1/pages HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${text}`;
      const socket = openSocket(Number(port), hostname);
      socket.on("error", () => {});
      await once(socket, "connect");
      if (random.chance(0.4)) {
        // The answer is on its way, and lost.
        socket.write(request);
        await once(socket, "readable");
      } else {
        // Most of the time all of it arrives; then at another moment of the service's work each time.
        const sent = random.chance(0.8) ? request.length : random.below(request.length);
        const delay = random.below(40);
        socket.write(request.slice(0, sent));
        await sleep(delay);
      }
      // Cut off at once, or told that nobody listens any more.
      if (random.chance(0.5)) socket.resetAndDestroy();
      else socket.destroy();
      const response = await write(connected, key, body);
      expect(response.status).toBe(200);
      if (response.headers.get("Idempotency-Replayed") === "true") replayed += 1;
      return idOf(response);
    }

    const ids: string[] = [];
    for (let round = 0; round < 50; round += 1) {
      ids.push(
        ...(await Promise.all(Array.from({ length: 20 }, (_, index) => dropAndRetry(round * 20 + index)))),
      );
    }
    const pages = await connected.service.store.read.selectFrom("pages").select("id").orderBy("id").execute();
    expect(pages.map(({ id }) => id)).toEqual(ids.toSorted());
    // The trial is worth something only when many of the first attempts were carried out.
    expect(replayed).toBeGreaterThan(100);
  },
);
