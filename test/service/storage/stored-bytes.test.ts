import type { KyselyPlugin } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import { UsageRecorder } from "../../../src/access/limits/usage.js";
import { newId } from "../../../src/domain/ids.js";
import { STORAGE_LIMIT_BYTES } from "../../../src/domain/plans.js";
import { countDueWorkspaces, isCountDue } from "../../../src/operations/count-storage.js";
import {
  addWrittenBytes,
  beginCount,
  finishCount,
  findChangedWorkspaces,
  subtractStoredBytes,
} from "../../../src/storage/access/stored-bytes.js";
import { insertWorkspace } from "../../../src/storage/access/workspaces.js";
import type { Store } from "../../../src/storage/engine/store.js";
import { insertPage } from "../../../src/storage/pages/pages.js";
import { insertPropertyValues } from "../../../src/storage/pages/property-values.js";
import { readObjectBytes } from "../../../src/storage/row-sizes.js";
import { TABLE_METADATA } from "../../../src/storage/tables.js";
import { emptyPage, plainRun } from "../../support/objects.js";
import { reusableStores } from "../../support/stores.js";
import { addDatabase, schema } from "./fixtures.js";
import { openTestStore } from "./open.js";

const DAY_MS = 24 * 60 * 60_000;

/** Creates a recorder whose writes must succeed. */
function openUsage(store: Store) {
  const usage = new UsageRecorder(store, (error) => {
    throw error;
  });
  onTestFinished(() => usage.close());
  return usage;
}

/** Inserts users with long names, which are the simplest rows with texts. */
async function addUsers(store: Store, workspaceId: string, count: number, length: number): Promise<void> {
  await store.write(workspaceId, async ({ db: tx }) => {
    for (let index = 0; index < count; index += 1) {
      const user = { id: newId(), type: "bot", name: "x".repeat(length), created_time: 0 } as const;
      await tx
        .insertInto("users")
        .values({ ...user, workspace_id: workspaceId })
        .execute();
    }
  });
}

function readChangedWorkspaces(store: Store) {
  return findChangedWorkspaces(store.read, { time: -1, id: "" }, 10);
}

const NEVER_STOPPED = {
  isStopped: () => false,
  onError(error: unknown) {
    throw error;
  },
};

/** Creates the control of a task that is stopped after some batches. */
function stopAfter(batches: number) {
  let left = batches;
  return { ...NEVER_STOPPED, isStopped: () => left-- <= 0 };
}

