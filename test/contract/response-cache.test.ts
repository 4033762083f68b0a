import { expect, test } from "vitest";
import { appendIds, paragraph } from "../support/blocks.js";
import { addPage, connect, readError, title } from "../support/contract.js";
import { Random, takeSeed } from "../support/random.js";
import { newLocation } from "../support/stores.js";

/** Reads twice, so that the second response comes from the cache, and returns it. Only its `request_id` may differ. */
async function readTwice(send: () => Promise<Response>): Promise<Record<string, unknown>> {
  // The cast: every response is an object.
  const read = async () => ({ ...((await (await send()).json()) as object), request_id: undefined });
  const first = await read();
  const second = await read();
  expect(second).toEqual(first);
  return second;
}

test("a read returns every earlier change, made by this process or another", async () => {
  const database = await newLocation();
  const here = await connect({ database });
  const there = await connect({ database });
  const page_id = await addPage(here, "Page 0");
  const read = () => readTwice(() => here.send("GET", `/v1/pages/${page_id}`));
  const getTitle = (page: unknown): unknown => JSON.stringify(page).match(/"plain_text":"([^"]*)"/)?.[1];
  expect(getTitle(await read())).toBe("Page 0");
  for (const [index, { client }] of [here, there, here, there].entries()) {
    await client.updatePage({
      path: { page_id },
      body: { properties: { Title: title(`Page ${index + 1}`) } },
    });
    expect(getTitle(await read())).toBe(`Page ${index + 1}`);
  }
  await there.client.updatePage({ path: { page_id }, body: { in_trash: true } });
  expect(await read()).toMatchObject({ in_trash: true });
});

test("a query that is repeated returns every earlier change, made by this process or another", async () => {
  const database = await newLocation();
  const here = await connect({ database });
  const there = await connect({ database });
  const page_id = await addPage(here, "Page 0");
  const path = { database_id: here.rootDatabaseId };
  const { body: other } = await here.client.createDatabase({
    body: { parent: { page_id }, properties: { Title: { title: {} } } },
  });
  const query = (id = here.rootDatabaseId) =>
    readTwice(() => here.send("POST", `/v1/databases/${id}/query`, {}));
  expect(JSON.stringify(await query())).toContain('"plain_text":"Page 0"');
  expect(await query(other.id)).toMatchObject({ results: [] });
  await there.client.updatePage({ path: { page_id }, body: { properties: { Title: title("Page 1") } } });
  expect(JSON.stringify(await query())).toContain('"plain_text":"Page 1"');
  await there.client.updateDatabase({ path, body: { properties: { Title: { name: "Name" } } } });
  expect(await query()).toMatchObject({ results: [{ properties: { Name: { type: "title" } } }] });
  await here.client.updatePage({ path: { page_id }, body: { in_trash: true } });
  expect(await query()).toMatchObject({ results: [] });
  await there.client.updatePage({ path: { page_id }, body: { in_trash: false } });
  expect(await query()).toMatchObject({ results: [{ id: page_id, in_trash: false }] });
  await here.client.updateDatabase({ path, body: { in_trash: true } });
  expect(await query()).toMatchObject({ results: [] });
});

test("a list of blocks shows changes of the pages and synced blocks that it refers to", async () => {
  const { client, send, rootDatabaseId } = await connect();
  const page_id = await addPage({ client, rootDatabaseId });
  const { body: child } = await client.createPage({
    body: { parent: { page_id }, properties: { title: title("Before") } },
  });
  const [block_id = ""] = await appendIds(client, await addPage({ client, rootDatabaseId }), [
    { synced_block: { synced_from: null } },
  ]);
  const [copy] = await appendIds(client, page_id, [{ synced_block: { synced_from: { block_id } } }]);
  const list = (id = page_id) => readTwice(() => send("GET", `/v1/blocks/${id}/children`));
  expect(await list()).toMatchObject({
    results: [{ child_page: { title: "Before" } }, { has_children: false }],
  });
  expect(await list(copy)).toMatchObject({ results: [] });
  await client.updatePage({
    path: { page_id: child.id },
    body: { properties: { title: title("After") } },
  });
  await appendIds(client, block_id, [paragraph("a")]);
  expect(await list()).toMatchObject({
    results: [{ child_page: { title: "After" } }, { has_children: true }],
  });
  expect(await list(copy)).toMatchObject({ results: [{ type: "paragraph" }] });
});

