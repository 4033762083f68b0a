import { Agent } from "node:http";
import { createRequire } from "node:module";
import { Client, collectPaginatedAPI, LogLevel } from "@notionhq/client";
import { describe, expect, test } from "vitest";
import {
  addDatabase,
  addRow,
  addTopPage,
  connectNotion,
  expectRefusal,
  getName,
  plainText,
  text,
} from "./setup.js";

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

describe("a base URL", () => {
  test.each(["/", "//"])("can end with %j", async (end) => {
    const { baseUrl, key, rootDatabaseId } = await connectNotion();
    const client = new Client({ baseUrl: baseUrl + end, auth: key, logLevel: LogLevel.ERROR });
    expect((await client.users.me({})).object).toBe("user");
    expect((await client.databases.query({ database_id: rootDatabaseId })).object).toBe("list");
    expect((await client.databases.retrieve({ database_id: rootDatabaseId })).id).toBe(rootDatabaseId);
  });
});

describe("another version of the API", () => {
  test.each(["2022-06-28", "2022-02-22", "2021-05-13"])(
    "%s is treated like the supported one",
    async (notionVersion) => {
      const { baseUrl, key } = await connectNotion();
      const client = new Client({ baseUrl, auth: key, notionVersion, logLevel: LogLevel.ERROR });
      expect((await client.users.me({})).object).toBe("user");
    },
  );
});

// Loaded with `require`, because importing the types of the oldest version adds browser types to every file.
const require = createRequire(import.meta.url);

describe.each(["2.2.15", "2.2.3"])("version %s of the client", (version) => {
  const connectOld = async () => {
    // The casts: its types are narrower than those of 2.3.0, in parts that these tests do not use.
    const { Client: OldClient } = require(`notion-client-${version}`) as { Client: typeof Client };
    const notion = await connectNotion();
    const { baseUrl, key } = notion;
    return { ...notion, old: new OldClient({ baseUrl, auth: key }) };
  };

  test("writes, reads, queries and trashes", async () => {
    const notion = await connectOld();
    const { old } = notion;
    const database = await addDatabase(
      { ...notion, client: old },
      { Number: { number: {} }, "A b: %": { checkbox: {} } },
    );
    const database_id = database.id;
    for (const [index, name] of ["a", "b", "c"].entries()) {
      await addRow({ ...notion, client: old }, database_id, name, { Number: { number: index } });
    }
    const found = await old.databases.query({
      database_id,
      filter: { property: "Number", number: { greater_than: 0 } },
      sorts: [{ property: "Number", direction: "descending" }],
    });
    expect(found.results.map(getName)).toEqual(["c", "b"]);
    const all = await collectPaginatedAPI(old.databases.query, { database_id, page_size: 1 });
    expect(all.map(getName)).toEqual(["a", "b", "c"]);
    const page_id = all[0]?.id ?? "";
    await old.pages.update({ page_id, properties: { Number: { number: 9 } } });
    // Depending on the version, the client encodes ids again or sends them unchanged.
    const ids = Object.values(database.properties).map(({ id }) => id);
    const page = await old.pages.retrieve({ page_id, filter_properties: ids });
    expect(Object.keys((page as { properties: object }).properties).toSorted()).toEqual([
      "A b: %",
      "Name",
      "Number",
    ]);
    for (const property_id of ids) {
      expect(["list", "property_item"]).toContain(
        (await old.pages.properties.retrieve({ page_id, property_id })).object,
      );
    }
    await old.pages.update({ page_id, archived: true });
    expect((await old.databases.query({ database_id })).results).toHaveLength(2);
  });

  test("builds pages of blocks, comments and searches", async () => {
    const notion = await connectOld();
    const { old } = notion;
    const page_id = await addTopPage({ ...notion, client: old }, "Findable");
    await old.blocks.children.append({
      block_id: page_id,
      children: [
        { paragraph: { rich_text: text("one") } },
        { to_do: { rich_text: text("two"), checked: true } },
      ],
    });
    const { results } = await old.blocks.children.list({ block_id: page_id });
    expect(results).toMatchObject([{ type: "paragraph" }, { type: "to_do", to_do: { checked: true } }]);
    await old.blocks.update({ block_id: results[0]?.id ?? "", paragraph: { rich_text: text("changed") } });
    expect(await old.blocks.retrieve({ block_id: results[0]?.id ?? "" })).toMatchObject({
      paragraph: { rich_text: plainText("changed") },
    });
    await old.blocks.delete({ block_id: results[1]?.id ?? "" });
    await old.comments.create({ parent: { page_id }, rich_text: text("A comment") });
    expect((await old.comments.list({ block_id: page_id })).results).toHaveLength(1);
    expect((await old.search({ query: "findable" })).results.map(({ id }) => id)).toEqual([page_id]);
    expect((await old.users.list({})).results.length).toBeGreaterThan(0);
    expect((await old.users.me({})).type).toBe("bot");
    await expect(old.pages.retrieve({ page_id: "x" })).rejects.toMatchObject({ code: "validation_error" });
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
