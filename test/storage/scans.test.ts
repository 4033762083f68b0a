import path from "node:path";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import type { openStore as OpenStore, Store } from "../../src/storage/store.js";
import { temporaryFolder } from "../service/command.js";

/** Opens a store of the compiled code: threads run nothing else. */
async function openCompiled(): Promise<Store> {
  const file = new URL("../../dist/src/storage/store.js", import.meta.url).href;
  // The cast: it was compiled from that module.
  const { openStore } = (await import(file)) as { openStore: typeof OpenStore };
  const store = await openStore(path.join(temporaryFolder(), "page-service.db"));
  onTestFinished(() => store.close());
  return store;
}

/** Counts rows, which takes a second for ten million. */
const count = (rows: number) => sql<{ counted: number }>`
  with recursive row(number) as (select 1 union all select number + 1 from row limit ${rows})
  select count(*) as counted from row`;

test("what is read while a scan is under way is there before its end", async () => {
  const store = await openCompiled();
  const done: string[] = [];
  const scan = count(5_000_000)
    .execute(store.scan)
    .then(({ rows }) => done.push(`scan of ${rows[0]?.counted}`));
  await store.read.selectFrom("workspaces").selectAll().execute();
  done.push("read");
  await store.write((tx) => tx.deleteFrom("users").execute());
  done.push("write");
  await scan;
  expect(done).toEqual(["read", "write", "scan of 5000000"]);
});

test("a scan sees what was written before it, tells its errors, and writes nothing", async () => {
  const store = await openCompiled();
  const workspace = { id: "w", name: "Seen", plan: "free", request_limit: null, created_time: 0 } as const;
  await store.write((tx) => tx.insertInto("workspaces").values(workspace).execute());
  const names = await store.scan.selectFrom("workspaces").select("name").execute();
  expect(names).toEqual([{ name: "Seen" }]);
  await expect(sql`select * from nowhere`.execute(store.scan)).rejects.toThrow("no such table: nowhere");
  await expect(sql`delete from users`.execute(store.scan)).rejects.toThrow(/readonly/);
});

test("a store that is closed ends its scans", async () => {
  const store = await openCompiled();
  const scan = count(1e12).execute(store.scan);
  const refused = expect(scan).rejects.toThrow("The thread that looks at many rows ended.");
  await new Promise((resolve) => setImmediate(resolve));
  await store.close();
  await refused;
  await expect(count(1).execute(store.scan)).rejects.toThrow("The database is closed.");
});
