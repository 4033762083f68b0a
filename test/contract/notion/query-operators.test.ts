import type { QueryDatabaseParameters } from "@notionhq/client/build/src/api-endpoints.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { PROPERTIES, addDatabase, addRow, getName, type Notion, openNotion } from "./setup.js";
import { text } from "../../support/contract.js";

let notion: Notion;
let database_id: string;
const people: Record<string, string> = {};
const pages: Record<string, string> = {};

// Four rows; "d" has only a name.
beforeAll(async () => {
  notion = await openNotion();
  for (const name of ["Ada", "Bob"]) people[name] = await notion.addPerson(name);
  const target = await addDatabase(notion);
  for (const name of ["x", "y"]) pages[name] = (await addRow(notion, target.id, name)).id;
  const database = await addDatabase(notion, {
    ...PROPERTIES,
    Choice: { select: { options: [{ name: "One" }, { name: "Two" }] } },
    Tags: { multi_select: { options: [{ name: "red" }, { name: "green" }, { name: "blue" }] } },
    Ticket: { unique_id: { prefix: "T" } },
    To: { relation: { database_id: target.id, single_property: {} } },
    Names: {
      rollup: { relation_property_name: "To", rollup_property_name: "Name", function: "show_original" },
    },
    Count: {
      rollup: { relation_property_name: "To", rollup_property_name: "Name", function: "count_values" },
    },
  } as never);
  database_id = database.id;
  await notion.call("patch", `databases/${database_id}`, { properties: { State: { status: {} } } });
  const rows = {
    a: {
      Text: { rich_text: text("Hello World") },
      Number: { number: 1 },
      Choice: { select: { name: "One" } },
      Tags: { multi_select: [{ name: "red" }, { name: "green" }] },
      When: { date: { start: "2024-01-10" } },
      Who: { people: [{ id: people.Ada ?? "" }] },
      Files: { files: [{ name: "f", external: { url: "https://example.com/f" } }] },
      Done: { checkbox: true },
      Link: { url: "https://example.com/one" },
      Mail: { email: "ada@example.com" },
      Phone: { phone_number: "+1 555 0100" },
      To: { relation: [{ id: pages.x ?? "" }] },
      State: { status: { name: "Done" } },
    },
    b: {
      Text: { rich_text: [...text("hello "), ...text("there 100%_")] },
      Number: { number: 2.5 },
      Choice: { select: { name: "Two" } },
      Tags: { multi_select: [{ name: "green" }] },
      When: { date: { start: "2024-01-10T12:00:00Z", end: "2024-02-01T00:00:00Z" } },
      Who: { people: [{ id: people.Ada ?? "" }, { id: people.Bob ?? "" }] },
      Done: { checkbox: false },
      Link: { url: "http://other.example.org/two" },
      Mail: { email: "bob@other.example.org" },
      Phone: { phone_number: "+44 20 7946" },
      To: { relation: [{ id: pages.x ?? "" }, { id: pages.y ?? "" }] },
      State: { status: { name: "In progress" } },
    },
    c: {
      Text: { rich_text: text("Ärger ßtraße") },
      Number: { number: -3 },
      Choice: { select: { name: "One" } },
      Tags: { multi_select: [{ name: "blue" }] },
      When: { date: { start: "2024-03-01" } },
      Who: { people: [{ id: people.Bob ?? "" }] },
      Done: { checkbox: true },
      State: { status: { name: "Done" } },
    },
    d: {},
  };
  for (const [name, properties] of Object.entries(rows))
    await addRow(notion, database_id, name, properties as never);
});
afterAll(() => notion.service.close());

/** Queries with a filter, and returns the names of the rows in order of creation. */
async function findNames(filter: unknown): Promise<string> {
  // The cast: the tables below are not typed like the client's filters.
  const { results } = await notion.client.databases.query({ database_id, filter } as QueryDatabaseParameters);
  return results.map(getName).join("");
}

type Case = [property: string, type: string, condition: object, names: string];

