import { expect, onTestFinished, test } from "vitest";
import { sql } from "kysely";
import { openStore } from "../../../../src/storage/engine/store.js";
import { createTemporaryPath } from "../open.js";

const JOBS = 40;

test("writes of a workspace do not wait for all waiting writes of another workspace", async () => {
  const store = await openStore(createTemporaryPath());
  onTestFinished(() => store.close());
  let done = 0;
  let firstStarted = (): void => {};
  const started = new Promise<void>((resolve) => (firstStarted = resolve));
  const writes = Array.from({ length: JOBS }, () =>
    store.write(async (tx) => {
      firstStarted();
      const end = performance.now() + 30;
      while (performance.now() < end) await sql`select 1`.execute(tx);
      done += 1;
    }, "busy"),
  );
  await started;
  await store.write(async () => {}, "other");
  // At most the running group and one more write precede the write of the other workspace.
  expect(done).toBeLessThan(JOBS / 2);
  await Promise.all(writes);
  expect(done).toBe(JOBS);
});
