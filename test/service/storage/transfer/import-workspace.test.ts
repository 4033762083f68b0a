import { expect, test } from "vitest";
import { createKeyAsOperator } from "../../../../src/access/keys/operator-keys.js";
import { MAX_IMPORTED_ROWS } from "../../../../src/budgets.js";
import { runDueJobs } from "../../../../src/operations/jobs/run-due-jobs.js";
import { findKeyWithWorkspace } from "../../../../src/storage/access/keys.js";
import type { Store } from "../../../../src/storage/engine/store.js";
import type { Tables } from "../../../../src/storage/tables.js";
import { importDatabase } from "../../../../src/storage/transfer/import.js";
import { failTest } from "../../operations/long-writes/filled-service.js";
import { addDatabase, addPages } from "../fixtures.js";
import { openTestStore } from "../open.js";
import { createSqliteLocation, exportDatabase, kinds } from "./command.js";

const PAGES = 2 * MAX_IMPORTED_ROWS + 1;

let made: Promise<string> | undefined;

/** Exports the workspace "Moved", which has a key and PAGES pages; the export is cached. */
function getExport(): Promise<string> {
  made ??= (async () => {
    const location = createSqliteLocation();
    const store = await openTestStore(location);
    const { workspaceId, rootDatabaseId } = await createKeyAsOperator(store, { workspaceName: "Moved" });
    await addPages(store, workspaceId, rootDatabaseId, PAGES);
    return exportDatabase(location, ["--workspace", "Moved"]);
  })();
  return made;
}

/** Yields the lines of an export. Calls `onLine` before each of them, when the earlier ones are imported or wait for a batch. */
async function* readExport(onLine: (line: string) => Promise<void>): AsyncGenerator<Uint8Array> {
  for (const line of (await getExport()).split(/(?<=\n)/)) {
    await onLine(line);
    yield Buffer.from(line);
  }
}

async function countRows(store: Store, table: keyof Tables): Promise<number> {
  const query = store.read.selectFrom(table).select((eb) => eb.fn.countAll().as("count"));
  return Number((await query.executeTakeFirstOrThrow()).count);
}

/** Finds the key of the export, as the service does. */
async function findKey(store: Store) {
  const [, hash = ""] = /"hash":"([^"]*)"/.exec(await getExport()) ?? [];
  return findKeyWithWorkspace(store.read, hash);
}

const imports = test.each(kinds);

imports(
  "an import of a workspace into %s writes few rows at a time, and hides them until the end",
  async (_, newLocation) => {
    const location = await newLocation();
    const store = await openTestStore(location);
    const other = await addDatabase(store);
    let pagesBefore = 0;
    let batches = 0;
    const reading = readExport(async () => {
      const pages = await countRows(store, "pages");
      expect(pages - pagesBefore).toBeLessThanOrEqual(MAX_IMPORTED_ROWS);
      if (pages === pagesBefore) return;
      batches += 1;
      // Would wait for the import until it fails, if it held the lock of the database.
      await addPages(store, other.workspaceId, other.databaseId, 1);
      pagesBefore = pages + 1;
      expect(await findKey(store)).toBe(undefined);
      expect(await exportDatabase(location, ["--workspace", other.workspaceName])).not.toContain("Moved");
    });
    const counts: number[] = [];
    const { rows } = await importDatabase(location, reading, (count) => counts.push(count));
    expect(rows).toBe((await getExport()).match(/^\{"table":/gm)?.length);
    expect(counts).toEqual(Array.from({ length: rows }, (_each, index) => index + 1));
    expect(batches).toBeGreaterThanOrEqual(2);
    expect(await findKey(store)).toMatchObject({ workspaceName: "Moved" });
    expect(await countRows(store, "jobs")).toBe(0);
    expect(await exportDatabase(location, ["--workspace", "Moved"])).toBe(await getExport());
  },
);

/** Leaves the database as a process does that ends during an import, and whose lease has ended. */
async function interruptImport(location: string, store: Store): Promise<void> {
  const reading = readExport(async (line) => {
    if (!line.startsWith('{"end":')) return;
    await store.writeServiceWide((tx) => tx.updateTable("jobs").set({ owner: "", lease_time: 0 }).execute());
    throw new Error("interrupted");
  });
  await expect(importDatabase(location, reading)).rejects.toThrow("interrupted");
  expect(await countRows(store, "pages")).toBeGreaterThan(0);
}

imports("the service deletes the rows of an interrupted import into %s", async (_, newLocation) => {
  const location = await newLocation();
  const store = await openTestStore(location);
  await interruptImport(location, store);
  await runDueJobs(store, { isForeground: false, isStopped: () => false, onError: failTest });
  for (const table of ["workspaces", "pages", "jobs"] as const) expect(await countRows(store, table)).toBe(0);
});

imports("an interrupted import into %s can be repeated", async (_, newLocation) => {
  const location = await newLocation();
  const store = await openTestStore(location);
  await interruptImport(location, store);
  await importDatabase(
    location,
    readExport(async () => {}),
  );
  expect(await exportDatabase(location, ["--workspace", "Moved"])).toBe(await getExport());
});

imports("a failed import into %s leaves nothing", async (_, newLocation) => {
  const location = await newLocation();
  const store = await openTestStore(location);
  const reading = readExport(async (line) => {
    if (line.startsWith('{"end":')) throw new Error("unreadable");
  });
  await expect(importDatabase(location, reading)).rejects.toThrow("unreadable");
  for (const table of ["workspaces", "pages", "jobs"] as const) expect(await countRows(store, table)).toBe(0);
});

imports("an import into %s fails after another process has taken over its job", async (_, newLocation) => {
  const location = await newLocation();
  const store = await openTestStore(location);
  const reading = readExport(async (line) => {
    if (!line.startsWith('{"end":')) return;
    await store.writeServiceWide((tx) => tx.updateTable("jobs").set({ owner: "other" }).execute());
  });
  await expect(importDatabase(location, reading)).rejects.toThrow(/paused for too long/);
  expect(await findKey(store)).toBe(undefined);
});

imports("the name of the workspace can be taken during an import into %s", async (_, newLocation) => {
  const location = await newLocation();
  const store = await openTestStore(location);
  const reading = readExport(async (line) => {
    if (line.startsWith('{"end":')) await createKeyAsOperator(store, { workspaceName: "Moved" });
  });
  await expect(importDatabase(location, reading)).rejects.toThrow(/line 2: another workspace has this name/);
  expect(await countRows(store, "workspaces")).toBe(1);
  expect(await countRows(store, "pages")).toBe(0);
});