/** Creates a store whose scans of a workspace fail. */
function failScansOf(store: Store, workspaceId: string): Store {
  const plugin: KyselyPlugin = {
    transformQuery({ node }) {
      const json = JSON.stringify(node);
      // Not the search for changed workspaces, which continues after the id of the last one.
      if (json.includes(workspaceId) && !json.includes("counted_time")) throw new Error("interrupted");
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  return { ...store, openScan: (key, request) => store.openScan(key, request).withPlugin(plugin) };
}

test("the bytes of a page and of a block do not include those with the same id in another workspace", async () => {
  const store = await openTestStore(":memory:");
  const read = async (length: number, ofOther: number) => {
    const [one, other] = [await addDatabase(store), await addDatabase(store)];
    const { id } = emptyPage(one.databaseId);
    for (const [{ workspaceId, databaseId }, size] of [
      [one, length],
      [other, ofOther],
    ] as const) {
      const page = emptyPage(databaseId, { id, properties: { title: [plainRun("x".repeat(size))] } });
      await store.write(workspaceId, (scope) => insertPage(scope, page));
    }
    return readObjectBytes({ db: store.read, workspaceId: one.workspaceId }, id);
  };
  const bytes = await read(10, 1000);
  expect(bytes).toBe(await read(10, 0));
  expect(await read(1010, 0)).toBeGreaterThan(bytes + 1000);
});

test("the bytes of a page include those of its values and long texts", async () => {
  const store = await openTestStore(":memory:");
  const { workspaceId, databaseId } = await addDatabase(store);
  const page = emptyPage(databaseId, { properties: { title: [plainRun("x".repeat(1000))] } });
  const read = () => readObjectBytes({ db: store.read, workspaceId }, page.id);
  await store.write(workspaceId, (scope) => insertPage(scope, page));
  const before = await read();
  await store.write(workspaceId, (scope) =>
    insertPropertyValues(scope, [{ ...page, databaseId }], schema.definitions),
  );
  const { property_values: values, long_texts: longTexts } = TABLE_METADATA;
  // An index repeats the first 128 characters.
  const valueBytes = values.rowSize.fixedBytes + 2 * 128;
  expect(await read()).toBe(before + valueBytes + longTexts.rowSize.fixedBytes + 1000);
});

describe.each(reusableStores)("stored bytes on %s", (_, newLocation) => {
  test("grow with the writes of all processes, and a count corrects them", async () => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const [one, other] = [openUsage(store), openUsage(store)];
    const { workspaceId } = await addDatabase(store);
    const untouched = await addDatabase(store);
    await addUsers(store, workspaceId, 1200, 1000);
    const before = (await one.flushAndRead(workspaceId)).storedBytes;
    expect(before).toBeGreaterThan(1_200_000);
    await one.flush();
    await addUsers(store, workspaceId, 1, 100_000);
    await other.flush();
    // Both flushes are in the database, so both recorders read them.
    const { storedBytes } = await one.flushAndRead(workspaceId);
    expect(storedBytes).toBeGreaterThan(before + 100_000);
    expect((await other.flushAndRead(workspaceId)).storedBytes).toBe(storedBytes);

    await countDueWorkspaces(store, NEVER_STOPPED, Date.now());
    const counted = (await one.flushAndRead(workspaceId)).storedBytes;
    expect(counted).toBeGreaterThan(1_300_000);
    expect(counted).toBeLessThan(1_700_000);

    await store.write(workspaceId, ({ db: tx }) => tx.deleteFrom("users").execute());
    await one.flush();
    // Not again within a minute, and after that once a day as long as it is far from its limit.
    await countDueWorkspaces(store, NEVER_STOPPED, Date.now() + DAY_MS / 2);
    expect((await one.flushAndRead(workspaceId)).storedBytes).toBe(counted + 1);
    await countDueWorkspaces(store, NEVER_STOPPED, Date.now() + DAY_MS + 1);
    expect((await one.flushAndRead(workspaceId)).storedBytes).toBeLessThan(5000);
    expect((await one.flushAndRead(untouched.workspaceId)).storedBytes).toBe(0);
    // Nothing is left to write: service-wide writes, such as those of the recorder, do not count.
    expect(store.writtenBytes.takeAll().size).toBe(0);
  });

  test("keep their upper bound when a count is stopped", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    await addUsers(store, workspaceId, 1, 1000);
    const usage = openUsage(store);
    const before = (await usage.flushAndRead(workspaceId)).storedBytes;
    await countDueWorkspaces(store, stopAfter(1), Date.now());
    expect((await usage.flushAndRead(workspaceId)).storedBytes).toBe(before);
    await countDueWorkspaces(store, NEVER_STOPPED, Date.now() + DAY_MS);
    expect((await usage.flushAndRead(workspaceId)).storedBytes).toBeLessThan(before);
  });

  test("are counted in all workspaces, of which one statement reads few", async () => {
    const store = await openTestStore(await newLocation());
    const ids = Array.from({ length: 3 }, () => newId());
    await store.writeServiceWide(async (tx) => {
      for (const id of ids) {
        const workspace = { id, name: id, plan: "free", customRequestLimit: null, createdTime: 0 } as const;
        await insertWorkspace(tx, workspace);
        await addWrittenBytes({ db: tx, workspaceId: id }, 1);
      }
    });
    const [first, ...others] = ids;
    const read = async (time: number, id: string, limit: number) =>
      (await findChangedWorkspaces(store.read, { time, id }, limit)).map(({ workspaceId }) => workspaceId);
    expect(await read(-1, "", 1)).toEqual([first]);
    expect(await read(0, first ?? "", 10)).toEqual(others);
    await countDueWorkspaces(store, stopAfter(0), Date.now());
    // None is being counted since then.
    expect(await read(0, "~", 10)).toEqual([]);
    await countDueWorkspaces(store, NEVER_STOPPED, Date.now());
    expect(await read(-1, "", 10)).toEqual([]);
  });

  test("are counted despite a workspace whose count fails, which is due again a day later", async () => {
    const store = await openTestStore(await newLocation());
    const workspaceIds: string[] = [];
    for (let index = 0; index < 3; index += 1) {
      const { workspaceId } = await addDatabase(store);
      await addUsers(store, workspaceId, 1, 1000);
      workspaceIds.push(workspaceId);
    }
    await openUsage(store).flush();
    const [first] = await readChangedWorkspaces(store);
    const failingId = first?.workspaceId ?? "";
    const readUncounted = async () =>
      (await readChangedWorkspaces(store)).map(({ workspaceId }) => workspaceId);
    const errors: unknown[] = [];
    const control = { ...NEVER_STOPPED, onError: (error: unknown) => errors.push(error) };
    await countDueWorkspaces(failScansOf(store, failingId), control, Date.now());
    expect(errors).toEqual([new Error("interrupted")]);
    expect(await readUncounted()).toEqual([failingId]);

    await countDueWorkspaces(store, control, Date.now() + DAY_MS);
    expect(errors).toHaveLength(1);
    expect(await readUncounted()).toEqual([]);
  });

  test("are counted despite a workspace whose count cannot begin", async () => {
    const store = await openTestStore(await newLocation());
    for (let index = 0; index < 2; index += 1) {
      const { workspaceId } = await addDatabase(store);
      await addUsers(store, workspaceId, 1, 1000);
    }
    await openUsage(store).flush();
    const errors = [new Error("interrupted")];
    const failingOnce: Store = {
      ...store,
      writeWithoutInvalidation(write) {
        const error = errors.pop();
        return error === undefined ? store.writeWithoutInvalidation(write) : Promise.reject(error);
      },
    };
    const reported: unknown[] = [];
    const control = { ...NEVER_STOPPED, onError: (error: unknown) => reported.push(error) };
    await countDueWorkspaces(failingOnce, control, Date.now());
    expect(reported).toEqual([new Error("interrupted")]);
    expect(await readChangedWorkspaces(store)).toHaveLength(1);
  });

  test("of deleted rows are subtracted in their workspace alone, and at most all of them", async () => {
    const store = await openTestStore(await newLocation());
    const databases = [await addDatabase(store), await addDatabase(store)];
    for (const { workspaceId } of databases) await addUsers(store, workspaceId, 1, 1000);
    const usage = openUsage(store);
    await usage.flush();
    const read = () =>
      Promise.all(
        databases.map(async ({ workspaceId }) => (await usage.flushAndRead(workspaceId)).storedBytes),
      );
    const [one = 0, other] = await read();
    const workspaceId = databases[0]?.workspaceId ?? "";
    for (const [bytes, left] of [
      [100, one - 100],
      [one, 0],
    ] as const) {
      await store.writeWithoutInvalidation((tx) => subtractStoredBytes({ db: tx, workspaceId }, bytes));
      expect(await read()).toEqual([left, other]);
    }
  });

  test("are counted by one process, and keep the bytes that are written during the count", async () => {
    const store = await openTestStore(await newLocation());
    const { workspaceId } = await addDatabase(store);
    await addUsers(store, workspaceId, 1, 1000);
    await openUsage(store).flush();
    const [usage] = await readChangedWorkspaces(store);
    if (usage === undefined) throw new Error("no workspace has changed");
    const begin = (now: number) => store.writeWithoutInvalidation((tx) => beginCount(tx, usage, now));
    expect(await Promise.all([begin(1), begin(2)])).toEqual([true, false]);
    await addUsers(store, workspaceId, 1, 1000);
    await openUsage(store).flush();
    const [during] = await readChangedWorkspaces(store);
    await store.writeWithoutInvalidation((tx) => finishCount(tx, usage, 5));
    const writtenBytes = (during?.writtenBytes ?? 0) - usage.writtenBytes;
    expect(writtenBytes).toBeGreaterThan(1000);
    expect(await readChangedWorkspaces(store)).toMatchObject([{ countedBytes: 5, writtenBytes }]);
  });

  test("are counted first in the workspace with the oldest count", async () => {
    const store = await openTestStore(await newLocation());
    const recent = await addDatabase(store);
    const old = await addDatabase(store);
    for (const { workspaceId } of [recent, old]) await addUsers(store, workspaceId, 1, 1000);
    await openUsage(store).flush();
    const usage = (await readChangedWorkspaces(store)).find(
      ({ workspaceId }) => workspaceId === recent.workspaceId,
    );
    if (usage === undefined) throw new Error("the workspace has not changed");
    await store.writeWithoutInvalidation((tx) => beginCount(tx, usage, usage.countedTime + 1));
    const listed = await readChangedWorkspaces(store);
    expect(listed.map(({ workspaceId }) => workspaceId)).toEqual([old.workspaceId, recent.workspaceId]);
  });
});

test("a count is due once a day, or when half of what the limit leaves may have been written", () => {
  const limit = STORAGE_LIMIT_BYTES.free;
  const isDue = (countedBytes: number, writtenBytes: number, age: number, plan = "free" as const) =>
    isCountDue({ workspaceId: "", plan, countedBytes, writtenBytes, countedTime: 0 }, age);
  expect(isDue(0, limit / 2 - 1, DAY_MS - 1)).toBe(false);
  expect(isDue(0, limit / 2, DAY_MS - 1)).toBe(true);
  expect(isDue(0, 1, DAY_MS)).toBe(true);
  expect(isDue(limit, 1, 60_000)).toBe(true);
  expect(isDue(2 * limit, 1, 59_999)).toBe(false);
  expect(isDue(limit, 0, DAY_MS)).toBe(false);
  const unlimited = { workspaceId: "", plan: "enterprise", countedBytes: 0, countedTime: 0 } as const;
  expect(isCountDue({ ...unlimited, writtenBytes: 1e15 }, DAY_MS - 1)).toBe(false);
});
