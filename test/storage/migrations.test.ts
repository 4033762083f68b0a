import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { StorageUnavailableError } from "../../src/storage/errors.js";
import { SqliteConnection } from "../../src/storage/sqlite.js";
import { openStore } from "../../src/storage/store.js";
import { temporaryFile } from "./open.js";

test("several processes that start at once on a new file all succeed", async () => {
  const file = temporaryFile();
  const program = fileURLToPath(new URL("./write-forever.ts", import.meta.url));
  const children = Array.from({ length: 4 }, () =>
    fork(program, [file, "once"], {
      execArgv: ["--import", "tsx"],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
  expect(codes).toEqual([0, 0, 0, 0]);
}, 30_000);

test("a database that a newer version has changed is refused, with the remedy", async () => {
  const file = temporaryFile();
  await (await openStore(file)).close();
  const connection = new SqliteConnection(file);
  connection.exec("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01T00:00:00.000Z')");
  connection.close();
  const opening = openStore(file);
  await expect(opening).rejects.toThrow(StorageUnavailableError);
  await expect(opening).rejects.toThrow(/newer version .*9999-later.* use another database/);
});
