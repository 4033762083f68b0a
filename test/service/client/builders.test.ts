import { describe, expect, test } from "vitest";
import { filter, paginate, PageServiceError, property, sort } from "../../../src/client/index.js";
import { connect, type Connected } from "../../support/contract.js";

const SCHEMA = {
  Name: { title: {} },
  Text: { rich_text: {} },
  Number: { number: {} },
  Choice: { select: {} },
  Tags: { multi_select: {} },
  State: { status: {} },
  When: { date: {} },
  Who: { people: {} },
  Files: { files: {} },
  Done: { checkbox: {} },
  Link: { url: {} },
  Mail: { email: {} },
  Phone: { phone_number: {} },
  Author: { created_by: {} },
  Editor: { last_edited_by: {} },
};

async function addDatabase({ client }: Connected): Promise<string> {
  const { body } = await client.createDatabase({
    body: { parent: { type: "workspace", workspace: true }, properties: SCHEMA },
  });
  return body.id;
}

/** Creates two pages: "one" with a value of every type, and "two" with only a title. */
async function fill(connected: Connected): Promise<{ database_id: string; me: string; page_id: string }> {
  const { client } = connected;
  const database_id = await addDatabase(connected);
  const me = (await client.retrieveBotUser({})).body.id;
  const { body } = await client.createPage({
    body: {
      parent: { database_id },
      properties: {
        Name: property.title("one"),
        Text: property.text("words"),
        Number: property.number(1.5),
        Choice: property.select("x"),
        Tags: property.multiSelect("p", "q"),
        State: property.status("Done"),
        When: property.date("2024-05-04", "2024-05-06"),
        Who: property.people(me),
        Files: property.files({ name: "f", url: "https://example.com/f" }),
        Done: property.checkbox(true),
        Link: property.url("https://example.com/"),
        Mail: property.email("a@example.com"),
        Phone: property.phoneNumber("1"),
      },
    },
  });
  await client.createPage({ body: { parent: { database_id }, properties: { Name: property.title("two") } } });
  return { database_id, me, page_id: body.id };
}

test("built values are read back unchanged, and null clears them", async () => {
  const connected = await connect();
  const { page_id, me } = await fill(connected);
  const { client } = connected;
  const read = await client.retrievePage({ path: { page_id } });
  expect(read.body.properties).toMatchObject({
    Name: { title: [{ plain_text: "one" }] },
    Text: { rich_text: [{ plain_text: "words" }] },
    Number: { number: 1.5 },
    Choice: { select: { name: "x" } },
    Tags: { multi_select: [{ name: "p" }, { name: "q" }] },
    State: { status: { name: "Done" } },
    When: { date: { start: "2024-05-04", end: "2024-05-06" } },
    Who: { people: [{ id: me }] },
    Files: { files: [{ name: "f", external: { url: "https://example.com/f" } }] },
    Done: { checkbox: true },
    Link: { url: "https://example.com/" },
    Mail: { email: "a@example.com" },
    Phone: { phone_number: "1" },
  });
  const { body } = await client.updatePage({
    path: { page_id },
    body: {
      properties: {
        Number: property.number(null),
        Choice: property.select(null),
        State: property.status(null),
        When: property.date(null),
        Link: property.url(null),
        Tags: property.multiSelect(),
      },
    },
  });
  expect(body.properties).toMatchObject({
    Number: { number: null },
    Choice: { select: null },
    State: { status: null },
    When: { date: null },
    Link: { url: null },
    Tags: { multi_select: [] },
  });
});

test("a relation links pages by ID", () => {
  expect(property.relation("a", "b")).toEqual({ relation: [{ id: "a" }, { id: "b" }] });
});