test("a read returns the changes after a backup was restored, whose versions repeat", async () => {
  const { client, send, service, workspaceId, rootDatabaseId } = await connect({
    database: await newLocation(),
  });
  const page_id = await addPage({ client, rootDatabaseId }, "Backup");
  const readRow = (table: "pages" | "databases", id: string) =>
    service.store.read.selectFrom(table).selectAll().where("id", "=", id).executeTakeFirstOrThrow();
  const backup = {
    page: await readRow("pages", page_id),
    database: await readRow("databases", rootDatabaseId),
  };
  const expectChange = async (text: string): Promise<void> => {
    await client.updatePage({ path: { page_id }, body: { properties: { Title: title(text) } } });
    await client.updateDatabase({
      path: { database_id: rootDatabaseId },
      body: { properties: { [text]: { checkbox: {} } } },
    });
    await client.appendBlockChildren({ path: { block_id: page_id }, body: { children: [paragraph(text)] } });
    const properties = { Title: { title: [{ plain_text: text }] }, [text]: { checkbox: false } };
    expect(await readTwice(() => send("GET", `/v1/pages/${page_id}`))).toMatchObject({ properties });
    expect(await readTwice(() => send("POST", `/v1/databases/${rootDatabaseId}/query`, {}))).toMatchObject({
      results: [{ properties }],
    });
    expect(await readTwice(() => send("GET", `/v1/blocks/${page_id}/children`))).toMatchObject({
      results: [{ paragraph: { rich_text: [{ plain_text: text }] } }],
    });
  };
  await expectChange("Lost");
  await service.store.write(workspaceId, async ({ db: tx }) => {
    await tx.deleteFrom("blocks").where("page_id", "=", page_id).execute();
    await tx.updateTable("pages").set(backup.page).where("id", "=", page_id).execute();
    await tx.updateTable("databases").set(backup.database).where("id", "=", rootDatabaseId).execute();
  });
  await expectChange("New");
});

test("random reads and writes of two processes: a read returns the last write", async () => {
  const seed = takeSeed();
  const random = new Random(seed);
  const database = await newLocation();
  const processes = [await connect({ database }), await connect({ database })] as const;
  const pages = await Promise.all(Array.from({ length: 3 }, () => addPage(processes[0], "0")));
  const titles = new Map(pages.map((id) => [id, "0"]));
  for (let round = 1; round <= 300; round += 1) {
    const { client } = random.pick(processes);
    const page_id = random.pick(pages);
    if (random.chance(0.25)) {
      titles.set(page_id, String(round));
      await client.updatePage({ path: { page_id }, body: { properties: { Title: title(String(round)) } } });
    } else {
      const { body } = await client.retrievePage({ path: { page_id } });
      expect(JSON.stringify(body.properties), `SEED=${seed}, round ${round}`).toContain(
        `"plain_text":"${titles.get(page_id)}"`,
      );
    }
  }
});

test("cached lists get the id of the current request, and each key gets its own bot", async () => {
  const here = await connect();
  const lists = await Promise.all([1, 2, 3].map(() => here.send("GET", "/v1/users?page_size=1")));
  for (const response of lists) {
    expect(await response.json()).toMatchObject({ request_id: response.headers.get("x-request-id") });
  }
  const other = await here.connect({ workspaceName: "Test", keyName: "Second" });
  const { body: bot } = await other.client.retrieveBotUser({});
  expect(await readTwice(() => here.send("GET", "/v1/users/me"))).not.toMatchObject({ id: bot.id });
  expect((await other.client.retrieveBotUser({})).body).toEqual(bot);
});

test("a cached page is returned with only the requested properties", async () => {
  const { client, send, rootDatabaseId } = await connect();
  const page_id = await addPage({ client, rootDatabaseId });
  await readTwice(() => send("GET", `/v1/pages/${page_id}`));
  const { body } = await client.retrievePage({ path: { page_id }, query: { filter_properties: ["title"] } });
  expect(Object.keys(body.properties)).toEqual(["Title"]);
});

test("another workspace gets 404 for a cached page, list of blocks or query", async () => {
  const here = await connect();
  const page_id = await addPage(here);
  const stranger = await here.connect();
  // Gives both workspaces the same generation, by which caches know that a workspace is unchanged.
  await here.service.store.writeServiceWide(async () => {});
  for (const [method, path, body] of [
    ["GET", `/v1/pages/${page_id}`, undefined],
    ["GET", `/v1/blocks/${page_id}/children`, undefined],
    ["POST", `/v1/databases/${here.rootDatabaseId}/query`, {}],
  ] as const) {
    await readTwice(() => here.send(method, path, body));
    const response = await here.send(method, path, body, { Authorization: `Bearer ${stranger.key}` });
    expect(await readError(response), path).toMatchObject({ status: 404, code: "object_not_found" });
  }
});

test("the memory that an idle service releases includes cached responses", async () => {
  const connected = await connect();
  const { service, send } = connected;
  const id = await addPage(connected);
  const read = async () => (await send("GET", `/v1/pages/${id}`)).text();
  await read();
  // A change that the cache cannot notice.
  await service.store.writeWithoutInvalidation((tx) =>
    tx.updateTable("pages").set({ in_trash: 1 }).execute(),
  );
  expect(await read()).toContain('"in_trash":false');
  service.releaseMemory();
  expect(await read()).toContain('"in_trash":true');
});