describe("the operators of texts", () => {
  test.each<Case>([
    ["Text", "rich_text", { equals: "Hello World" }, "a"],
    ["Text", "rich_text", { equals: "hello world" }, "a"],
    ["Text", "rich_text", { equals: "Hello" }, ""],
    ["Text", "rich_text", { equals: "hello there 100%_" }, "b"],
    ["Text", "rich_text", { does_not_equal: "Hello World" }, "bcd"],
    ["Text", "rich_text", { contains: "hello" }, "ab"],
    ["Text", "rich_text", { contains: "lo th" }, "b"],
    ["Text", "rich_text", { contains: "%" }, "b"],
    ["Text", "rich_text", { contains: "_" }, "b"],
    ["Text", "rich_text", { contains: "%o%" }, ""],
    ["Text", "rich_text", { contains: "ärger" }, "c"],
    ["Text", "rich_text", { contains: "A\u0308RGER" }, "c"],
    ["Text", "rich_text", { contains: "'" }, ""],
    ["Text", "rich_text", { does_not_contain: "hello" }, "cd"],
    ["Text", "rich_text", { starts_with: "hello" }, "ab"],
    ["Text", "rich_text", { starts_with: "World" }, ""],
    ["Text", "rich_text", { ends_with: "world" }, "a"],
    ["Text", "rich_text", { ends_with: "100%_" }, "b"],
    ["Text", "rich_text", { is_empty: true }, "d"],
    ["Text", "rich_text", { is_not_empty: true }, "abc"],
    ["Name", "title", { equals: "a" }, "a"],
    ["Name", "title", { does_not_equal: "a" }, "bcd"],
    ["Name", "title", { contains: "B" }, "b"],
    ["Name", "title", { does_not_contain: "b" }, "acd"],
    ["Name", "title", { starts_with: "c" }, "c"],
    ["Name", "title", { ends_with: "d" }, "d"],
    ["Name", "title", { is_empty: true }, ""],
    ["Name", "title", { is_not_empty: true }, "abcd"],
    // A widely used client sends rich_text conditions for titles, URLs and similar types.
    ["Name", "rich_text", { equals: "a" }, "a"],
    ["title", "title", { equals: "a" }, "a"],
    ["Link", "url", { equals: "https://example.com/one" }, "a"],
    ["Link", "url", { does_not_equal: "https://example.com/one" }, "bcd"],
    ["Link", "url", { contains: "example" }, "ab"],
    ["Link", "url", { does_not_contain: "other" }, "acd"],
    ["Link", "url", { starts_with: "http://" }, "b"],
    ["Link", "url", { ends_with: "two" }, "b"],
    ["Link", "url", { is_empty: true }, "cd"],
    ["Link", "url", { is_not_empty: true }, "ab"],
    ["Mail", "email", { equals: "ada@example.com" }, "a"],
    ["Mail", "email", { contains: "@other" }, "b"],
    ["Mail", "email", { ends_with: ".com" }, "a"],
    ["Mail", "email", { is_empty: true }, "cd"],
    ["Phone", "phone_number", { starts_with: "+44" }, "b"],
    ["Phone", "phone_number", { contains: "555" }, "a"],
    ["Phone", "phone_number", { is_not_empty: true }, "ab"],
  ])("%s %s %j", async (property, type, condition, names) => {
    expect(await findNames({ property, [type]: condition })).toBe(names);
    expect(await findNames({ property, [type]: condition, type })).toBe(names);
  });
});

describe("the operators of numbers", () => {
  test.each<Case>([
    ["Number", "number", { equals: 1 }, "a"],
    ["Number", "number", { equals: 2.5 }, "b"],
    ["Number", "number", { does_not_equal: 1 }, "bcd"],
    ["Number", "number", { greater_than: 1 }, "b"],
    ["Number", "number", { less_than: 1 }, "c"],
    ["Number", "number", { greater_than_or_equal_to: 1 }, "ab"],
    ["Number", "number", { less_than_or_equal_to: 1 }, "ac"],
    ["Number", "number", { greater_than: -1e300 }, "abc"],
    ["Number", "number", { is_empty: true }, "d"],
    ["Number", "number", { is_not_empty: true }, "abc"],
    ["Ticket", "unique_id", { equals: 2 }, "b"],
    ["Ticket", "unique_id", { does_not_equal: 2 }, "acd"],
    ["Ticket", "unique_id", { greater_than: 2 }, "cd"],
    ["Ticket", "unique_id", { less_than: 2 }, "a"],
    ["Ticket", "unique_id", { greater_than_or_equal_to: 3 }, "cd"],
    ["Ticket", "unique_id", { less_than_or_equal_to: 2 }, "ab"],
  ])("%s %s %j", async (property, type, condition, names) => {
    expect(await findNames({ property, [type]: condition })).toBe(names);
  });
});

