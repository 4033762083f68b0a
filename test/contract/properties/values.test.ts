import { expect, test } from "vitest";
import { createPerson } from "../../../src/access/workspaces/people.js";
import { getError, readError } from "../../support/contract.js";
import { WRITABLE_PROPERTIES } from "../../support/properties.js";
import { type TestDatabase, withDatabase } from "./fixture.js";

const run = (content: string) => ({ text: { content } });
const shown = (content: string) => expect.objectContaining({ type: "text", plain_text: content });
const ANY_ID = expect.stringMatching(/^.+$/);

/** Creates a database with a property of each writable type. */
async function withEverything(): Promise<TestDatabase> {
  const database = await withDatabase(WRITABLE_PROPERTIES);
  await database.changeProperties({
    Related: { relation: { database_id: database.databaseId, single_property: {} } },
  });
  return database;
}

test("values of all 14 types are returned as written, wrapped and bare, and null clears them", async () => {
  const database = await withEverything();
  const { client, addPage, setValues, readValues } = database;
  const { body: bot } = await client.retrieveBotUser({});
  const other = await addPage({ Title: { title: [run("Other")] } });
  const external = { name: "sea.jpg", external: { url: "https://example.org/sea.jpg" } };
  const span = { start: "2026-05-04", end: "2026-05-06" };
  const expected = {
    Title: [shown("All")],
    Text: [shown("a"), shown("b")],
    Number: -1.5,
    Select: { id: ANY_ID, name: "One", color: "red" },
    Multi: [
      { id: ANY_ID, name: "b", color: ANY_ID },
      { id: ANY_ID, name: "new", color: ANY_ID },
    ],
    Status: { id: ANY_ID, name: "In progress", color: "blue" },
    Date: { ...span, time_zone: null },
    People: [bot],
    Files: [{ ...external, type: "external" }],
    Done: true,
    Link: "https://example.org",
    Mail: "ada@example.org",
    Phone: "+49 30 1234",
    Related: [{ id: other }],
  };
  const page = await addPage({
    Title: { title: [run("All")] },
    Text: { type: "rich_text", rich_text: [run("a"), run("b")] },
    Number: { number: -1.5 },
    Select: { select: { name: "One" } },
    Multi: { multi_select: [{ name: "b" }, { name: "new" }] },
    Status: { status: { name: "In progress" } },
    Date: { date: span },
    People: { people: [{ id: bot.id }] },
    Files: { files: [external] },
    Done: { checkbox: true },
    Link: { url: "https://example.org" },
    Mail: { email: "ada@example.org" },
    Phone: { phone_number: "+49 30 1234" },
    Related: { relation: [{ id: other }] },
  });
  expect(await readValues(page)).toEqual(expected);

  const bare = await addPage({
    Title: [run("All")],
    Text: [run("a"), run("b")],
    Number: -1.5,
    Select: { name: "One" },
    Multi: [{ name: "b" }, { name: "new" }],
    Status: { name: "In progress" },
    Date: span,
    People: [{ id: bot.id }],
    Files: [external],
    Done: true,
    Link: "https://example.org",
    Mail: "ada@example.org",
    Phone: "+49 30 1234",
    Related: [{ id: other }],
  });
  expect(await readValues(bare)).toEqual(expected);

  // The properties of a response can be sent back unchanged.
  const { body: whole } = await client.retrievePage({ path: { page_id: page } });
  const echo = await database.send("PATCH", `/v1/pages/${page}`, { properties: whole.properties });
  expect(echo.status).toBe(200);
  expect(await readValues(page)).toEqual(expected);

  const names = Object.keys(expected);
  await setValues(page, Object.fromEntries(names.map((name) => [name, null])));
  const empty = {
    ...Object.fromEntries(names.map((name) => [name, null])),
    Title: [],
    Text: [],
    Multi: [],
    People: [],
    Files: [],
    Related: [],
    Done: false,
  };
  expect(await readValues(page)).toEqual(empty);
  expect(await readValues(await addPage({}))).toEqual(empty);
});

