import { expect, test } from "vitest";
import type { CreatePageRequest, QueryDatabaseRequest } from "../../src/client/index.js";
import { type Connected, connect, readError, getError, title } from "../support/contract.js";

const WORKSPACE = { type: "workspace", workspace: true } as const;
type Query = NonNullable<QueryDatabaseRequest["body"]>;

interface Trips extends Connected {
  database_id: string;
  /** Runs a query and returns the names of the pages in order. */
  names(query: Query): Promise<string[]>;
}

/** Creates a database with the trips Sea, Hills, Lake and Town. */
async function createTrips(): Promise<Trips> {
  const connected = await connect();
  const { client } = connected;
  const { body: database } = await client.createDatabase({
    body: {
      parent: WORKSPACE,
      properties: {
        Name: { title: {} },
        Price: { number: { format: "euro" } },
        Season: { select: { options: [{ name: "Spring" }, { name: "Autumn" }] } },
        When: { date: {} },
        Done: { checkbox: {} },
      },
    },
  });
  const database_id = database.id;
  const season = (name: string) => ({ select: { name } });
  const rows: CreatePageRequest["body"]["properties"][] = [
    { Name: title("Sea"), Price: 420, Season: season("Spring"), When: { date: { start: "2026-05-20" } } },
    { Name: title("Hills"), Price: 90, Season: season("Autumn"), Done: true },
    { Name: title("Lake"), Season: season("Spring"), When: { date: { start: "2026-04-02" } } },
    { Name: title("Town"), Price: 90 },
  ];
  for (const properties of rows) await client.createPage({ body: { parent: { database_id }, properties } });
  return {
    ...connected,
    database_id,
    async names(query) {
      const { body } = await client.queryDatabase({ path: { database_id }, body: query });
      return body.results.map(({ properties: { Name } }) =>
        Name?.type === "title" ? Name.title.map(({ plain_text }) => plain_text).join("") : "",
      );
    },
  };
}

test("a query without a filter returns all pages in order of creation", async () => {
  const { client, database_id, names } = await createTrips();
  expect(await names({})).toEqual(["Sea", "Hills", "Lake", "Town"]);
  const { status, headers, body } = await client.queryDatabase({ path: { database_id }, body: {} });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    object: "list",
    type: "page_or_database",
    page_or_database: {},
    next_cursor: null,
    has_more: false,
    request_id: headers["X-Request-Id"],
  });
  for (const page of body.results) {
    const { body: retrieved } = await client.retrievePage({ path: { page_id: page.id } });
    expect(page).toEqual(retrieved);
  }
});

test("queries return current values, names and options", async () => {
  const { client, database_id, names } = await createTrips();
  expect(await names({})).toEqual(["Sea", "Hills", "Lake", "Town"]);
  const { body } = await client.queryDatabase({ path: { database_id }, body: {} });
  const [sea] = body.results;
  await client.updatePage({
    path: { page_id: sea?.id ?? "" },
    body: { properties: { Name: title("Ocean"), Season: { select: { name: "Winter" } } } },
  });
  expect(await names({})).toEqual(["Ocean", "Hills", "Lake", "Town"]);
  expect(await names({ filter: { property: "Season", select: { equals: "Winter" } } })).toEqual(["Ocean"]);
  await client.updateDatabase({ path: { database_id }, body: { properties: { Price: { name: "Cost" } } } });
  const { body: after } = await client.queryDatabase({ path: { database_id }, body: {} });
  expect(after.results.map(({ properties }) => properties.Cost)).toMatchObject([
    { number: 420 },
    { number: 90 },
    { number: null },
    { number: 90 },
  ]);
});

test("a query excludes pages in the trash, or returns only them", async () => {
  const { client, database_id, names } = await createTrips();
  const { body } = await client.queryDatabase({ path: { database_id }, body: { page_size: 1 } });
  await client.updatePage({ path: { page_id: body.results[0]?.id ?? "" }, body: { in_trash: true } });
  expect(await names({})).toEqual(["Hills", "Lake", "Town"]);
  expect(await names({ in_trash: false, archived: false })).toEqual(["Hills", "Lake", "Town"]);
  for (const query of [{ in_trash: true }, { archived: true }]) expect(await names(query)).toEqual(["Sea"]);
  expect(await getError(names({ in_trash: true, archived: false }))).toMatchObject({
    status: 400,
    message: "archived and in_trash must be equal when both are given.",
  });
});

