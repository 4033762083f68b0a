import { expect, onTestFinished, test } from "vitest";
import { createEnvironment, serve } from "../command.js";
import { runInProcess } from "../run-in-process.js";
import { openStore } from "../../../src/storage/engine/open-store.js";
import { openSecondConnection } from "../../support/stores.js";
import { createSqliteLocation, kinds } from "./transfer/command.js";

test.each(kinds)(
  "four services that start together on one empty database in %s all serve, with one demo workspace",
  async (_, newLocation) => {
    const location = await newLocation();
    const services = await Promise.all(Array.from({ length: 4 }, () => serve(createEnvironment(location))));
    for (const { url } of services) expect((await fetch(`${url}/readyz`)).status).toBe(200);
    const key = services.flatMap(({ welcome }) => /ps_[0-9A-Za-z]{36}/.exec(welcome)?.slice(0, 1) ?? []);
    expect(key).toHaveLength(1);
    for (const { url } of services) {
      const response = await fetch(`${url}/v1/users/me`, {
        headers: { Authorization: `Bearer ${key[0] ?? ""}` },
      });
      expect(response.status).toBe(200);
    }
    const store = await openStore(location);
    onTestFinished(() => store.close());
    expect(await store.read.selectFrom("workspaces").select("name").execute()).toEqual([{ name: "Demo" }]);
  },
);

test("a service refuses a database of a newer version with one line and exit code 2", async () => {
  const location = createSqliteLocation();
  await (await openStore(location)).close();
  const beside = await openSecondConnection(location);
  await beside("INSERT INTO kysely_migration VALUES ('9999-later', '2030-01-01T00:00:00.000Z')");
  const { code, stdout, stderr } = await runInProcess(["serve"], {
    PORT: "0",
    ...createEnvironment(location),
  });
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^page-service: The database was written by a newer version .*"9999-later".*\n$/);
});
