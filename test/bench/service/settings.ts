import { mkdirSync } from "node:fs";
import path from "node:path";
import { createSetupToken } from "../../../src/access/invitations.js";
import { signUp } from "../../../src/access/sign-up.js";
import { createMemberKey, rotateMemberKey } from "../../../src/access/member-keys.js";
import { createKeyForWorkspace } from "../../../src/access/operator-keys.js";
import { readSession } from "../../../src/access/sessions.js";
import { newId } from "../../../src/domain/ids.js";
import { addRequestCount } from "../../../src/storage/accounts/request-counts.js";
import { openStore, type Store } from "../../../src/storage/engine/store.js";
import { measureMedians } from "./latency.js";
import { withPostgresDatabase } from "./postgres-database.js";
import { encodeRequest } from "../raw-client.js";
import { createTimeRow } from "./rows.js";
import { startService } from "./start.js";
import type { Row } from "../table.js";

const ROUNDS = 1500;
const KEYS = 12;
const MINUTES = 24 * 60;
/** Limit as a multiple of GET page. */
const MAX_RATIO = 20;

/** Compares the settings page with GET of a page, on both databases. */
export async function measureSettings(scratch: string): Promise<Row[]> {
  const folder = path.join(scratch, "settings");
  mkdirSync(folder);
  const rows = await measureOn("SQLite", path.join(folder, "page-service.db"), folder, {});
  const others = await withPostgresDatabase((url) =>
    measureOn("PostgreSQL", url, folder, { DATABASE_URL: url }),
  );
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
    const createPage = async (with_: { key: string; rootDatabaseId: string }): Promise<string> => {
      const response = await fetch(`${service.url}/v1/pages`, {
        method: "POST",
        headers: { authorization: `Bearer ${with_.key}`, "content-type": "application/json" },
        body: JSON.stringify({ parent: { database_id: with_.rootDatabaseId }, properties: {} }),
      });
      // The cast: an error has no id, and requests for the page fail.
      return `/v1/pages/${((await response.json()) as { id: string }).id}`;
    };
    const [own, others] = [await createPage({ key, rootDatabaseId: databaseId }), await createPage(other)];
    const createSeries = (name: string, request: (n: number) => Buffer) => ({
      name,
      url: service.url,
      request,
    });
    const get = encodeRequest("GET", others, other.key);
    const getOwn = encodeRequest("GET", own, key);
    // Each request has its own client address, because requests per address are limited.
    const settings = (n: number): Buffer => {
      const address = `10.${n >> 16}.${(n >> 8) & 255}.${n & 255}`;
      const cookie = `Cookie: page-service-session=${session}`;
      return Buffer.from(
        `GET /settings/api HTTP/1.1\r\nHost: localhost\r\n${cookie}\r\nX-Forwarded-For: ${address}\r\n\r\n`,
      );
    };
    const times = await measureMedians(
      [
        createSeries("GET a page", () => get),
        createSeries("the settings, without changes", settings),
        createSeries("(a request of the workspace)", () => getOwn),
        createSeries("the settings, after a request", settings),
        createSeries("(a write of the workspace)", (n) =>
          encodeRequest("PATCH", own, key, { properties: { Points: { number: n } } }),
        ),
        createSeries("the settings, after a write", settings),
      ],
      ROUNDS,
    );
    const page = times[0] ?? NaN;
    return (
      [
        ["without changes", 1],
        ["after a request", 3],
        ["after a write", 5],
      ] as const
    ).map(([what, index]) =>
      createTimeRow(
        `The settings page on ${database}, ${what}`,
        times[index] ?? NaN,
        page,
        "GET a page",
        MAX_RATIO,
      ),
    );
  } finally {
    await service.stop();
  }
}

/** Creates a workspace as after months of use, with keys, a full log and a day of request counts, and another one. */
async function fill(store: Store) {
  const provisioned = await createKeyForWorkspace(store, { workspaceName: "Bench", plan: "enterprise" });
  const other = await createKeyForWorkspace(store, { workspaceName: "Other", plan: "enterprise" });
  const form = { name: "Ada", email: "ada@example.org", password: "correct horse battery" };
  const invitation = (await createSetupToken(store)) ?? "";
  const token =
    (await signUp(store, { ...form, invitation }, "invite", "", async () => {}))?.sessionToken ?? "";
  const session = await readSession(store, token);
  if (session === undefined) throw new Error("The account has no session.");
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
  await store.write(provisioned.workspaceId, async (scope) => {
    for (let n = 0; n < MINUTES; n += 1) {
      await addRequestCount(scope, {
        minute: now - n,
        passed: n % 700,
        refused: n % 31,
      });
    }
  });
  return { session: token, key: provisioned.key, databaseId: provisioned.rootDatabaseId, other };
}