test("filter_properties limits the properties of queried and retrieved pages, by name, or by id in any encoding", async () => {
  const { client, database_id, send } = await createTrips();
  const { body: database } = await client.retrieveDatabase({ path: { database_id } });
  const price = database.properties.Price?.id ?? "";
  const query = { filter_properties: ["Name", price] };
  const { body } = await client.queryDatabase({ path: { database_id }, query, body: {} });
  expect(body.results.map(({ properties }) => Object.keys(properties))).toEqual(
    Array.from({ length: 4 }, () => ["Name", "Price"]),
  );
  const page_id = body.results[0]?.id ?? "";
  const { body: page } = await client.retrievePage({ path: { page_id }, query });
  expect(Object.keys(page.properties)).toEqual(["Name", "Price"]);
  // As in the response, which clients without encoding send, and encoded again.
  for (const id of [price, encodeURIComponent(price)]) {
    const response = await send("POST", `/v1/databases/${database_id}/query?filter_properties=${id}`, {});
    const { results } = (await response.json()) as typeof body;
    expect(results.map(({ properties }) => Object.keys(properties))[0]).toEqual(["Price"]);
  }
  for (const [method, path] of [
    ["POST", `/v1/databases/${database_id}/query`],
    ["GET", `/v1/pages/${page_id}`],
  ] as const) {
    const sent = method === "POST" ? {} : undefined;
    expect((await send(method, `${path}?filter_properties=null`, sent)).status).toBe(200);
    for (const [name, other] of [
      ["filter_properties[]", "filter_properties[]"],
      ["filter_properties%5B%5D", "filter_properties%5B%5D"],
      ["filter_properties", "filter_properties[]"],
    ]) {
      const response = await send(method, `${path}?${name}=title&${other}=${price}`, sent);
      // The cast: the response is a list of pages or a page.
      const shown = (await response.json()) as typeof body | typeof page;
      const [{ properties } = page] = "results" in shown ? shown.results : [shown];
      expect([name, Object.keys(properties)]).toEqual([name, ["Name", "Price"]]);
    }
    const error = await readError(await send(method, `${path}?filter_properties=nothing`, sent));
    expect(error).toMatchObject({
      status: 400,
      code: "validation_error",
      message: "Could not find property with name or id: nothing",
    });
  }
});

test("`null` alone in filter_properties shows all properties, unless one has this name", async () => {
  const { client, send, database_id } = await createTrips();
  const path = `/v1/databases/${database_id}/query?filter_properties=null`;
  expect(await readError(await send("POST", `${path}&filter_properties=Name`, {}))).toMatchObject({
    status: 400,
    message: "Could not find property with name or id: null",
  });
  await client.updateDatabase({ path: { database_id }, body: { properties: { Price: { name: "null" } } } });
  const list = await (await send("POST", path, {})).text();
  expect(list).toContain('"properties":{"null":{');
  expect(list).not.toContain('"Name":{');
});

test("refuses invalid queries", async () => {
  const { send, database_id } = await createTrips();
  const number = (condition: unknown) => ({ filter: { property: "Price", number: condition } });
  const leaf = { property: "Price", number: { equals: 1 } };
  const past = { past_week: {} };
  const cases: [query: object, message: string][] = [
    [{ page_size: 101 }, "body failed validation: body.page_size should be ≤ `100`, instead was `101`."],
    [
      { page_size: "ten" },
      'body failed validation: body.page_size should be an integer or null, instead was `"ten"`.',
    ],
    [{ limit: 10 }, "body failed validation: body.limit should be not present, instead was `10`."],
    [
      { filter: { and: [{ or: [{ and: [] }] }] } },
      "body failed validation: body.filter.and[0].or[0].and should be not present, instead was `[]`.",
    ],
    [
      number({ above: 1 }),
      "body failed validation: body.filter.number.above should be not present, instead was `1`.",
    ],
    [
      number({ equals: "1" }),
      'body failed validation: body.filter.number.equals should be a number, instead was `"1"`.',
    ],
    [
      number({ less_than: 2, greater_than: 1 }),
      'body failed validation: body.filter.number should be an object with at most 1 property, instead was `{"less_than":2,"greater_than":1}`.',
    ],
    [
      number({ is_empty: false }),
      "body failed validation: body.filter.number.is_empty should be `true`, instead was `false`.",
    ],
    [
      number({}),
      "body failed validation: body.filter.number should be an object with at least 1 property, instead was `{}`.",
    ],
    [
      { filter: { property: "When", date: { before: "tomorrow" } } },
      'body failed validation: body.filter.date.before should be a valid ISO 8601 date string, instead was `"tomorrow"`.',
    ],
    [
      { filter: { property: "Who", people: { contains: "ada" } } },
      'body failed validation: body.filter.people.contains should be a valid uuid, instead was `"ada"`.',
    ],
    [
      { filter: { and: [{ or: [] }, { ...leaf, checkbox: { equals: true } }] } },
      'body failed validation: body.filter.and[1].checkbox should be not present, instead was `{"equals":true}`.',
    ],
    [
      { filter: [leaf] },
      'body failed validation: body.filter should be an object, instead was `[{"property":"Price","number":{"equals":1}}]`.',
    ],
    [
      { filter: {} },
      "body failed validation: body.filter.property should be defined, instead was `undefined`.",
    ],
    [
      { filter: { timestamp: "created_time", property: "Price", created_time: past } },
      'body failed validation: body.filter.property should be not present, instead was `"Price"`.',
    ],
    [
      { filter: { timestamp: "created_time", last_edited_time: past } },
      'body failed validation: body.filter.last_edited_time should be not present, instead was `{"past_week":{}}`.',
    ],
    [
      { filter: { or: Array.from({ length: 101 }, () => leaf) } },
      "body failed validation: body.filter.or.length should be ≤ `100`, instead was `101`.",
    ],
    [
      { filter: { and: [leaf], or: [leaf] } },
      'body failed validation: body.filter.or should be not present, instead was `[{"property":"Price","number":{"equals":1}}]`.',
    ],
    [
      { sorts: [{ property: "Price" }] },
      "body failed validation: body.sorts[0].direction should be defined, instead was `undefined`.",
    ],
    [
      { sorts: [{ direction: "ascending" }] },
      "body failed validation: body.sorts[0].property should be defined, instead was `undefined`.",
    ],
    [
      { sorts: [{ property: "Price", timestamp: "created_time", direction: "ascending" }] },
      'body failed validation: body.sorts[0].property should be not present, instead was `"Price"`.',
    ],
    [{ sorts: [{ property: "Price", direction: "up" }] }, "direction"],
    [{ sorts: [{ timestamp: "edited", direction: "ascending" }] }, "timestamp"],
    [{ sorts: { property: "Price", direction: "ascending" } }, "body.sorts should be an array"],
    [
      { filter: { property: "Colour", number: { equals: 1 } } },
      "Could not find property with name or id: Colour",
    ],
    [
      { sorts: [{ property: "Colour", direction: "ascending" }] },
      "Could not find sort property with name or id: Colour",
    ],
    [
      { start_cursor: "next" },
      "The start_cursor provided is invalid: next. Use the next_cursor of the last response of the same list.",
    ],
  ];
  for (const [query, message] of cases) {
    const error = await readError(await send("POST", `/v1/databases/${database_id}/query`, query));
    expect(error, message).toMatchObject({ status: 400, code: "validation_error" });
    expect(error.message).toContain(message);
  }
  const filter = { property: "Price", checkbox: { equals: true } };
  const error = await readError(await send("POST", `/v1/databases/${database_id}/query`, { filter }));
  expect(error).toMatchObject({ status: 400, code: "validation_error" });
  expect(error.message).toMatch(/number.*does not match.*checkbox/);
});