test("options are accepted by id and name; new ones get a color", async () => {
  const { addPage, setValues, readValues, readProperties } = await withEverything();
  const page = await addPage({ Select: { select: { name: "New", color: "pink" } } });
  const { Select, Multi } = await readProperties();
  expect(Select).toMatchObject({
    select: { options: [{ name: "One" }, { name: "Two" }, { name: "New", color: "pink" }] },
  });
  const { options } = (Select as { select: { options: { id: string }[] } }).select;
  await setValues(page, { Select: { select: { id: options[1]?.id ?? "" } } });
  expect(await readValues(page)).toMatchObject({ Select: { name: "Two" } });
  // An option of another database, whose id is unknown in this database, but whose name is known.
  await setValues(page, { Select: { select: { id: "of another", name: "One", color: "green" } } });
  expect(await readValues(page)).toMatchObject({ Select: { name: "One", color: "red" } });
  expect(Multi).toMatchObject({ multi_select: { options: [{ name: "a" }, { name: "b" }] } });
  await setValues(page, {
    Multi: { multi_select: [{ name: "c" }, { name: "a" }] },
    Status: { name: "Done" },
  });
  const values = await readValues(page);
  expect(values.Multi).toMatchObject([{ name: "c" }, { name: "a" }]);
  // The cast: the value of a status.
  const { id } = values.Status as { id: string };
  await setValues(page, { Multi: [{ name: "a" }], Status: null });
  await setValues(page, { Status: { status: { id } } });
  expect(await readValues(page)).toMatchObject({ Multi: [{ name: "a" }], Status: { name: "Done" } });
});

test("a value is an edit of the database only if it has a new option", async () => {
  const { client, connect, databaseId, addPage } = await withEverything();
  const { client: editor } = await connect({ workspaceName: "Test" });
  const { body: bot } = await editor.retrieveBotUser({});
  const path = { page_id: await addPage({}) };
  const isEdited = async (name: string): Promise<boolean> => {
    await editor.updatePage({ path, body: { properties: { Select: { select: { name } } } } });
    const { body } = await client.retrieveDatabase({ path: { database_id: databaseId } });
    return body.last_edited_by.id === bot.id;
  };
  expect([await isEdited("One"), await isEdited("New")]).toEqual([false, true]);
});

test("files are returned as they were sent, with any host", async () => {
  const { addPage, readValues } = await withEverything();
  const url = "https://example.com/b.pdf";
  const Files = [
    { name: "b.pdf", type: "file" as const, file: { url, expiry_time: "2026-12-01T00:00:00.000Z" } },
    { name: "c.pdf", type: "file" as const, file: { url } },
  ];
  expect(await readValues(await addPage({ Files: { files: Files } }))).toMatchObject({ Files });
});

