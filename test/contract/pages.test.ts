import { expect, test } from "vitest";
import { addPage, connect, title, UUID } from "../support/contract.js";

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

test("a page has all documented fields, and is retrieved as it was created", async () => {
  const { client, rootDatabaseId, connect: another } = await connect();
  const { body: bot } = await client.retrieveBotUser({});
  const { body } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: { Title: title("New") } },
  });
  expect(body).toMatchObject({
    object: "page",
    id: expect.stringMatching(UUID),
    created_time: expect.stringMatching(TIME),
    last_edited_time: body.created_time,
    icon: null,
    cover: null,
    archived: false,
    in_trash: false,
    public_url: null,
    parent: { type: "database_id", database_id: rootDatabaseId },
    created_by: { object: "user", id: bot.id },
    last_edited_by: { object: "user", id: bot.id },
    properties: {
      Title: { type: "title", title: [{ plain_text: "New" }] },
      Notes: { type: "rich_text", rich_text: [] },
      Done: { type: "checkbox", checkbox: false },
      Points: { type: "number", number: null },
    },
  });
  expect(Object.keys(body.properties)).toEqual(["Title", "Notes", "Done", "Points"]);
  expect((await client.retrievePage({ path: { page_id: body.id } })).body).toEqual(body);
  expect(new URL(body.url).pathname).toBe(`/${body.id.replaceAll("-", "")}`);
  const second = await another({ workspaceName: "Test" });
  const edited = await second.client.updatePage({
    path: { page_id: body.id },
    body: { properties: { Done: { checkbox: true } } },
  });
  expect(edited.body.created_by).toEqual(body.created_by);
  expect(edited.body.last_edited_by.id).not.toBe(body.created_by.id);
});

test("the blocks of a new page can be in `content` instead of `children`", async () => {
  const { client, rootDatabaseId } = await connect();
  const { body } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: {}, content: [{ divider: {} }] },
  });
  const { results } = (await client.listBlockChildren({ path: { block_id: body.id } })).body;
  expect(results).toMatchObject([{ type: "divider" }]);
});

test("the title is a list of items with a text and its content", async () => {
  const { client, rootDatabaseId } = await connect();
  const items = [
    { text: { content: "Travel " } },
    { text: { content: "plans", link: { url: "https://example.org" } }, annotations: { bold: true } },
  ];
  const { body } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: { Title: { title: items } } },
  });
  expect(body.properties.Title).toMatchObject({
    id: "title",
    type: "title",
    title: [
      { type: "text", text: { content: "Travel ", link: null }, plain_text: "Travel ", href: null },
      {
        text: { content: "plans", link: { url: "https://example.org" } },
        annotations: { bold: true, italic: false, color: "default" },
        href: "https://example.org",
      },
    ],
  });
});

test("parent.database_id accepts ids with and without dashes, in any case", async () => {
  const { client, rootDatabaseId } = await connect();
  const spellings = [rootDatabaseId, rootDatabaseId.replaceAll("-", ""), rootDatabaseId.toUpperCase()];
  for (const database_id of spellings) {
    const { body } = await client.createPage({ body: { parent: { database_id }, properties: {} } });
    expect(body.parent).toEqual({ type: "database_id", database_id: rootDatabaseId });
  }
});

test("page_id can be without dashes and in capitals", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  for (const spelling of [id.replaceAll("-", ""), id.toUpperCase()]) {
    const { body } = await connected.client.retrievePage({ path: { page_id: spelling } });
    expect(body.id).toBe(id);
  }
});

test("PATCH: updates the named properties and keeps the others", async () => {
  const { client, rootDatabaseId } = await connect();
  const { body: before } = await client.createPage({
    body: {
      parent: { database_id: rootDatabaseId },
      icon: { emoji: "🧭" },
      properties: { Title: title("Before"), Points: { number: 1.5 }, Done: { checkbox: true } },
    },
  });
  const { status, body } = await client.updatePage({
    path: { page_id: before.id },
    body: { properties: { Title: title("After") } },
  });
  expect(status).toBe(200);
  expect(body.properties.Title).toMatchObject({ title: [{ plain_text: "After" }] });
  expect({ ...body, properties: { ...body.properties, Title: null }, last_edited_time: "" }).toEqual({
    ...before,
    properties: { ...before.properties, Title: null },
    last_edited_time: "",
  });
  expect(Date.parse(body.last_edited_time)).toBeGreaterThanOrEqual(Date.parse(before.last_edited_time));
  expect((await client.retrievePage({ path: { page_id: before.id } })).body).toEqual(body);
});
