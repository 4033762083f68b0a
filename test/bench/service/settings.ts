import { mkdirSync } from "node:fs";
import path from "node:path";
import { createSetupToken } from "../../../src/access/invitations.js";
import { signUp } from "../../../src/access/sign-in.js";
import { createMemberKey, rotateMemberKey } from "../../../src/access/member-keys.js";
import { createKeyForWorkspace } from "../../../src/access/provision.js";
import { readSession } from "../../../src/access/sessions.js";
import { newId } from "../../../src/domain/ids.js";
import { addRequestCount } from "../../../src/storage/accounts/request-counts.js";
import { openStore, type Store } from "../../../src/storage/engine/store.js";
import { medians } from "./latency.js";
import { onPostgres } from "./postgres-database.js";
import { requestBytes } from "../raw-client.js";
import { timeRow } from "./rows.js";
import { startService } from "./start.js";
import type { Row } from "../table.js";

const ROUNDS = 1500;
const KEYS = 12;
const MINUTES = 24 * 60;
/** Limit as a multiple of GET page. */
const MOST = 20;

/** The settings page beside a GET page, on both databases. */
export async function measureSettings(scratch: string): Promise<Row[]> {
  const folder = path.join(scratch, "settings");
  mkdirSync(folder);
  const rows = await measureOn("SQLite", path.join(folder, "page-service.db"), folder, {});
  const others = await onPostgres((url) => measureOn("PostgreSQL", url, folder, { DATABASE_URL: url }));
  return [...rows, ...others];
}

async function measureOn(
  database: string,
  location: string,
  folder: string,
  env: Record<string, string>,
): Promise<Row[]> {
  console.log(`The settings page, ${database}`);
  const store = await openStore(location);
  const { session, key, databaseId, other } = await fill(store);
  await store.close();
  const service = await startService(folder, { ...env, TRUSTED_PROXIES: "loopback" });
  try {
    const newPage = async (with_: { key: string; rootDatabaseId: string }): Promise<string> => {
      const response = await fetch(`${service.url}/v1/pages`, {
        method: "POST",
        headers: { authorization: `Bearer ${with_.key}`, "content-type": "application/json" },
        body: JSON.stringify({ parent: { database_id: with_.rootDatabaseId }, properties: {} }),
      });
      // The cast: anything else has no id, and the requests fail.
      return `/v1/pages/${((await response.json()) as { id: string }).id}`;
    };
    const [own, others] = [await newPage({ key, rootDatabaseId: databaseId }), await newPage(other)];
    const ask = (name: string, request: (n: number) => Buffer) => ({ name, url: service.url, request });
    const get = requestBytes("GET", others, other.key);
    const getOwn = requestBytes("GET", own, key);
    // Each request comes from an address of its own, because the requests of one address are limited.
    const settings = (n: number): Buffer => {
      const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
      const cookie = `Cookie: page-service-session=${session}`;
      return Buffer.from(
        `GET /settings/api HTTP/1.1\r\nHost: localhost\r\n${cookie}\r\nX-Forwarded-For: ${address}\r\n\r\n`,
      );
    };
    const times = await medians(
      [
        ask("GET a page", () => get),
        ask("the settings, nothing changed", settings),
        ask("(a request of the workspace)", () => getOwn),
        ask("the settings, after a request", settings),
        ask("(a write of the workspace)", (n) =>
          requestBytes("PATCH", own, key, { properties: { Points: { number: n } } }),
        ),
        ask("the settings, after a write", settings),
      ],
      ROUNDS,
    );
    const page = times[0] ?? NaN;
    return (
      [
        ["nothing changed", 1],
        ["after a request", 3],
        ["after a write", 5],
      ] as const
    ).map(([what, index]) =>
      timeRow(`The settings page on ${database}, ${what}`, times[index] ?? NaN, page, "GET a page", MOST),
    );
  } finally {
    await service.stop();
  }
}

/** A workspace as it looks after a while: keys, a full log, requests in every minute of a day; and another one. */
async function fill(store: Store) {
  const made = await createKeyForWorkspace(store, { workspaceName: "Bench", plan: "enterprise" });
  const other = await createKeyForWorkspace(store, { workspaceName: "Other", plan: "enterprise" });
  const form = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
  const invitation = (await createSetupToken(store)) ?? "";
  const token = (await signUp(store, { ...form, invitation }, "invite"))?.sessionToken ?? "";
  const session = await readSession(store, token);
  if (session === undefined) throw new Error("Nobody is signed in.");
  for (let n = 0; n < KEYS; n += 1) {
    const { stored } = await createMemberKey(store, session, {
      id: newId(),
      name: `Key ${n}`,
      access: "full",
      expiresTime: null,
    });
    if (n % 2 === 0) await rotateMemberKey(store, session, stored.id, 3_600_000);
  }
  const now = Math.floor(Date.now() / 60_000);
  await store.write(async (tx) => {
    for (let n = 0; n < MINUTES; n += 1) {
      await addRequestCount(tx, made.workspaceId, { minute: now - n, passed: n % 700, refused: n % 31 });
    }
  });
  return { session: token, key: made.key, databaseId: made.rootDatabaseId, other };
}
