import { expect, test } from "vitest";
import {
  type Connected,
  addPage,
  connect,
  readError,
  getError,
  UNKNOWN,
  text,
  readList,
} from "../support/contract.js";

const WORKSPACE = { type: "workspace", workspace: true } as const;

/** Creates a database in the workspace and returns its id. */
async function addDatabase({ client }: Pick<Connected, "client">, name = "Trips"): Promise<string> {
  const { body } = await client.createDatabase({
    body: { parent: WORKSPACE, title: text(name), properties: { Name: { title: {} } } },
  });
  return body.id;
}

test("creating and retrieving a database in the workspace return the same object", async () => {
  const { client } = await connect();
  const { body: bot } = await client.retrieveBotUser({});
  const { status, body } = await client.createDatabase({
    body: {
      parent: WORKSPACE,
      title: text("Trips"),
      description: text("Where we want to go"),
      icon: { emoji: "🧭" },
      cover: { external: { url: "https://images.example.org/sea.jpg" } },
      is_inline: true,
      properties: { Name: { title: {} }, Price: { number: { format: "euro" }, description: "For one" } },
    },
  });
  expect(status).toBe(200);
  const by = { object: "user", id: bot.id };
  expect(body).toMatchObject({
    object: "database",
    created_by: by,
    last_edited_by: by,
    created_time: body.last_edited_time,
    title: [{ type: "text", plain_text: "Trips", annotations: { bold: false, color: "default" } }],
    description: [{ plain_text: "Where we want to go" }],
    icon: { type: "emoji", emoji: "🧭" },
    cover: { type: "external", external: { url: "https://images.example.org/sea.jpg" } },
    parent: WORKSPACE,
    url: expect.stringContaining(body.id.replaceAll("-", "")),
    public_url: null,
    is_inline: true,
    archived: false,
    in_trash: false,
  });
  expect(body.properties).toEqual({
    Name: { id: "title", name: "Name", type: "title", description: null, title: {} },
    Price: {
      id: expect.stringMatching(/^[^/?#]+$/),
      name: "Price",
      type: "number",
      description: "For one",
      number: { format: "euro" },
    },
  });
  for (const database_id of [body.id, body.id.replaceAll("-", ""), body.id.toUpperCase()]) {
    const { body: again } = await client.retrieveDatabase({ path: { database_id } });
    expect(again).toEqual(body);
  }
});

test("creates every property type with defaults for omitted configuration", async () => {
  const { client, rootDatabaseId } = await connect();
  const { body } = await client.createDatabase({
    body: {
      parent: WORKSPACE,
      properties: {
        Name: { type: "title", title: {} },
        Text: { rich_text: {} },
        Number: { number: {} },
        Season: { select: { options: [{ name: "Spring", color: "green" }, { name: "Autumn" }] } },
        Tags: { multi_select: {} },
        State: { status: {} },
        When: { date: {} },
        Who: { people: {} },
        Files: { files: {} },
        Done: { checkbox: {} },
        Link: { url: {} },
        Mail: { email: {} },
        Phone: { phone_number: {} },
        Page: { relation: { database_id: rootDatabaseId, single_property: {} } },
        Both: { relation: { database_id: rootDatabaseId, type: "dual_property", dual_property: {} } },
        Points: {
          rollup: {
            relation_property_name: "Page",
            rollup_property_name: "Points",
            function: "sum",
          },
        },
        Made: { created_time: {} },
        Maker: { created_by: {} },
        Edited: { last_edited_time: {} },
        Editor: { last_edited_by: {} },
        Key: { unique_id: { prefix: "TRIP" } },
      },
    },
  });
  const { properties } = body;
  expect(Object.values(properties).map(({ name, type }) => [name, type])).toEqual([
    ["Name", "title"],
    ["Text", "rich_text"],
    ["Number", "number"],
    ["Season", "select"],
    ["Tags", "multi_select"],
    ["State", "status"],
    ["When", "date"],
    ["Who", "people"],
    ["Files", "files"],
    ["Done", "checkbox"],
    ["Link", "url"],
    ["Mail", "email"],
    ["Phone", "phone_number"],
    ["Page", "relation"],
    ["Both", "relation"],
    ["Points", "rollup"],
    ["Made", "created_time"],
    ["Maker", "created_by"],
    ["Edited", "last_edited_time"],
    ["Editor", "last_edited_by"],
    ["Key", "unique_id"],
  ]);
  const ids = Object.values(properties).map(({ id }) => id);
  expect(new Set(ids).size).toBe(21);
  // Ids are inserted into paths without encoding.
  for (const id of ids) expect(id).toMatch(/^([A-Za-z0-9._~-]|%[0-9A-Fa-f]{2})+$/);
  expect(properties.Number).toMatchObject({ number: { format: "number" } });
  expect(properties.Season).toMatchObject({
    select: {
      options: [
        { name: "Spring", color: "green", description: null },
        { name: "Autumn", color: expect.any(String), description: null },
      ],
    },
  });
  expect(properties.Tags).toMatchObject({ multi_select: { options: [] } });
  const status = properties.State;
  if (status?.type !== "status") throw new Error("State is not a status");
  expect(status.status.options.map(({ name }) => name)).toEqual(["Not started", "In progress", "Done"]);
  expect(status.status.groups.map(({ name }) => name)).toEqual(["To-do", "In progress", "Complete"]);
  expect(status.status.groups.flatMap(({ option_ids }) => option_ids)).toEqual(
    status.status.options.map(({ id }) => id),
  );
  expect(properties.Page).toMatchObject({
    relation: { database_id: rootDatabaseId, type: "single_property", single_property: {} },
  });
  expect(properties.Points).toMatchObject({
    rollup: {
      relation_property_id: properties.Page?.id,
      relation_property_name: "Page",
      rollup_property_name: "Points",
      function: "sum",
    },
  });
  expect(properties.Key).toMatchObject({ unique_id: { prefix: "TRIP" } });

  // The database on the other side of the relation.
  const { body: other } = await client.retrieveDatabase({ path: { database_id: rootDatabaseId } });
  const both = properties.Both;
  if (both?.type !== "relation" || both.relation.type !== "dual_property") {
    throw new Error("Both is not a two-way relation");
  }
  const twin = other.properties[both.relation.dual_property.synced_property_name];
  expect(twin).toMatchObject({
    id: both.relation.dual_property.synced_property_id,
    relation: {
      database_id: body.id,
      type: "dual_property",
      dual_property: { synced_property_id: both.id, synced_property_name: "Both" },
    },
  });
});

test("a retrieved schema can be sent back unchanged", async () => {
  const { client, rootDatabaseId } = await connect();
  const { body: created } = await client.createDatabase({
    body: {
      parent: WORKSPACE,
      properties: {
        Name: { title: {} },
        Season: { select: { options: [{ name: "Spring" }] } },
        State: { status: {} },
        Pages: { relation: { database_id: rootDatabaseId, dual_property: {} } },
        Sum: { rollup: { relation_property_name: "Pages", rollup_property_name: "Points", function: "sum" } },
        Key: { unique_id: {} },
      },
    },
  });
  const path = { database_id: created.id };
  const { body } = await client.updateDatabase({ path, body: { properties: created.properties } });
  expect(body.properties).toEqual(created.properties);
});

test("a property can have any name, such as __proto__", async () => {
  const { send } = await connect();
  const names = ["__proto__", "constructor", "a/b?c#d", "ü 🧭", "toString"];
  const properties = JSON.stringify(Object.fromEntries(names.map((name) => [`x${name}`, { checkbox: {} }])));
  const body = `{"parent":{"workspace":true},"properties":{"Name":{"title":{}},${properties.slice(1, -1).replaceAll('"x', '"')}}}`;
  const response = await send("POST", "/v1/databases", body);
  expect(response.status).toBe(200);
  const database = JSON.parse(await response.text());
  expect(Object.keys(database.properties).sort()).toEqual(["Name", ...names].sort());
});

test("a database in a page has the page as its parent", async () => {
  const connected = await connect();
  const page_id = await addPage(connected);
  const { body } = await connected.client.createDatabase({
    body: { parent: { page_id }, properties: { Name: { title: {} } } },
  });
  expect(body.parent).toEqual({ type: "page_id", page_id });
  expect(body).toMatchObject({ title: [], description: [], icon: null, cover: null, is_inline: false });
});

test("an update changes only the given fields", async () => {
  const { client } = await connect();
  const { body: before } = await client.createDatabase({
    body: {
      parent: WORKSPACE,
      title: text("Trips"),
      description: text("All"),
      icon: { emoji: "🧭" },
      properties: { Name: { title: {} }, Price: { number: {} } },
    },
  });
  const path = { database_id: before.id };
  const { body: nothing } = await client.updateDatabase({ path, body: {} });
  expect(nothing).toEqual(before);
  const { body: after } = await client.updateDatabase({
    path,
    body: { title: text("Journeys"), icon: null, is_inline: true },
  });
  const { last_edited_time } = after;
  expect(after).toEqual({
    ...before,
    last_edited_time,
    title: [expect.objectContaining({ plain_text: "Journeys" })],
    icon: null,
    is_inline: true,
  });
  expect(last_edited_time >= before.last_edited_time).toBe(true);
  expect((await client.retrieveDatabase({ path })).body).toEqual(after);
  const cover = { type: "external", external: { url: "https://example.org/sea.jpg" } } as const;
  const { body: last } = await client.updateDatabase({ path, body: { description: text("None"), cover } });
  expect(last).toMatchObject({ description: [{ plain_text: "None" }], cover, title: after.title });
  for (const body of [
    { cover: null },
    { is_inline: false },
    { icon: { type: "emoji", emoji: "🧭" } } as const,
  ]) {
    expect((await client.updateDatabase({ path, body })).body).toMatchObject(body);
  }
});

test("a database in the trash can be retrieved and restored, but not changed", async () => {
  const connected = await connect();
  const { client } = connected;
  const path = { database_id: await addDatabase(connected) };
  const { body: trashed } = await client.updateDatabase({ path, body: { in_trash: true } });
  expect(trashed).toMatchObject({ archived: true, in_trash: true });
  expect((await client.retrieveDatabase({ path })).body).toEqual(trashed);
  const error = await getError(client.updateDatabase({ path, body: { title: text("New") } }));
  expect(error).toMatchObject({ status: 400, code: "validation_error" });
  expect(error.message).toMatch(/^Can't edit block that is archived/);
  const { body: restored } = await client.updateDatabase({ path, body: { archived: false } });
  expect(restored).toMatchObject({ archived: false, in_trash: false });
});

test("a mention in a title shows the current title of the page", async () => {
  const connected = await connect();
  const { client } = connected;
  const page_id = await addPage(connected, "Sea");
  const { body } = await client.createDatabase({
    body: {
      parent: WORKSPACE,
      title: [...text("About "), { mention: { page: { id: page_id } } }],
      properties: { Name: { title: {} } },
    },
  });
  expect(body.title.map(({ plain_text }) => plain_text)).toEqual(["About ", "Sea"]);
  const error = await getError(
    client.updateDatabase({
      path: { database_id: body.id },
      body: { description: [{ mention: { page: { id: UNKNOWN } } }] },
    }),
  );
  expect(error).toMatchObject({ status: 404, code: "object_not_found" });
});

test("lists the databases of the workspace outside the trash, with cursors", async () => {
  const connected = await connect();
  const { client, rootDatabaseId } = connected;
  const ids = [rootDatabaseId];
  for (let number = 0; number < 4; number += 1) ids.push(await addDatabase(connected));
  const [, trashed = ""] = ids;
  await client.updateDatabase({ path: { database_id: trashed }, body: { in_trash: true } });
  await addDatabase(await connected.connect());
  const parts = await readList((from) => client.listDatabases({ query: { page_size: 3, ...from } }));
  for (const body of parts) expect(body).toMatchObject({ object: "list", type: "database", database: {} });
  const seen = parts.flatMap(({ results }) => results.map(({ id }) => id));
  expect(seen).toEqual(ids.filter((id) => id !== trashed));
});

const NAME = { Name: { title: {} } };

test("refuses invalid bodies of a new database", async () => {
  const { send } = await connect();
  const cases: [body: object, message: string][] = [
    [{ properties: NAME }, "body.parent should be defined, instead was `undefined`."],
    [{ parent: WORKSPACE }, "body.properties should be defined, instead was `undefined`."],
    [{ parent: {}, properties: NAME }, "body.parent.page_id should be defined, instead was `undefined`."],
    [
      { parent: { page_id: UNKNOWN, workspace: true }, properties: NAME },
      "body.parent.workspace should be not present, instead was `true`.",
    ],
    [
      { parent: WORKSPACE, properties: NAME, colour: "red" },
      'body.colour should be not present, instead was `"red"`.',
    ],
    [
      { parent: WORKSPACE, properties: { ...NAME, Map: { place: {} } } },
      "body.properties.Map.place should be not present, instead was `{}`.",
    ],
    [
      { parent: WORKSPACE, title: text("x".repeat(2001)), properties: NAME },
      "body.title[0].text.content.length should be ≤ `2000`, instead was `2001`.",
    ],
  ];
  for (const [body, message] of cases) {
    expect(await readError(await send("POST", "/v1/databases", body))).toMatchObject({
      status: 400,
      code: "validation_error",
      message: `body failed validation: ${message}`,
    });
  }
});

test("refuses invalid properties of a new database", async () => {
  const { send } = await connect();
  const rollup = { relation_property_name: "No", rollup_property_name: "No", function: "sum" };
  const cases: [properties: object, message: RegExp][] = [
    [{ Done: { checkbox: {} } }, /^Title is not provided/],
    [{}, /^Title is not provided/],
    [{ Name: { title: {} }, Other: { title: {} } }, /one property of type title/],
    [{ ...NAME, Sum: { formula: { expression: "1+1" } } }, /Sum is a formula.*cannot be created/],
    [{ ...NAME, Odd: { number: {}, checkbox: {} } }, /Odd has several types/],
    [{ ...NAME, Price: { number: { format: "doubloon" } } }, /format/],
    [
      { ...NAME, Tag: { select: { options: [{ name: "a,b" }] } } },
      /^Invalid select option, commas not allowed: a,b/,
    ],
    [{ ...NAME, Tag: { select: { options: [{ name: "a", color: "mauve" }] } } }, /color/],
    [{ ...NAME, Tag: { select: { options: [{ name: "a" }, { name: "a" }] } } }, /a/],
    [{ ...NAME, Link: { relation: { database_id: "x", single_property: {} } } }, /uuid/],
    [{ ...NAME, Sum: { rollup } }, /No is not a relation of this database/],
  ];
  for (const [properties, message] of cases) {
    const error = await readError(await send("POST", "/v1/databases", { parent: WORKSPACE, properties }));
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toMatch(message);
  }
});

test("a relation to an unknown database is refused", async () => {
  const connected = await connect();
  const other = await connected.connect();
  for (const database_id of [UNKNOWN, other.rootDatabaseId]) {
    const error = await getError(
      connected.client.createDatabase({
        body: { parent: WORKSPACE, properties: { ...NAME, Link: { relation: { database_id } } } },
      }),
    );
    expect(error).toMatchObject({ status: 404, code: "object_not_found" });
    expect(error.message).toContain(`Could not find database with ID: ${database_id}`);
  }
});

test("the parent must be a page of the workspace that is not in the trash", async () => {
  const connected = await connect();
  const { client, rootDatabaseId } = connected;
  const create = (parent: object) => connected.send("POST", "/v1/databases", { parent, properties: NAME });
  const other = await connected.connect();
  for (const page_id of [UNKNOWN, await addPage(other)]) {
    const error = await readError(await create({ page_id }));
    expect(error).toMatchObject({ status: 404, code: "object_not_found" });
    expect(error.message).toContain(`Could not find page with ID: ${page_id}`);
  }
  const wrong = await readError(await create({ page_id: rootDatabaseId }));
  expect(wrong).toMatchObject({ status: 400, code: "validation_error" });
  expect(wrong.message).toContain("is a database, not a page");
  expect(await readError(await create({ database_id: rootDatabaseId }))).toMatchObject({
    status: 400,
    message: "A database can be in a page or in the workspace, but not in another database.",
  });
  const page_id = await addPage(connected);
  await client.updatePage({ path: { page_id }, body: { in_trash: true } });
  const trashed = await readError(await create({ page_id }));
  expect(trashed).toMatchObject({ status: 400, code: "validation_error" });
  expect(trashed.message).toMatch(/^Can't edit block that is archived/);
});

const OPERATIONS = [
  ["GET", "", undefined],
  ["PATCH", "", {}],
  ["POST", "/query", {}],
] as const;

test.each(OPERATIONS)(
  "%s /v1/databases/{id}%s distinguishes unknown ids from ids of other objects",
  async (method, rest, body) => {
    const connected = await connect();
    const at = async (id: string) =>
      readError(await connected.send(method, `/v1/databases/${id}${rest}`, body));
    const other = await connected.connect();
    for (const id of [UNKNOWN, other.rootDatabaseId]) {
      expect(await at(id)).toMatchObject({
        status: 404,
        code: "object_not_found",
        message: `Could not find database with ID: ${id}. Make sure that it belongs to the workspace of the API key.`,
      });
    }
    const page = await addPage(connected);
    const error = await at(page);
    expect(error).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toContain(`${page} is a page, not a database`);
    expect(await at("trips")).toMatchObject({
      status: 400,
      message: 'path failed validation: path.database_id should be a valid uuid, instead was `"trips"`.',
    });
  },
);

test("the list refuses invalid cursors and cursors of other lists", async () => {
  const { client, send, rootDatabaseId } = await connect();
  const cursor = Buffer.from(JSON.stringify(["users", rootDatabaseId])).toString("base64url");
  for (const start_cursor of ["next", cursor]) {
    const error = await getError(client.listDatabases({ query: { start_cursor } }));
    expect(error).toMatchObject({
      status: 400,
      code: "validation_error",
      message: `The start_cursor provided is invalid: ${start_cursor}. Use the next_cursor of the last response of the same list.`,
    });
  }
  expect(await readError(await send("GET", "/v1/databases?page_size=101"))).toMatchObject({
    status: 400,
    message: "query failed validation: query.page_size should be ≤ `100`, instead was `101`.",
  });
});
