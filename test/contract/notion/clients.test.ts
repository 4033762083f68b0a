import { Agent } from "node:http";
import { createRequire } from "node:module";
import {
  Client,
  collectPaginatedAPI,
  isFullComment,
  isFullPageOrDatabase,
  isFullUser,
  iteratePaginatedAPI,
  LogLevel,
} from "@notionhq/client";
import { describe, expect, test } from "vitest";
import {
  addDatabase,
  addRow,
  addTopPage,
  connectNotion,
  expectRefusal,
  fullBlock,
  fullDatabase,
  getName,
} from "./setup.js";
import { text, plainText } from "../../support/contract.js";

describe("the client's own transport", () => {
  test("works like the other versions", async () => {
    const notion = await connectNotion();
    const { plain } = notion;
    const page_id = await addTopPage({ ...notion, client: plain });
    const page = await plain.pages.create({
      parent: { page_id },
      properties: { title: { title: text("x") } },
    });
    await plain.pages.update({ page_id: page.id, icon: { type: "emoji", emoji: "🌱" } });
    expect(await plain.pages.retrieve({ page_id: page.id })).toMatchObject({ icon: { emoji: "🌱" } });
    const { results } = await plain.blocks.children.append({
      block_id: page.id,
      children: [{ divider: {} }],
    });
    const deleted = await plain.blocks.delete({ block_id: results[0]?.id ?? "" });
    expect(deleted).toMatchObject({ in_trash: true });
    expect((await plain.search({})).results).toHaveLength(3);
    await expectRefusal(plain.pages.retrieve({ page_id: "x" }), "validation_error");
  });

  test("keeps connections alive, and sends many requests concurrently", async () => {
    const { baseUrl, key } = await connectNotion();
    const agent = new Agent({ keepAlive: true, maxSockets: 4 });
    const client = new Client({ baseUrl, auth: key, agent, logLevel: LogLevel.ERROR });
    const ids = await Promise.all(Array.from({ length: 64 }, async () => (await client.users.me({})).id));
    expect(new Set(ids).size).toBe(1);
    agent.destroy();
  });
});

test.each(["/", "//"])("a base URL can end with %j", async (end) => {
  const { baseUrl, key, rootDatabaseId } = await connectNotion();
  const client = new Client({ baseUrl: baseUrl + end, auth: key, logLevel: LogLevel.ERROR });
  expect((await client.users.me({})).object).toBe("user");
  expect((await client.databases.query({ database_id: rootDatabaseId })).object).toBe("list");
  expect((await client.databases.retrieve({ database_id: rootDatabaseId })).id).toBe(rootDatabaseId);
});

test("other versions of the API are treated like the supported one", async () => {
  const { baseUrl, key } = await connectNotion();
  for (const notionVersion of ["2022-06-28", "2022-02-22", "2021-05-13"]) {
    const client = new Client({ baseUrl, auth: key, notionVersion, logLevel: LogLevel.ERROR });
    expect((await client.users.me({})).object).toBe("user");
  }
});

// Loaded with `require`, because importing the types of the oldest version adds browser types to every file.
const require = createRequire(import.meta.url);