test("reports every invalid property and stores nothing", async () => {
  const { client, addPage, readValues, databaseId, readProperties } = await withEverything();
  const page = await addPage({ Number: 1 });
  const cases: [Record<string, unknown>, string][] = [
    [{ Nope: 1, Number: "x" }, "Nope is not a property that exists. Number is expected to be number."],
    [{ Select: { select: { name: "a,b" } } }, "Invalid select option, commas not allowed: a,b"],
    [{ Select: { select: { id: "nope" } } }, 'Select: there is no option with the id "nope".'],
    [
      { Status: { status: { name: "Later" } } },
      "Status: there is no option named Later. The options are: Not started, In progress, Done.",
    ],
    [
      { Date: { date: { start: "2026-02-30" } } },
      'body failed validation: body.properties.Date.date.start should be a valid ISO 8601 date string, instead was `"2026-02-30"`.',
    ],
    [
      { Date: { date: { start: "2026-05-04", end: "2026-05-03" } } },
      "Date: the end of the date must not be before its start.",
    ],
    [
      { Date: { date: { start: "2026-05-04T10:00:00", time_zone: "Moon/Base" } } },
      'body failed validation: body.properties.Date.date.time_zone should be the name of a time zone of the IANA database, instead was `"Moon/Base"`.',
    ],
    [
      { Text: { rich_text: [run("a"), { mention: { date: { start: "2026-02-03", time_zone: "Mars" } } }] } },
      'body failed validation: body.properties.Text.rich_text[1].mention.date.time_zone should be the name of a time zone of the IANA database, instead was `"Mars"`.',
    ],
    [{ Done: "yes" }, "Done is expected to be checkbox."],
    ...["a@b.c\n", "a@b.c\r\nBcc: d@e.f", "a\u2028@b.c"].map((Mail): [Record<string, unknown>, string] => [
      { Mail },
      `body failed validation: body.properties.Mail.email should be an e-mail address without line breaks, instead was \`${JSON.stringify(Mail)}\`.`,
    ]),
    [{ People: { relation: [] } }, "People is expected to be people."],
  ];
  for (const [properties, message] of cases) {
    // The cast: the client's types do not allow all of these.
    const body = { properties: properties as Record<string, null> };
    const error = await getError(client.updatePage({ path: { page_id: page }, body }));
    expect(error).toMatchObject({ status: 400, code: "validation_error", message });
  }
  expect(await readValues(page)).toMatchObject({ Number: 1, Select: null, Status: null, Date: null });
  expect(await readProperties()).toMatchObject({ Select: { select: { options: { length: 2 } } } });
  const unknown = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915";
  const missing: Record<string, object>[] = [
    { People: { people: [{ id: unknown }] } },
    { Related: { relation: [{ id: unknown }] } },
    { Text: { rich_text: [{ mention: { page: { id: unknown } } }] } },
  ];
  for (const properties of missing) {
    const error = await getError(client.updatePage({ path: { page_id: page }, body: { properties } }));
    expect(error).toMatchObject({ status: 404, code: "object_not_found" });
  }
  const elsewhere = await client.createPage({ body: { parent: { page_id: page }, properties: {} } });
  const wrong = { Related: { relation: [{ id: elsewhere.body.id }] } };
  expect(
    await getError(client.updatePage({ path: { page_id: page }, body: { properties: wrong } })),
  ).toMatchObject({ status: 400, message: expect.stringContaining(databaseId) });
});

test("refuses values of another type, and values over their limits", async () => {
  const { send, addPage, readValues } = await withEverything();
  const page = await addPage({});
  const before = await readValues(page);
  const many = (count: number, item: (index: number) => unknown) =>
    Array.from({ length: count }, (_, index) => item(index));
  const address = `https://example.org/${"x".repeat(2000)}`;
  const cases: [name: string, value: object, limit?: number][] = [
    ["Title", { number: 1 }],
    ["Text", { rich_text: "text" }],
    ["Number", { number: "1" }],
    ["Select", { select: "One" }],
    ["Select", { select: [] }],
    ["Multi", { multi_select: { name: "a" } }],
    ["Multi", { multi_select: [{ name: "x,y" }] }],
    ["Date", { date: "2024-01-01" }],
    ["Date", { date: { start: "soon" } }],
    ["Date", { date: { end: "2024-01-01" } }],
    ["People", { people: [{ id: "ada" }] }],
    ["Files", { files: [{ external: { url: "https://example.com" } }] }],
    ["Done", { checkbox: "yes" }],
    ["Link", { url: 5 }],
    ["Mail", { email: {} }],
    ["Phone", { phone_number: 5550100 }],
    ["Text", { rich_text: [{ text: { content: "x".repeat(2001) } }] }, 2000],
    ["Text", { rich_text: many(101, () => run("a")) }, 100],
    ["Text", { rich_text: [{ equation: { expression: "x".repeat(1001) } }] }, 1000],
    ["Text", { rich_text: [{ text: { content: "a", link: { url: address } } }] }, 2000],
    ["Link", { url: address }, 2000],
    ["Mail", { email: `${"x".repeat(200)}@e.x` }, 200],
    ["Phone", { phone_number: "1".repeat(201) }, 200],
    ["Multi", { multi_select: many(101, (index) => ({ name: `t${index}` })) }, 100],
    ["People", { people: many(101, () => ({ id: crypto.randomUUID() })) }, 100],
  ];
  for (const [name, value, limit] of cases) {
    // Wrapped and bare. The schemas of the document check only wrapped values.
    for (const sent of [value, ...Object.values(value)]) {
      const response = await send("PATCH", `/v1/pages/${page}`, { properties: { [name]: sent } });
      const error = await readError(response);
      expect(error, name).toMatchObject({ status: 400, code: "validation_error" });
      if (limit !== undefined && sent === value) expect(error.message).toContain(`≤ \`${limit}\``);
    }
  }
  expect(await readValues(page)).toEqual(before);
});

