import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { StorageUnavailableError } from "../../src/storage/errors.js";
import { openStore } from "../../src/storage/store.js";
import { openBeside, sharedStores } from "../support/stores.js";

describe.each(sharedStores)("in %s", (_, newLocation) => {
  test("several processes that start at once on a new database all succeed", async () => {
    const location = await newLocation();
    const program = fileURLToPath(new URL("./write-forever.ts", import.meta.url));
    const children = Array.from({ length: 4 }, () =>
      fork(program, [location, "once"], {
        execArgv: ["--import", "tsx"],
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      }),
    );
    const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0]));
    expect(codes).toEqual([0, 0, 0, 0]);
  });

  test("a database that a newer version has changed is refused, with the remedy", async () => {
    const location = await newLocation();
    await (await openStore(location)).close();
    const beside = await openBeside(location);
    await beside("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01T00:00:00.000Z')");
    const opening = openStore(location);
    await expect(opening).rejects.toThrow(StorageUnavailableError);
    await expect(opening).rejects.toThrow(/newer version .*9999-later.* use another database/);
  });
});