test("cursors of pages in the trash and of other pages are not interchangeable", async () => {
  const { client, database_id, names } = await createTrips();
  const { body } = await client.queryDatabase({ path: { database_id }, body: {} });
  for (const { id } of body.results.slice(2)) {
    await client.updatePage({ path: { page_id: id }, body: { in_trash: true } });
  }
  for (const in_trash of [true, false]) {
    const { body: first } = await client.queryDatabase({
      path: { database_id },
      body: { page_size: 1, in_trash },
    });
    const start_cursor = first.next_cursor;
    expect(start_cursor).not.toBeNull();
    expect(await names({ start_cursor, in_trash })).toHaveLength(1);
    expect(await getError(names({ start_cursor, in_trash: !in_trash }))).toMatchObject({
      status: 400,
      message: `The start_cursor provided is invalid: ${start_cursor}. Use the next_cursor of the last response of the same list.`,
    });
  }
});

test("a prefix that ends with the last character before the surrogates finds only texts with it", async () => {
  const { client, database_id, names } = await createTrips();
  for (const name of ["\ud7ff!", "\ue000"])
    await client.createPage({ body: { parent: { database_id }, properties: { Name: title(name) } } });
  const filter = { property: "Name", title: { starts_with: "\ud7ff" } };
  expect(await names({ filter })).toEqual(["\ud7ff!"]);
});

test("finds parts of texts after they are created, changed and converted, and not the replaced texts", async () => {
  const { client, database_id, names } = await createTrips();
  const find = (property: string, type: string, contains: string) =>
    // The cast: the type of the property is a parameter.
    names({ filter: { property, [type]: { contains } } } as Query);
  expect(await find("Name", "title", "ill")).toEqual(["Hills"]);
  const { body } = await client.queryDatabase({ path: { database_id }, body: {} });
  const [sea] = body.results.map(({ id }) => id);
  await client.updatePage({ path: { page_id: sea ?? "" }, body: { properties: { Name: title("Ocean") } } });
  expect(await find("Name", "title", "cea")).toEqual(["Ocean"]);
  expect(await find("Name", "title", "sea")).toEqual([]);

  const properties = { Season: { rich_text: {} }, Price: { rich_text: {} } };
  await client.updateDatabase({ path: { database_id }, body: { properties } });
  expect(await find("Season", "rich_text", "utum")).toEqual(["Hills"]);
  expect(await find("Price", "rich_text", "420")).toEqual(["Ocean"]);
  expect(await find("Name", "title", "cea")).toEqual(["Ocean"]);
});
