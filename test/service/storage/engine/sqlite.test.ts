import path from "node:path";
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

test("a connection sets the size of checkpoints only when it changes, because each write group chooses one", () => {
  const connection = new SqliteConnection(":memory:");
  onTestFinished(() => connection.close());
  const pragma = vi.spyOn(connection, "pragma");
  for (const enabled of [true, false, false, true]) connection.setCommitCheckpoint(enabled);
  expect(pragma.mock.calls).toEqual([["wal_autocheckpoint = 0"], ["wal_autocheckpoint = 10000"]]);
});