test("the message for thousands of unknown properties names the first ones and the number of others", async () => {
  const { client, addPage } = await withEverything();
  const page_id = await addPage({});
  const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`No ${index}`, 1]));
  const { status, message } = await getError(
    client.updatePage({ path: { page_id }, body: { properties: unknown } }),
  );
  expect([status, message.length < 1000]).toEqual([400, true]);
  expect(message).toMatch(/^No 0 is not a property that exists\. .* And 19980 more\.$/);
  const long = client.updatePage({ path: { page_id }, body: { properties: { ["x".repeat(400_000)]: 1 } } });
  expect((await getError(long)).message.length).toBeLessThan(1000);
});

test("dates are stored as sent; a time without an offset is in UTC", async () => {
  const { addPage, readValues } = await withEverything();
  const dates = [
    ["2026-05-04", "2026-05-04"],
    ["2026-05-04T10:00:00.000+02:00", "2026-05-04T10:00:00.000+02:00"],
    ["2026-05-04T10:00:00Z", "2026-05-04T10:00:00Z"],
    ["2026-05-04T10:00:00", "2026-05-04T10:00:00.000+00:00"],
  ];
  for (const [start = "", kept] of dates) {
    const page = await addPage({ Date: { date: { start } } });
    expect(await readValues(page)).toMatchObject({ Date: { start: kept, end: null, time_zone: null } });
  }
  const zoned = { start: "2026-05-04T10:00:00", end: null, time_zone: "Europe/Berlin" };
  expect(await readValues(await addPage({ Date: { date: zoned } }))).toMatchObject({ Date: zoned });
});

test("people are users of the workspace, shown in full", async () => {
  const database = await withEverything();
  const person = { workspaceName: "Test", name: "Ada", email: "ada@example.org" };
  const { id } = await createPerson(database.service.store, person);
  const { body: user } = await database.client.retrieveUser({ path: { user_id: id } });
  for (const value of [{ object: "user", id } as const, { id: id.replaceAll("-", "") }, user]) {
    const page = await database.addPage({ People: { people: [value] } });
    expect(await database.readValues(page)).toMatchObject({
      People: [{ object: "user", id, type: "person", name: "Ada", person: { email: "ada@example.org" } }],
    });
  }
});

test("computed properties are returned and cannot be written", async () => {
  const database = await withDatabase({
    Name: { title: {} },
    Made: { created_time: {} },
    Maker: { created_by: {} },
    Edited: { last_edited_time: {} },
    Editor: { last_edited_by: {} },
    Number: { unique_id: { prefix: "TASK" } },
  });
  const { client, addPage, readValues } = database;
  const { body: bot } = await client.retrieveBotUser({});
  const first = await addPage({});
  const second = await addPage({});
  const { body: page } = await client.retrievePage({ path: { page_id: second } });
  expect(await readValues(second)).toEqual({
    Name: [],
    Made: page.created_time,
    Maker: bot,
    Edited: page.last_edited_time,
    Editor: bot,
    Number: { prefix: "TASK", number: 2 },
  });
  expect(await readValues(first)).toMatchObject({ Number: { number: 1 } });
  const names = ["Made", "Maker", "Edited", "Editor", "Number"];
  const properties = Object.fromEntries(names.map((name) => [name, null]));
  const refused = await readError(await database.send("PATCH", `/v1/pages/${first}`, { properties }));
  expect(refused).toMatchObject({
    status: 400,
    message: names.map((name) => `${name} is computed by the service and cannot be written.`).join(" "),
  });
});
