import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import {
  EVICTED_RESPONSES_PER_WRITE,
  MAX_STORED_RESPONSE_BYTES,
  RESPONSE_TTL_MS,
  getStoredResponsesQuotaBytes,
} from "../../../src/budgets.js";
import { newId } from "../../../src/domain/ids.js";
import { EncodedJson } from "../../../src/http/index.js";
import { type EncodedResponse, encodeStoredResponse } from "../../../src/service/stored-response.js";
import { isPostgresUrl } from "../../../src/storage/engine/location.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { findOrExpireStoredResponse, storeResponse } from "../../../src/storage/idempotency.js";
import { addDatabase } from "./fixtures.js";
import { openTestStore } from "./open.js";
import { stores } from "../../support/stores.js";
import { plainText } from "../../support/contract.js";

const QUOTA_BYTES = 20_000;

describe.each(stores)("stored responses on %s", (name, newLocation) => {
  test("use at most the quota of the workspace; the oldest are deleted", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    const { workspaceId: other } = await addDatabase(store);
    await add(store, other, 0, 100);
    for (let index = 0; index < 50; index += 1) await add(store, workspaceId, index, 1000);

    const usage = await store.read.selectFrom("idempotency_usage").selectAll().execute();
    const used = usage.find((row) => row.workspace_id === workspaceId)?.bytes ?? Infinity;
    expect(used).toBeLessThanOrEqual(QUOTA_BYTES);
    expect(used).toBeGreaterThan(QUOTA_BYTES - 2000);

    const rows = await store.read.selectFrom("idempotency_keys").selectAll().execute();
    const times = rows.filter((row) => row.workspace_id === workspaceId).map((row) => row.created_time);
    expect(Math.min(...times)).toBe(NOW + 50 - times.length);
    expect(rows.filter((row) => row.workspace_id === other)).toHaveLength(1);
  });

  test("are deleted no further than the quota", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    await add(store, workspaceId, 0, 1000);
    const { bytes } = await store.read
      .selectFrom("idempotency_usage")
      .select("bytes")
      .executeTakeFirstOrThrow();
    const length = 1000 + QUOTA_BYTES / 10 - bytes;
    for (let index = 1; index <= 10; index += 1) await add(store, workspaceId, index, length);
    expect(await store.read.selectFrom("idempotency_keys").select("id").execute()).toHaveLength(10);
  });

  test("use less than 500 MB of disk for a million", async (context) => {
    if (name === "memory") context.skip("a database in memory uses no disk");
    const location = await newLocation();
    const store = await openTestStore(location);
    const { workspaceId } = await addDatabase(store);
    const before = await readDiskBytes(location, store);
    for (let count = 0; count < KEYS; count += KEYS_PER_TRANSACTION) {
      await store.write(workspaceId, async (scope) => {
        for (let index = 0; index < KEYS_PER_TRANSACTION; index += 1) {
          const content = encodeStoredResponse(createPageResponse());
          const response = { fingerprint: randomBytes(16), status: 200, content };
          await storeResponse(scope, randomBytes(16), response, {
            now: NOW + INTERVAL_MS * (count + index),
            quotaBytes: Infinity,
          });
        }
      });
    }
    const [usage] = await store.read.selectFrom("idempotency_usage").select("bytes").execute();
    const disk = ((await readDiskBytes(location, store)) - before) / KEYS;
    const counted = (usage?.bytes ?? 0) / KEYS;
    console.log(`bytes per stored response: ${disk} on disk, ${counted} counted`);
    // The largest quota of a workspace is about a million of them in less than 500 MB.
    expect(disk).toBeLessThan(550);
    expect((getStoredResponsesQuotaBytes(Infinity) / counted) * disk).toBeLessThan(500_000_000);
  });

  test("are not counted after they have expired", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    await add(store, workspaceId, 0, 1000);
    const find = (now: number) =>
      store.write(workspaceId, (scope) => findOrExpireStoredResponse(scope, createId(0), now));
    expect(await find(NOW + RESPONSE_TTL_MS - 1)).toBeDefined();
    expect(await find(NOW + RESPONSE_TTL_MS)).toBeUndefined();
    expect(await store.read.selectFrom("idempotency_usage").select("bytes").execute()).toEqual([
      { bytes: 0 },
    ]);
  });
});

test("a write over the quota deletes more than it adds, even if the oldest responses are small", () => {
  const smallestRowBytes = 260;
  expect(EVICTED_RESPONSES_PER_WRITE * smallestRowBytes).toBeGreaterThan(
    MAX_STORED_RESPONSE_BYTES + smallestRowBytes,
  );
});

const KEYS = 2000;
const KEYS_PER_TRANSACTION = 500;
/** Interval of a million writes a day. In one millisecond, PostgreSQL stores equal index entries once, so a fast test uses less. */
const INTERVAL_MS = 86;

/** Creates the response for a new page in the first database of a workspace. */
function createPageResponse(): EncodedResponse {
  const [id, user] = [newId(), newId()];
  const time = new Date().toISOString();
  const body = {
    object: "page",
    id,
    created_time: time,
    last_edited_time: time,
    created_by: { object: "user", id: user },
    last_edited_by: { object: "user", id: user },
    parent: { type: "database_id", database_id: newId() },
    archived: false,
    in_trash: false,
    icon: null,
    cover: null,
    properties: {
      Title: { id: "title", type: "title", title: plainText(`Page ${randomBytes(4).toString("hex")}`) },
      Notes: { id: "Q40O", type: "rich_text", rich_text: [] },
      Done: { id: "_ZuR", type: "checkbox", checkbox: false },
      Points: { id: "1p1o", type: "number", number: null },
    },
    url: `https://pages.example.com/${id.replaceAll("-", "")}`,
    public_url: null,
  };
  const headers = { ETag: `"0-${Date.now()}"` };
  return { status: 200, headers, body: new EncodedJson(JSON.stringify(body)) };
}

/**
 * Reads the size of an SQLite database with its write-ahead log, or of a PostgreSQL table with its indexes. Without the maps of free
 * space and visibility, whose minimum of 32 kB is much for a small table, and which autovacuum creates at any time.
 */
async function readDiskBytes(location: string, { read }: Store): Promise<number> {
  const size = isPostgresUrl(location)
    ? sql<{
        bytes: number;
      }>`select pg_relation_size('idempotency_keys') + pg_indexes_size('idempotency_keys') as bytes`
    : sql<{
        bytes: number;
      }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`;
  return (await size.execute(read)).rows[0]?.bytes ?? 0;
}

const NOW = 1_700_000_000_000;

function createId(index: number): Uint8Array {
  return Buffer.alloc(16, index);
}

function add(store: Store, workspaceId: string, index: number, size: number): Promise<void> {
  const response = { fingerprint: createId(index), status: 200, content: Buffer.alloc(size) };
  return store.write(workspaceId, (scope) =>
    storeResponse(scope, createId(index), response, {
      now: NOW + index,
      quotaBytes: QUOTA_BYTES,
    }),
  );
}