describe("the operators of check boxes, options, people, relations and files", () => {
  test.each<Case>([
    ["Done", "checkbox", { equals: true }, "ac"],
    ["Done", "checkbox", { equals: false }, "bd"],
    ["Done", "checkbox", { does_not_equal: true }, "bd"],
    ["Done", "checkbox", { does_not_equal: false }, "ac"],
    ["Choice", "select", { equals: "One" }, "ac"],
    ["Choice", "select", { equals: "Three" }, ""],
    ["Choice", "select", { does_not_equal: "One" }, "bd"],
    ["Choice", "select", { does_not_equal: "Three" }, "abcd"],
    ["Choice", "select", { is_empty: true }, "d"],
    ["Choice", "select", { is_not_empty: true }, "abc"],
    ["State", "status", { equals: "Done" }, "ac"],
    ["State", "status", { does_not_equal: "Done" }, "bd"],
    ["State", "status", { is_not_empty: true }, "abc"],
    ["State", "status", { is_empty: true }, "d"],
    ["Tags", "multi_select", { contains: "green" }, "ab"],
    ["Tags", "multi_select", { contains: "black" }, ""],
    ["Tags", "multi_select", { does_not_contain: "green" }, "cd"],
    ["Tags", "multi_select", { is_empty: true }, "d"],
    ["Tags", "multi_select", { is_not_empty: true }, "abc"],
    ["Files", "files", { is_empty: true }, "bcd"],
    ["Files", "files", { is_not_empty: true }, "a"],
    ["Who", "people", { is_empty: true }, "d"],
    ["Who", "people", { is_not_empty: true }, "abc"],
    ["To", "relation", { is_empty: true }, "cd"],
    ["To", "relation", { is_not_empty: true }, "ab"],
  ])("%s %s %j", async (property, type, condition, names) => {
    expect(await findNames({ property, [type]: condition })).toBe(names);
  });

  test("people by ids with and without dashes", async () => {
    const ada = people.Ada ?? "";
    expect(await findNames({ property: "Who", people: { contains: ada } })).toBe("ab");
    expect(await findNames({ property: "Who", people: { contains: ada.replaceAll("-", "") } })).toBe("ab");
    expect(await findNames({ property: "Who", people: { does_not_contain: ada } })).toBe("cd");
    const me = (await notion.client.users.me({})).id;
    expect(await findNames({ property: "Author", created_by: { contains: me } })).toBe("abcd");
    expect(await findNames({ property: "Author", created_by: { does_not_contain: me } })).toBe("");
    expect(await findNames({ property: "Editor", last_edited_by: { contains: me } })).toBe("abcd");
    expect(await findNames({ property: "Author", created_by: { contains: ada } })).toBe("");
    // Notion's reference of filters knows only people.
    for (const property of ["Author", "Editor"])
      expect(await findNames({ property, people: { contains: me } })).toBe("abcd");
    expect(await findNames({ property: "Author", people: { contains: ada } })).toBe("");
  });

  test("relations by the ids of pages", async () => {
    expect(await findNames({ property: "To", relation: { contains: pages.x } })).toBe("ab");
    expect(await findNames({ property: "To", relation: { contains: pages.y } })).toBe("b");
    expect(await findNames({ property: "To", relation: { does_not_contain: pages.y } })).toBe("acd");
  });
});

