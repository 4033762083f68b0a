import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MAX_ANONYMOUS_REQUESTS_PER_MINUTE } from "../../src/budgets.js";
import { isPostgresUrl } from "../../src/storage/engine/location.js";
import { addPage, connect, type Connected, getError, title } from "../support/contract.js";
import { newLocation, openSecondConnection } from "../support/stores.js";

/** Creates valid calls of some operations. */
function createCalls(
  { client, rootDatabaseId }: Connected,
  page_id: string,
): Record<string, () => Promise<unknown>> {
  return {
    createPage: () =>
      client.createPage({ body: { parent: { database_id: rootDatabaseId }, properties: {} } }),
    retrievePage: () => client.retrievePage({ path: { page_id } }),
    updatePage: () =>
      client.updatePage({ path: { page_id }, body: { properties: { Title: title("Late") } } }),
  };
}

/** Returns SQL for a transaction of another program that blocks writes of the service. */
function createLockSql(database: string): string {
  return isPostgresUrl(database) ? "BEGIN; LOCK TABLE pages IN EXCLUSIVE MODE" : "BEGIN EXCLUSIVE";
}

describe("with a failing database,", () => {
  test("a write that waits too long for another program's lock gets 409 conflict_error and changes nothing", async () => {
    const database = await newLocation();
    const connected = await connect({ database });
    const id = await addPage(connected);
    const other = await openSecondConnection(database);
    await other(createLockSql(database));
    const { createPage, updatePage, retrievePage } = createCalls(connected, id);
    const errors = await Promise.all([createPage, updatePage].map((call) => call && getError(call())));
    for (const error of errors) {
      expect(error).toMatchObject({
        status: 409,
        code: "conflict_error",
        message: "Conflict occurred while saving. Please try again.",
      });
    }
    // Reads do not wait.
    expect(await retrievePage?.()).toMatchObject({ status: 200 });
    await other("ROLLBACK");
    const { body } = await connected.client.retrievePage({ path: { page_id: id } });
    expect(body.properties.Title).toMatchObject({ title: [{ plain_text: "Page" }] });
    expect(await updatePage?.()).toMatchObject({ status: 200 });
  });

  test("a write waits for a lock that is released in time", async () => {
    const database = await newLocation();
    const connected = await connect({ database });
    const id = await addPage(connected);
    const other = await openSecondConnection(database);
    await other(createLockSql(database));
    const written = createCalls(connected, id).updatePage?.();
    // Long enough that the write has met the lock many times.
    await sleep(300);
    await other("COMMIT");
    expect(await written).toMatchObject({ status: 200 });
  });

  // For keys that are not cached, see the next test.
  test("a call with a cached key gets 503 service_unavailable when the database is closed", async () => {
    const connected = await connect({ database: await newLocation() });
    const id = await addPage(connected);
    await connected.service.store.close();
    for (const call of Object.values(createCalls(connected, id))) {
      expect(await getError(call())).toMatchObject({
        status: 503,
        code: "service_unavailable",
        message: "Service unavailable. Please try again later.",
      });
    }
    expect((await fetch(`${connected.baseUrl}/readyz`)).status).toBe(503);
    expect((await fetch(`${connected.baseUrl}/livez`)).status).toBe(200);
  });

  test("requests are not counted as anonymous when API keys cannot be read", async () => {
    const connected = await connect({ database: await newLocation() });
    await connected.service.store.close();
    const requests = Array.from({ length: MAX_ANONYMOUS_REQUESTS_PER_MINUTE + 10 }, () =>
      connected.send("GET", `/v1/databases/${connected.rootDatabaseId}`),
    );
    const statuses = (await Promise.all(requests)).map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([503]));
  });
});

test("acknowledged writes and API keys survive a restart", async () => {
  const database = await newLocation();
  const first = await connect({ database });
  const created = await first.client.createPage({
    body: {
      parent: { database_id: first.rootDatabaseId },
      icon: { emoji: "🧭" },
      properties: { Title: title("Kept"), Points: { number: 0.1 } },
    },
  });
  const path = { page_id: created.body.id };
  const { body: page } = await first.client.updatePage({
    path,
    body: {
      in_trash: true,
      properties: { Done: { checkbox: true } },
      cover: { external: { url: "https://example.org" } },
    },
  });
  await first.service.close();

  const second = await connect({ database });
  const response = await second.send("GET", `/v1/pages/${page.id}`, undefined, {
    Authorization: `Bearer ${first.key}`,
  });
  expect(await response.json()).toEqual(page);
});