test("long text is split into runs without splitting surrogate pairs", async () => {
  const connected = await connect();
  const { client } = connected;
  const database_id = await addDatabase(connected);
  const texts: [string, number][] = [
    ["", 0],
    ["x".repeat(2000), 1],
    ["x".repeat(2001), 2],
    ["😀".repeat(1000), 1],
    ["😀".repeat(2000), 1],
    [`x${"😀".repeat(3000)}`, 2],
  ];
  for (const [content, pieces] of texts) {
    expect(property.richText(content)).toHaveLength(pieces);
    const { body } = await client.createPage({
      body: { parent: { database_id }, properties: { Text: property.text(content) } },
    });
    const value = body.properties.Text;
    expect(value?.type === "rich_text" && value.rich_text.map((item) => item.plain_text).join("")).toBe(
      content,
    );
  }
});

describe("filters", () => {
  test("select the expected pages", async () => {
    const connected = await connect();
    const { client } = connected;
    const { database_id, me } = await fill(connected);
    const names = async (built: object): Promise<string> => {
      const { body } = await client.queryDatabase({ path: { database_id }, body: { filter: built } });
      return body.results
        .map(({ properties: { Name } }) => (Name?.type === "title" ? Name.title[0]?.plain_text : "?"))
        .join(" ");
    };
    const one: object[] = [
      filter.text("Name").contains("on"),
      filter.text("Text").is_not_empty(),
      filter.text("Link").starts_with("https"),
      filter.text("Mail").ends_with(".com"),
      filter.text("Phone").equals("1"),
      filter.number("Number").greater_than(1),
      filter.checkbox("Done").equals(true),
      filter.select("Choice").equals("x"),
      filter.status("State").equals("Done"),
      filter.multiSelect("Tags").contains("q"),
      filter.date("When").on_or_before("2024-05-04"),
      filter.people("Who").contains(me),
      filter.and(filter.createdBy("Author").contains(me), filter.people("Who").is_not_empty()),
      filter.and(filter.lastEditedBy("Editor").contains(me), filter.people("Who").is_not_empty()),
      filter.files("Files").is_not_empty(),
      filter.and(filter.createdTime.past_week(), filter.text("Name").does_not_equal("two")),
      filter.and(
        filter.or(filter.text("Name").equals("one"), filter.text("Name").equals("three")),
        filter.lastEditedTime.on_or_after("2024-01-01"),
      ),
    ];
    for (const built of one) expect(await names(built), JSON.stringify(built)).toBe("one");
    const two: object[] = [
      filter.text("Text").is_empty(),
      filter.number("Number").is_empty(),
      filter.select("Choice").is_empty(),
      filter.date("When").is_empty(),
      filter.people("Who").is_empty(),
      filter.checkbox("Done").does_not_equal(true),
    ];
    for (const built of two) expect(await names(built), JSON.stringify(built)).toBe("two");
    expect(await names(filter.createdTime.before("2020-01-01"))).toBe("");
  });

  test("are plain data", () => {
    expect(filter.and(filter.number("A").less_than(1), filter.date("B").past_month())).toEqual({
      and: [
        { property: "A", number: { less_than: 1 } },
        { property: "B", date: { past_month: {} } },
      ],
    });
    expect(filter.rollup("C").any({ rich_text: { contains: "x" } })).toEqual({
      property: "C",
      rollup: { any: { rich_text: { contains: "x" } } },
    });
    expect(filter.uniqueId("D").equals(1)).toEqual({ property: "D", unique_id: { equals: 1 } });
    expect(filter.relation("E").is_empty()).toEqual({ property: "E", relation: { is_empty: true } });
    expect(sort.descending({ timestamp: "created_time" })).toEqual({
      timestamp: "created_time",
      direction: "descending",
    });
  });
});

