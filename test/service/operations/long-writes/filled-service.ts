import { setTimeout as sleep } from "node:timers/promises";
import type { Client } from "../../../../src/client/index.js";
import { createPageObject } from "../../../../src/domain/page.js";
import { createSchema } from "../../../../src/domain/schema.js";
import { runDueJobs } from "../../../../src/operations/jobs/run-due-jobs.js";
import { insertDatabase, updateSchema } from "../../../../src/storage/databases/databases.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import { insertPage } from "../../../../src/storage/pages/pages.js";
import { insertPropertyValues } from "../../../../src/storage/pages/property-values.js";
import { type Connected, connect } from "../../../support/contract.js";
import { emptyDatabase, plainProperty, plainRun } from "../../../support/objects.js";
import { EDIT } from "../../storage/fixtures.js";

const schema = createSchema([
  plainProperty("title", "Title", "title"),
  plainProperty("code", "Code", "rich_text"),
  plainProperty("pnts", "Points", "number"),
]);

/** Pages per transaction. */
const BATCH_SIZE = 500;

/** A service with a database of many pages. */
export interface FilledService extends Connected {
  readonly databaseId: string;
  /** Ids in order of creation; `Code` of page 7 is "7", and its `Points` are 7. */
  readonly pageIds: readonly string[];
}

/** Starts a service and fills a database with pages. */
export async function connectFilled(database: string, pages: number): Promise<FilledService> {
  const connected = await connect({ database });
  const filled = await fillPages(connected.service.store, connected.workspaceId, pages);
  return { ...connected, ...filled };
}

/** Fills a new database of a workspace with pages. */
export async function fillPages(
  store: Store,
  workspaceId: string,
  pages: number,
): Promise<Pick<FilledService, "databaseId" | "pageIds">> {
  const database = emptyDatabase({ schema });
  await store.write(workspaceId, (scope) => insertDatabase(scope, database));
  const parent = { type: "database_id", id: database.id } as const;
  const edit = { author: database.createdBy, time: Date.now() };
  const pageIds: string[] = [];
  for (let first = 0; first < pages; first += BATCH_SIZE) {
    await store.write(workspaceId, async (scope) => {
      const added = Array.from({ length: Math.min(BATCH_SIZE, pages - first) }, (_, index) => {
        const number = first + index;
        const values = {
          title: [plainRun(`Page ${number}`)],
          code: [plainRun(String(number))],
          pnts: number,
        };
        return createPageObject(parent, values, {}, edit);
      });
      for (const page of added) await insertPage(scope, page);
      await insertPropertyValues(
        scope,
        added.map(({ id, properties }) => ({ id, databaseId: database.id, properties })),
        schema.definitions,
      );
      pageIds.push(...added.map(({ id }) => id));
    });
  }
  return { databaseId: database.id, pageIds };
}

/** Removes `Code` from the schema of a database, but not its values, like the transaction before a job that removes values. */
export async function removeCodeFromSchema(
  store: Store,
  workspaceId: string,
  databaseId: string,
): Promise<void> {
  const remaining = createSchema(schema.definitions.filter(({ id }) => id !== "code"));
  await store.write(workspaceId, (scope) => updateSchema(scope, databaseId, remaining, EDIT));
}

/**
 * Minimum number of sequential writes of another workspace that must be committed during a job, which has six batches or
 * more. During a job in one batch it would be two: one before the batch, and one that ends with it.
 */
export const MIN_WRITES = 3;

/** Milliseconds between further writes, which otherwise take most of the processor time of a long job. */
const PAUSE_MS = 20;

/** Sends writes and reads of another workspace, one after another, until a job is over. */
export async function workBeside<T>(
  service: Connected,
  start: () => Promise<T>,
): Promise<{ readonly result: T; readonly writes: number; readonly reads: number }> {
  const other = await service.connect();
  const { rootDatabaseId } = other;
  const job = { isOver: false };
  const work = async (request: () => Promise<unknown>): Promise<number> => {
    for (let count = 0; ; count += 1) {
      await request();
      if (job.isOver) return count;
      if (count >= MIN_WRITES) await sleep(PAUSE_MS);
    }
  };
  const parent = { database_id: rootDatabaseId };
  const body = { parent, properties: { Title: { title: [{ text: { content: "Beside" } }] } } };
  const result = start().finally(() => (job.isOver = true));
  const [writes, reads] = await Promise.all([
    work(() => other.client.createPage({ body })),
    work(() => other.client.retrieveDatabase({ path: { database_id: rootDatabaseId } })),
  ]);
  return { result: await result, writes, reads };
}

/** Counts the pages that a filter finds. */
export async function countPages(
  client: Client,
  databaseId: string,
  filter?: Parameters<Client["queryDatabase"]>[0]["body"],
): Promise<number> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const { body } = await client.queryDatabase({
      path: { database_id: databaseId },
      body: { ...filter, page_size: 100, ...(cursor === undefined ? {} : { start_cursor: cursor }) },
    });
    count += body.results.length;
    cursor = body.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return count;
}

/** Waits until a service has no jobs. */
export async function waitForJobs(store: Store): Promise<void> {
  for (;;) {
    const job = await store.read.selectFrom("jobs").select("id").executeTakeFirst();
    if (job === undefined) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Throws the error of a job, which ends the test. */
export function failTest(error: unknown): never {
  throw error;
}

/** Finishes all jobs as if their leases had ended. */
export async function finishJobs(store: Store): Promise<void> {
  for (;;) {
    await store.writeServiceWide((tx) => tx.updateTable("jobs").set({ lease_time: 0 }).execute());
    const jobs = await store.read.selectFrom("jobs").select("id").execute();
    if (jobs.length === 0) return;
    for (const isForeground of [true, false]) {
      await runDueJobs(store, { isForeground, isStopped: () => false, onError: failTest });
    }
  }
}

/** Lists the property ids of stored values and of index rows of all pages of a database. */
export async function listStoredPropertyIds(store: Store, databaseId: string): Promise<readonly string[]> {
  const pages = await store.read
    .selectFrom("pages")
    .select("properties")
    .where("parent_id", "=", databaseId)
    .execute();
  const rows = await store.read
    .selectFrom("property_values")
    .select("property_id")
    .distinct()
    .where("database_id", "=", databaseId)
    .execute();
  const ids = new Set(rows.map((row) => row.property_id));
  for (const { properties } of pages) for (const id of Object.keys(JSON.parse(properties))) ids.add(id);
  return [...ids].sort();
}
