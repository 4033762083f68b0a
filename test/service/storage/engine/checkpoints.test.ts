import { spawnSync } from "node:child_process";
import { existsSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { MAX_LOG_BYTES } from "../../../../src/budgets.js";
import { CheckpointScheduler } from "../../../../src/storage/engine/checkpoints.js";
import { openSecondConnection } from "../../../support/stores.js";
import { openTestStore, createTemporaryPath } from "../open.js";

const newWorkspace = (name: string) =>
  ({ id: name, name, plan: "free", request_limit: null, created_time: 0 }) as const;

test("writes are copied from the log into the database file while the store is open", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  // Uses another process, because closing the file in this process releases SQLite's locks.
  const isInFile = (text: string): boolean => spawnSync("grep", ["--quiet", text, file]).status === 0;
  for (const name of ["first-workspace", "second-workspace"]) {
    await store.writeServiceWide((tx) => tx.insertInto("workspaces").values(newWorkspace(name)).execute());
    expect(isInFile(name)).toBe(false);
    while (!isInFile(name)) await sleep(20);
  }
});

test("a closed store does not open its file again for a scheduled checkpoint", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  await store.writeServiceWide((tx) =>
    tx.insertInto("workspaces").values(newWorkspace("workspace")).execute(),
  );
  await store.close();
  rmSync(file);
  // Waits longer than the delay of a checkpoint.
  await sleep(300);
  expect(existsSync(file)).toBe(false);
});

test("a store that closes during a checkpoint leaves no log", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const size = statSync(file).size;
  const name = "x".repeat(1_000_000);
  await store.writeServiceWide(async (tx) => {
    for (let id = 0; id < 16; id += 1) {
      await tx
        .insertInto("workspaces")
        .values({ ...newWorkspace(String(id)), name: `${id} ${name}` })
        .execute();
    }
  });
  // The checkpoint has begun when the file grows.
  while (statSync(file).size === size) await new Promise(setImmediate);
  await store.close();
  expect(statSync(`${file}-wal`).size).toBe(0);
});

test("writes empty a log that has become long during another read, and do not copy it in a COMMIT", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const countLogBytes = (): number => statSync(`${file}-wal`).size;
  const countFileBytes = (): number => statSync(file).size;
  // Reads as an export does.
  const reader = await openSecondConnection(file);
  await reader("begin; select count(*) from jobs");
  const addWorkspace = (id: number, length: number) => {
    const workspace = { ...newWorkspace(String(id)), name: `${id} ${"x".repeat(length)}` };
    return store.writeServiceWide((tx) => tx.insertInto("workspaces").values(workspace).execute());
  };
  let count = 0;
  while (countLogBytes() <= MAX_LOG_BYTES) await addWorkspace((count += 1), 2_000_000);
  const checkpoints = new CheckpointScheduler(file);
  expect(await checkpoints.mayCommitCheckpoint()).toBe(false);
  await reader("commit");
  const size = countFileBytes();
  while (countLogBytes() > MAX_LOG_BYTES) {
    await addWorkspace((count += 1), 1);
    await sleep(20);
  }
  expect(countFileBytes()).toBeGreaterThan(size + MAX_LOG_BYTES / 2);
  expect(await checkpoints.mayCommitCheckpoint()).toBe(true);
});

test("a scan empties a log that has become long during another read", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const countLogBytes = (): number => statSync(`${file}-wal`).size;
  // Reads as a long scan would.
  const reader = await openSecondConnection(file);
  await reader("begin; select count(*) from jobs");
  const name = "x".repeat(2_000_000);
  for (let id = 0; countLogBytes() <= MAX_LOG_BYTES; id += 1) {
    const workspace = { ...newWorkspace(String(id)), name: `${id} ${name}` };
    await store.writeServiceWide((tx) => tx.insertInto("workspaces").values(workspace).execute());
  }
  await reader("commit");
  await store.openScan("w").selectFrom("jobs").select("id").execute();
  expect(countLogBytes()).toBe(0);
});