describe("paginate", () => {
  async function createRows() {
    const connected = await connect();
    const database_id = await addDatabase(connected);
    for (let index = 0; index < 7; index += 1) {
      const properties = { Name: property.title(`${index}`), Number: property.number(index % 3) };
      await connected.client.createPage({ body: { parent: { database_id }, properties } });
    }
    return { ...connected, database_id };
  }

  test("returns every row of a query in the order of its sorts", async () => {
    const { client, database_id } = await createRows();
    const names: string[] = [];
    const body = {
      filter: filter.number("Number").less_than(2),
      sorts: [sort.descending("Number"), sort.ascending("Name")],
      page_size: 2,
    };
    for await (const { properties } of paginate(client.queryDatabase, { path: { database_id }, body })) {
      names.push(properties.Name?.type === "title" ? (properties.Name.title[0]?.plain_text ?? "") : "");
    }
    expect(names).toEqual(["1", "4", "0", "3", "6"]);
  });

  test("returns the results of every other list", async () => {
    const { client, database_id } = await createRows();
    const { body: page } = await client.createPage({
      body: { parent: { type: "workspace", workspace: true }, properties: { title: property.title("Top") } },
    });
    const block_id = page.id;
    const children = Array.from({ length: 5 }, () => ({ divider: {} }));
    await client.appendBlockChildren({ path: { block_id }, body: { children } });
    for (let index = 0; index < 5; index += 1) {
      const rich_text = property.richText(`${index}`);
      await client.createComment({ body: { parent: { page_id: block_id }, rich_text } });
    }
    const query = { page_size: 2 };
    const count = async (all: AsyncIterable<unknown>): Promise<number> => {
      let seen = 0;
      for await (const _ of all) seen += 1;
      return seen;
    };
    expect(await count(paginate(client.listBlockChildren, { path: { block_id }, query }))).toBe(5);
    expect(await count(paginate(client.listComments, { query: { ...query, block_id } }))).toBe(5);
    expect(await count(paginate(client.listUsers, { query: { page_size: 1 } }))).toBe(1);
    expect(await count(paginate(client.listDatabases, { query: { page_size: 1 } }))).toBe(2);
    expect(await count(paginate(client.search, { body: { page_size: 2 } }))).toBe(10);
    const pages = await client.queryDatabase({ path: { database_id }, body: {} });
    const page_id = pages.body.results[0]?.id ?? "";
    const single = { path: { page_id, property_id: "title" } };
    expect(await count(paginate(client.retrievePageProperty, single))).toBe(1);
    const number = pages.body.results[0]?.properties.Number?.id ?? "";
    const one = { path: { page_id, property_id: decodeURIComponent(number) } };
    for await (const item of paginate(client.retrievePageProperty, one)) {
      expect(item).toMatchObject({ type: "number", number: 0 });
    }
  });

  test("requests pages lazily, starts at start_cursor, and stops at an error or signal", async () => {
    const { client, database_id } = await createRows();
    let asked = 0;
    const query: typeof client.queryDatabase = (request, options) => {
      asked += 1;
      return client.queryDatabase(request, options);
    };
    const path = { database_id };
    for await (const _ of paginate(query, { path, body: { page_size: 2 } })) break;
    expect(asked).toBe(1);
    const first = await client.queryDatabase({ path, body: { page_size: 5 } });
    const rest: unknown[] = [];
    const body = { start_cursor: first.body.next_cursor };
    for await (const row of paginate(client.queryDatabase, { path, body })) rest.push(row);
    expect(rest).toHaveLength(2);
    await expect(
      paginate(client.queryDatabase, { path, body: { page_size: 0.5 } }).next(),
    ).rejects.toBeInstanceOf(PageServiceError);
    const controller = new AbortController();
    const rows = paginate(
      client.queryDatabase,
      { path, body: { page_size: 1 } },
      { signal: controller.signal },
    );
    await rows.next();
    controller.abort();
    await expect(rows.next()).rejects.toMatchObject({ name: "AbortError" });
  });

  test("throws instead of looping when an untyped caller omits the body", async () => {
    const again = async () => ({ body: { results: ["the first part"], next_cursor: "next" } });
    // The cast: an untyped program can omit the required body.
    const calls = paginate as (call: unknown, request: unknown) => AsyncGenerator<unknown>;
    const rows = calls(again, {});
    await rows.next();
    await expect(rows.next()).rejects.toThrow("no body");
  });
});