describe("the operators of dates", () => {
  test.each<Case>([
    ["When", "date", { equals: "2024-03-01" }, "c"],
    ["When", "date", { before: "2024-01-10" }, ""],
    ["When", "date", { before: "2024-01-11" }, "ab"],
    ["When", "date", { after: "2024-01-10" }, "c"],
    ["When", "date", { after: "2024-01-11" }, "c"],
    ["When", "date", { on_or_before: "2024-03-01" }, "abc"],
    ["When", "date", { on_or_after: "2024-01-10" }, "abc"],
    ["When", "date", { on_or_after: "2024-03-01" }, "c"],
    ["When", "date", { equals: "2024-01-10T12:00:00Z" }, "b"],
    ["When", "date", { equals: "2024-01-10T13:00:00+01:00" }, "b"],
    ["When", "date", { before: "2024-01-10T12:00:00Z" }, "a"],
    ["When", "date", { after: "2024-01-10T11:59:59.999Z" }, "bc"],
    ["When", "date", { is_empty: true }, "d"],
    ["When", "date", { is_not_empty: true }, "abc"],
    ["When", "date", { past_week: {} }, ""],
    ["When", "date", { next_year: {} }, ""],
    ["Created", "created_time", { on_or_before: "2199-01-01" }, "abcd"],
    ["Created", "created_time", { past_week: {} }, "abcd"],
    ["Created", "created_time", { past_month: {} }, "abcd"],
    ["Created", "created_time", { past_year: {} }, "abcd"],
    ["Created", "created_time", { this_week: {} }, "abcd"],
    ["Created", "created_time", { before: "2020-01-01" }, ""],
    ["Edited", "last_edited_time", { after: "2020-01-01" }, "abcd"],
    ["Edited", "last_edited_time", { is_not_empty: true }, "abcd"],
  ])("%s %s %j", async (property, type, condition, names) => {
    expect(await findNames({ property, [type]: condition })).toBe(names);
  });

  test("of timestamps", async () => {
    expect(await findNames({ timestamp: "created_time", created_time: { past_week: {} } })).toBe("abcd");
    expect(await findNames({ timestamp: "created_time", created_time: { after: "2199-01-01" } })).toBe("");
    expect(
      await findNames({ timestamp: "last_edited_time", last_edited_time: { on_or_after: "2024-01-01" } }),
    ).toBe("abcd");
    const query = await notion.client.databases.query({ database_id, page_size: 1 });
    const [first] = query.results;
    const time = first && "created_time" in first ? first.created_time : "";
    expect(await findNames({ timestamp: "created_time", created_time: { equals: time } })).toContain("a");
    expect(await findNames({ timestamp: "created_time", created_time: { before: time } })).toBe("");
  });

  test("relative to today", async () => {
    const own = await addDatabase(notion, { When: { date: {} } });
    const offsets = {
      lastYear: -200,
      lastMonth: -20,
      lastWeek: -3,
      now: 0,
      soon: 3,
      nextMonth: 20,
      nextYear: 200,
    };
    for (const [name, days] of Object.entries(offsets)) {
      const start = new Date(Date.now() + days * 86_400_000).toISOString();
      await addRow(notion, own.id, name, { When: { date: { start } } });
    }
    const findAmong = async (condition: object): Promise<string[]> => {
      const query = { database_id: own.id, filter: { property: "When", date: condition } };
      return (await notion.client.databases.query(query as QueryDatabaseParameters)).results.map(getName);
    };
    expect(await findAmong({ past_week: {} })).toEqual(["lastWeek", "now"]);
    expect(await findAmong({ past_month: {} })).toEqual(["lastMonth", "lastWeek", "now"]);
    expect(await findAmong({ past_year: {} })).toEqual(["lastYear", "lastMonth", "lastWeek", "now"]);
    expect(await findAmong({ next_week: {} })).toContain("soon");
    expect(await findAmong({ next_week: {} })).not.toContain("nextMonth");
    expect(await findAmong({ next_month: {} })).toEqual(expect.arrayContaining(["soon", "nextMonth"]));
    expect(await findAmong({ next_year: {} })).toEqual(
      expect.arrayContaining(["soon", "nextMonth", "nextYear"]),
    );
    expect(await findAmong({ this_week: {} })).toContain("now");
  });
});

describe("rollups", () => {
  test("by any, every and none of their values", async () => {
    const findAmong = (quantifier: string, condition: object) =>
      findNames({ property: "Names", rollup: { [quantifier]: condition } });
    expect(await findAmong("any", { rich_text: { equals: "x" } })).toBe("ab");
    expect(await findAmong("any", { rich_text: { equals: "y" } })).toBe("b");
    expect(await findAmong("none", { rich_text: { equals: "y" } })).toContain("a");
    expect(await findAmong("none", { rich_text: { equals: "x" } })).not.toContain("a");
    expect(await findAmong("every", { rich_text: { equals: "x" } })).toContain("a");
    expect(await findAmong("every", { rich_text: { equals: "x" } })).not.toContain("b");
  });

  test("by their number", async () => {
    expect(await findNames({ property: "Count", rollup: { number: { equals: 1 } } })).toBe("a");
    expect(await findNames({ property: "Count", rollup: { number: { greater_than: 0 } } })).toBe("ab");
    expect(await findNames({ property: "Count", rollup: { number: { greater_than_or_equal_to: 2 } } })).toBe(
      "b",
    );
  });
});

describe("groups", () => {
  const number = (condition: object) => ({ property: "Number", number: condition });
  const done = { property: "Done", checkbox: { equals: true } };
  test.each<[string, unknown, string]>([
    ["and", { and: [done, number({ greater_than: 0 })] }, "a"],
    ["or", { or: [number({ equals: 1 }), number({ is_empty: true })] }, "ad"],
    ["or in and", { and: [done, { or: [number({ equals: 1 }), number({ equals: -3 })] }] }, "ac"],
    ["and in or", { or: [{ and: [done, number({ less_than: 0 })] }, number({ equals: 2.5 })] }, "bc"],
    ["one member", { and: [done] }, "ac"],
    ["times", { and: [{ timestamp: "created_time", created_time: { past_year: {} } }, done] }, "ac"],
    ["a hundred members", { or: Array.from({ length: 100 }, (_, index) => number({ equals: index })) }, "a"],
    ["the same property twice", { and: [number({ greater_than: 0 }), number({ less_than: 2 })] }, "a"],
    [
      "a list property twice",
      {
        and: [
          { property: "Tags", multi_select: { contains: "red" } },
          { property: "Tags", multi_select: { contains: "green" } },
        ],
      },
      "a",
    ],
  ])("%s", async (_, filter, names) => {
    expect(await findNames(filter)).toBe(names);
  });

  test("a query without a filter finds all", async () => {
    expect(await findNames(undefined)).toBe("abcd");
  });
});
