import { expect, test } from "vitest";
import { addPage, connect, readError, title } from "../support/contract.js";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;

test("the service speaks JSON over HTTP, below its base address", async () => {
  const { send, client, rootDatabaseId } = await connect();
  const id = await addPage({ client, rootDatabaseId });
  const response = await send("GET", `/v1/pages/${id}`);
  expect(response.status).toBe(200);
  expect(response.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  expect(await response.json()).toMatchObject({ object: "page" });
});

test("a page has object, id, both times and its properties", async () => {
  const { client, rootDatabaseId } = await connect();
  const { body } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: { Title: title("Fields") } },
  });
  expect(body.object).toBe("page");
  expect(body.id).toMatch(UUID);
  expect(body.created_time).toMatch(TIME);
  expect(body.last_edited_time).toMatch(TIME);
  expect(body.last_edited_time).toBe(body.created_time);
  expect(Object.keys(body.properties)).toEqual(["Title", "Notes", "Done", "Points"]);
});

test("a page has its parent, its author and the other documented fields", async () => {
  const { client, rootDatabaseId, connect: another } = await connect();
  const { body } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: {} },
  });
  expect(body).toMatchObject({
    icon: null,
    cover: null,
    archived: false,
    in_trash: false,
    public_url: null,
    parent: { type: "database_id", database_id: rootDatabaseId },
    created_by: { object: "user", id: expect.stringMatching(UUID) },
    last_edited_by: { object: "user", id: body.created_by.id },
  });
  expect(new URL(body.url).pathname).toBe(`/${body.id.replaceAll("-", "")}`);
  const second = await another({ workspaceName: "Test" });
  const edited = await second.client.updatePage({
    path: { page_id: body.id },
    body: { properties: { Done: { checkbox: true } } },
  });
  expect(edited.body.created_by).toEqual(body.created_by);
  expect(edited.body.last_edited_by.id).not.toBe(body.created_by.id);
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

test("GET: returns the page that was created", async () => {
  const { client, rootDatabaseId } = await connect();
  const created = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: { Title: title("Once") } },
  });
  const { status, body } = await client.retrievePage({ path: { page_id: created.body.id } });
  expect(status).toBe(200);
  expect(body).toEqual(created.body);
});

test("page_id can be without dashes and in capitals", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  for (const spelling of [id.replaceAll("-", ""), id.toUpperCase()]) {
    const { body } = await connected.client.retrievePage({ path: { page_id: spelling } });
    expect(body.id).toBe(id);
  }
});

test("POST: creates a page in the database; omitted properties are empty", async () => {
  const { client, rootDatabaseId } = await connect();
  const { status, body } = await client.createPage({
    body: { parent: { database_id: rootDatabaseId }, properties: { Title: title("New") } },
  });
  expect(status).toBe(200);
  expect(body.parent).toEqual({ type: "database_id", database_id: rootDatabaseId });
  expect(body.properties).toMatchObject({
    Title: { type: "title", title: [{ plain_text: "New" }] },
    Notes: { type: "rich_text", rich_text: [] },
    Done: { type: "checkbox", checkbox: false },
    Points: { type: "number", number: null },
  });
  const retrieved = await client.retrievePage({ path: { page_id: body.id } });
  expect(retrieved.body.parent).toEqual(body.parent);
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

test("the version is the prefix /v1; without it there is no endpoint", async () => {
  const connected = await connect();
  const id = await addPage(connected);
  expect((await connected.send("GET", `/v1/pages/${id}`)).status).toBe(200);
  for (const path of [`/pages/${id}`, `/v2/pages/${id}`, `/V1/pages/${id}`]) {
    const response = await connected.send("GET", path);
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ object: "error", code: "invalid_request_url" });
    expect(Number(response.headers.get("X-RateLimit-Limit"))).toBeGreaterThan(0);
  }
});
