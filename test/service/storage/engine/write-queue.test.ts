import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { sql } from "kysely";
import { MAX_WAITING_WRITES, WRITE_WAIT_MS } from "../../../../src/budgets.js";
import { LockTimeoutError } from "../../../../src/errors.js";
import { openStore } from "../../../../src/storage/engine/open-store.js";
import { openSecondConnection, sharedStores } from "../../../support/stores.js";
import { createTemporaryPath, openTestStore } from "../open.js";

const JOBS = 40;

test("writes of a workspace do not wait for all waiting writes of another workspace", async () => {
  const store = await openStore(createTemporaryPath());
  onTestFinished(() => store.close());
  let done = 0;
  let firstStarted = (): void => {};
  const started = new Promise<void>((resolve) => (firstStarted = resolve));
  const writes = Array.from({ length: JOBS }, () =>
    store.write("busy", async ({ db: tx }) => {
      firstStarted();
      const end = performance.now() + 30;
      while (performance.now() < end) await sql`select 1`.execute(tx);
      done += 1;
    }),
  );
  await started;
  await store.write("other", async () => {});
  // At most the running group and one more write precede the write of the other workspace.
  expect(done).toBeLessThan(JOBS / 2);
  await Promise.all(writes);
  expect(done).toBe(JOBS);
});

test("a write is refused while MAX_WAITING_WRITES others wait", async () => {
  const store = await openTestStore(":memory:");
  let [start, end] = [(): void => {}, (): void => {}];
  const started = new Promise<void>((resolve) => (start = resolve));
  const ended = new Promise<void>((resolve) => (end = resolve));
  const running = store.write("a", () => {
    start();
    return ended;
  });
  await started;
  const waiting = Array.from({ length: MAX_WAITING_WRITES }, () => store.write("a", async () => {}));
  const refused = expect(store.write("b", async () => {})).rejects.toThrow("Too many writes are waiting.");
  end();
  await Promise.all([running, ...waiting, refused]);
});

test("short writes of a workspace do not each wait for writes of others that fill a group together", async () => {
  const store = await openStore(createTemporaryPath());
  onTestFinished(() => store.close());
  const done: string[] = [];
  const run = (workspaceId: string, milliseconds: number) =>
    store.write(workspaceId, async ({ db: tx }) => {
      const end = performance.now() + milliseconds;
      while (performance.now() < end) await sql`select 1`.execute(tx);
      done.push(workspaceId);
    });
  const busy = ["a", "b", "c", "d"].map((workspaceId) => run(workspaceId, 30));
  await Promise.all(busy);
  const writes = ["a", "b", "c", "d"].flatMap((workspaceId) =>
    Array.from({ length: 10 }, () => run(workspaceId, 30)),
  );
  await Promise.all(Array.from({ length: 20 }, () => run("short", 0)));
  // At most the writes of one or two groups.
  expect(done.filter((workspaceId) => workspaceId !== "short").length).toBeLessThan(20);
  await Promise.all(writes);
});

test("writes of a workspace do not wait for a long write of another workspace each", async () => {
  const store = await openStore(createTemporaryPath());
  onTestFinished(() => store.close());
  const job = { isOver: false, writes: 0 };
  const runLongWrites = async (): Promise<void> => {
    while (!job.isOver) {
      await store.write("busy", async ({ db: tx }) => {
        const end = performance.now() + 100;
        while (performance.now() < end) await sql`select 1`.execute(tx);
      });
      job.writes += 1;
    }
  };
  const busy = runLongWrites();
  while (job.writes === 0) await store.write("other", async () => {});
  const before = job.writes;
  await Promise.all(Array.from({ length: 20 }, () => store.write("other", async () => {})));
  // There would be 20 if each waited for a long one. A busy machine runs the short ones in several groups.
  expect(job.writes - before).toBeLessThan(10);
  // Short writes do not stop long ones either.
  const short = async (): Promise<void> => {
    while (!job.isOver) {
      await store.write("other", async ({ db: tx }) => {
        const end = performance.now() + 20;
        while (performance.now() < end) await sql`select 1`.execute(tx);
      });
    }
  };
  const many = Array.from({ length: 10 }, short);
  const start = job.writes;
  while (job.writes < start + 2) await store.write("third", async () => {});
  job.isOver = true;
  await Promise.all([busy, ...many]);
});

test("a write that waits for longer than WRITE_WAIT_MS is refused", async () => {
  const store = await openTestStore(":memory:");
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  let end = (): void => {};
  const running = new Promise<void>((resolve) => {
    void store.writeServiceWide(() => {
      resolve();
      return new Promise<void>((finish) => (end = finish));
    });
  });
  await running;
  const late = expect(store.writeServiceWide(async () => {})).rejects.toThrow("waited too long");
  vi.advanceTimersByTime(WRITE_WAIT_MS + 1);
  end();
  await late;
  await store.writeServiceWide(async () => {});
});

test("a write that waits behind those for which the database is locked gets their error", async () => {
  const file = createTemporaryPath();
  const store = await openTestStore(file);
  const other = await openSecondConnection(file);
  await other("BEGIN EXCLUSIVE");
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const first = expect(store.write("a", async () => {})).rejects.toThrow(LockTimeoutError);
  await setImmediate();
  const late = expect(store.write("b", async () => {})).rejects.toThrow(LockTimeoutError);
  vi.advanceTimersByTime(WRITE_WAIT_MS + 1);
  await Promise.all([first, late]);
  await other("ROLLBACK");
  await store.write("b", async () => {});
});

test.each(sharedStores)(
  "writes of a workspace do not wait for all writes of it in another process: %s",
  async (_name, newLocation) => {
    const location = await newLocation();
    const [one, other] = [await openTestStore(location), await openTestStore(location)];
    let done = 0;
    const writes = Array.from({ length: JOBS }, () =>
      one.write("shared", async ({ db: tx }) => {
        const end = performance.now() + 30;
        while (performance.now() < end) await sql`select 1`.execute(tx);
        done += 1;
      }),
    );
    await expect.poll(() => done).toBeGreaterThan(0);
    await other.write("shared", async () => {});
    expect(done).toBeLessThan(JOBS);
    await Promise.all(writes);
  },
);
