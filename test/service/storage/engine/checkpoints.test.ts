import { spawnSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { openTestStore, temporaryFile } from "../open.js";

test("writes are copied from the log into the database file while the store is open", async () => {
  const file = temporaryFile();
  const store = await openTestStore(file);
  // Another process reads the file: closing it in this one would end SQLite's locks.
  const isInFile = (text: string): boolean => spawnSync("grep", ["--quiet", text, file]).status === 0;
  for (const name of ["first-workspace", "second-workspace"]) {
    const workspace = { id: name, name, plan: "free", request_limit: null, created_time: 0 } as const;
    await store.write((tx) => tx.insertInto("workspaces").values(workspace).execute());
    expect(isInFile(name)).toBe(false);
    while (!isInFile(name)) await sleep(20);
  }
});
