import { once } from "node:events";
import path from "node:path";
import { Worker } from "node:worker_threads";
import Database from "libsql";
import { CompiledQuery } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import { SqliteConnection } from "../../../../src/storage/engine/sqlite.js";
import { createTemporaryFolder } from "../../../support/temporary-folder.js";

test("a connection keeps short statements, but no long ones", async () => {
  const connection = new SqliteConnection(path.join(createTemporaryFolder(), "page-service.db"));
  onTestFinished(() => connection.close());
  const prepare = vi.spyOn(Database.prototype, "prepare");
  onTestFinished(() => prepare.mockRestore());
  for (const [length, prepared] of [
    [1, 1],
    [5000, 2],
  ] as const) {
    const text = "x".repeat(length);
    const select = () => connection.executeQuery(CompiledQuery.raw(`select '${text}' as text`));
    prepare.mockClear();
    expect((await select()).rows).toEqual([{ text }]);
    expect((await select()).rows).toEqual([{ text }]);
    expect(prepare).toHaveBeenCalledTimes(prepared);
  }
});

test("a connection waits until another one that writes to the new file has ended", async () => {
  const file = path.join(createTemporaryFolder(), "page-service.db");
  // In a thread, because opening the connection blocks this one.
  const code = `
    const { parentPort, workerData } = require("node:worker_threads");
    const database = new (require("libsql"))(workerData);
    database.exec("BEGIN IMMEDIATE; CREATE TABLE t (x)");
    parentPort.postMessage("locked");
    setTimeout(() => database.exec("COMMIT"), 50)`;
  await once(new Worker(code, { eval: true, workerData: file }), "message");
  const connection = new SqliteConnection(file);
  onTestFinished(() => connection.close());
  expect((await connection.executeQuery(CompiledQuery.raw("select * from t"))).rows).toEqual([]);
});

test("a connection sets the size of checkpoints only when it changes, because each write group chooses one", () => {
  const connection = new SqliteConnection(":memory:");
  onTestFinished(() => connection.close());
  const pragma = vi.spyOn(connection, "pragma");
  for (const enabled of [true, false, false, true]) connection.setCommitCheckpoint(enabled);
  expect(pragma.mock.calls).toEqual([["wal_autocheckpoint = 0"], ["wal_autocheckpoint = 10000"]]);
});