describe.each([
  ["2.3.0", "@notionhq/client"],
  ["2.2.15", "notion-client-2.2.15"],
  ["2.2.3", "notion-client-2.2.3"],
])("version %s of the client", (_, name) => {
  const connectVersion = async () => {
    // The casts: the types of older versions are narrower than those of 2.3.0, in parts that these tests do not use.
    const { Client: Version } = require(name) as { Client: typeof Client };
    const notion = await connectNotion();
    const { baseUrl, key } = notion;
    return { ...notion, client: new Version({ baseUrl, auth: key }) };
  };

  test("writes, reads, queries and trashes", async () => {
    const notion = await connectVersion();
    const { client } = notion;
    const database = await addDatabase(notion, { Number: { number: {} }, "A b: %": { checkbox: {} } });
    const database_id = database.id;
    for (const [index, name] of ["a", "b", "c"].entries()) {
      await addRow(notion, database_id, name, { Number: { number: index } });
    }
    const found = await client.databases.query({
      database_id,
      filter: { property: "Number", number: { greater_than: 0 } },
      sorts: [{ property: "Number", direction: "descending" }],
    });
    expect(found.results.map(getName)).toEqual(["c", "b"]);
    const all = await collectPaginatedAPI(client.databases.query, { database_id, page_size: 1 });
    expect(all.map(getName)).toEqual(["a", "b", "c"]);
    const page_id = all[0]?.id ?? "";
    await client.pages.update({ page_id, properties: { Number: { number: 9 } } });
    // Depending on the version, the client encodes ids again or sends them unchanged.
    const ids = Object.values(database.properties).map(({ id }) => id);
    const page = await client.pages.retrieve({ page_id, filter_properties: ids });
    expect(Object.keys((page as { properties: object }).properties).toSorted()).toEqual([
      "A b: %",
      "Name",
      "Number",
    ]);
    for (const property_id of ids) {
      expect(["list", "property_item"]).toContain(
        (await client.pages.properties.retrieve({ page_id, property_id })).object,
      );
    }
    await client.pages.update({ page_id, archived: true });
    expect((await client.databases.query({ database_id })).results).toHaveLength(2);

    const renamed = await client.databases.update({ database_id, title: text("Renamed") });
    expect(fullDatabase(renamed).title).toEqual(plainText("Renamed"));
    expect(await client.databases.retrieve({ database_id })).toEqual(renamed);
    expect((await client.databases.list({})).results.map(({ id }) => id)).toContain(database_id);
  });

  test("builds pages of blocks, comments and searches", async () => {
    const notion = await connectVersion();
    const { client } = notion;
    const page_id = await addTopPage(notion, "Findable");
    await client.blocks.children.append({
      block_id: page_id,
      children: [
        { paragraph: { rich_text: text("one") } },
        { to_do: { rich_text: text("two"), checked: true } },
      ],
    });
    const { results } = await client.blocks.children.list({ block_id: page_id });
    expect(results).toMatchObject([{ type: "paragraph" }, { type: "to_do", to_do: { checked: true } }]);
    await client.blocks.update({ block_id: results[0]?.id ?? "", paragraph: { rich_text: text("changed") } });
    expect(fullBlock(await client.blocks.retrieve({ block_id: results[0]?.id ?? "" }))).toMatchObject({
      paragraph: { rich_text: plainText("changed") },
    });
    await client.blocks.delete({ block_id: results[1]?.id ?? "" });
    await client.comments.create({ parent: { page_id }, rich_text: text("A comment") });
    const comments = (await client.comments.list({ block_id: page_id })).results;
    expect(comments.map(isFullComment)).toEqual([true]);
    const found = (await client.search({ query: "findable" })).results;
    expect(found.map(({ id }) => id)).toEqual([page_id]);
    expect(found.every(isFullPageOrDatabase)).toBe(true);
    await expect(client.pages.retrieve({ page_id: "x" })).rejects.toMatchObject({ code: "validation_error" });
  });

  test("reads users", async () => {
    const { client, addPerson } = await connectVersion();
    const me = await client.users.me({});
    expect(me.type).toBe("bot");
    const ids = [me.id, await addPerson("Ada", "ada@example.com"), await addPerson("Bob")];
    const seen: string[] = [];
    for await (const user of iteratePaginatedAPI(client.users.list, { page_size: 1 })) {
      expect(isFullUser(user)).toBe(true);
      seen.push(user.id);
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    const person = await client.users.retrieve({ user_id: ids[1] ?? "" });
    expect(person).toMatchObject({ name: "Ada", type: "person", person: { email: "ada@example.com" } });
  });
});

test("a search and a query without a body, as other clients send them, find everything", async () => {
  const { baseUrl, key, client, rootDatabaseId } = await connectNotion();
  const post = async (path: string): Promise<unknown> => {
    const headers = { authorization: `Bearer ${key}`, "notion-version": "2022-06-28" };
    return (await fetch(`${baseUrl}/v1/${path}`, { method: "POST", headers })).json();
  };
  const request_id = expect.any(String);
  expect(await post("search")).toEqual({ ...(await client.search({})), request_id });
  const query = await client.databases.query({ database_id: rootDatabaseId });
  expect(await post(`databases/${rootDatabaseId}/query`)).toEqual({ ...query, request_id });
});
