import { Writable } from "node:stream";
import { sql } from "kysely";
import { pino } from "pino";
import { expect, test } from "vitest";
import { startBackgroundTasks } from "../../src/service/background-tasks.js";
import { openTestStore } from "./storage/open.js";

/** Starts the background tasks on a database without their tables. */
async function startFailingTasks() {
  const store = await openTestStore();
  await store.writeStatistics(async (tx) => {
    for (const table of ["jobs", "idempotency_keys", "workspaces"]) {
      await sql`alter table ${sql.table(table)} rename to ${sql.table(`old_${table}`)}`.execute(tx);
    }
  });
  const lines: Record<string, unknown>[] = [];
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()));
      done();
    },
  });
  return { stop: startBackgroundTasks(store, pino(output)), lines };
}

test("background tasks that fail are logged with their error", async () => {
  const { stop, lines } = await startFailingTasks();
  await expect
    .poll(() => [...new Set(lines.map(({ msg }) => msg))].sort())
    .toEqual(["background job failed", "cleanup failed", "count of stored bytes failed"]);
  for (const line of lines) expect(line).toMatchObject({ level: 50, err: { message: expect.any(String) } });
  await stop();
});

test("background tasks that fail because the service stops are not logged", async () => {
  const { stop, lines } = await startFailingTasks();
  await stop();
  expect(lines).toEqual([]);
});
