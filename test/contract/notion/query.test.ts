import { collectPaginatedAPI, isFullPage, iteratePaginatedAPI } from "@notionhq/client";
import type { QueryDatabaseParameters } from "@notionhq/client/build/src/api-endpoints.js";
import { describe, expect, test } from "vitest";
import {
  addDatabase,
  addRow,
  connectNotion,
  expectRefusal,
  getName,
  UNKNOWN,
  type Notion,
  text,
} from "./setup.js";

type Sorts = QueryDatabaseParameters["sorts"];

async function findSorted({ client }: Notion, database_id: string, sorts: Sorts): Promise<string> {
  return (await client.databases.query({ database_id, ...(sorts ? { sorts } : {}) })).results
    .map(getName)
    .join("");
}

describe("sorts", () => {
  test("by every type, with empty values last in both directions, and ties by creation", async () => {
    const notion = await connectNotion();
    const person = await notion.addPerson("Ada");
    const { id } = await addDatabase(notion, {
      Text: { rich_text: {} },
      Number: { number: {} },
      Choice: { select: { options: [{ name: "z" }, { name: "y" }, { name: "x" }] } },
      When: { date: {} },
      Done: { checkbox: {} },
      Link: { url: {} },
      Mail: { email: {} },
      Phone: { phone_number: {} },
      Who: { people: {} },
      Tags: { multi_select: { options: [{ name: "q" }, { name: "p" }] } },
    });
    await addRow(notion, id, "a", {
      Text: { rich_text: text("banana") },
      Number: { number: 10 },
      Choice: { select: { name: "x" } },
      When: { date: { start: "2024-01-02" } },
      Link: { url: "https://b.example" },
      Mail: { email: "b@e.x" },
      Phone: { phone_number: "2" },
      Tags: { multi_select: [{ name: "p" }] },
    });
    await addRow(notion, id, "b", { Who: { people: [{ id: person }] }, Done: { checkbox: true } });
    await addRow(notion, id, "c", {
      Text: { rich_text: text("Apple") },
      Number: { number: 9 },
      Choice: { select: { name: "z" } },
      When: { date: { start: "2024-01-01T23:00:00Z" } },
      Link: { url: "https://a.example" },
      Mail: { email: "A@e.x" },
      Phone: { phone_number: "1" },
      Tags: { multi_select: [{ name: "q" }] },
    });
    await addRow(notion, id, "d", { Number: { number: 9 } });
    const both = async (property: string): Promise<[string, string]> => [
      await findSorted(notion, id, [{ property, direction: "ascending" }]),
      await findSorted(notion, id, [{ property, direction: "descending" }]),
    ];
    expect(await both("Text")).toEqual(["cabd", "acbd"]);
    expect(await both("Number")).toEqual(["cdab", "acdb"]);
    expect(await both("Choice")).toEqual(["cabd", "acbd"]);
    expect(await both("When")).toEqual(["cabd", "acbd"]);
    expect(await both("Link")).toEqual(["cabd", "acbd"]);
    expect(await both("Mail")).toEqual(["cabd", "acbd"]);
    expect(await both("Phone")).toEqual(["cabd", "acbd"]);
    expect(await both("Done")).toEqual(["acdb", "bacd"]);
    expect(await both("Name")).toEqual(["abcd", "dcba"]);
    expect(await both("title")).toEqual(["abcd", "dcba"]);
    expect(await both("Tags")).toEqual(["cabd", "acbd"]);
    expect((await both("Who")).map((names) => names[0])).toEqual(["b", "b"]);
    expect(await findSorted(notion, id, [{ timestamp: "created_time", direction: "descending" }])).toMatch(
      /^[abcd]{4}$/,
    );
    expect(await findSorted(notion, id, undefined)).toBe("abcd");
  });

  test("have precedence in their order", async () => {
    const notion = await connectNotion();
    const { id } = await addDatabase(notion, { Number: { number: {} }, Done: { checkbox: {} } });
    const rows: [string, number, boolean][] = [
      ["a", 1, true],
      ["b", 2, false],
      ["c", 2, true],
      ["d", 1, false],
    ];
    for (const [name, number, checkbox] of rows) {
      await addRow(notion, id, name, { Number: { number }, Done: { checkbox } });
    }
    const by = (property: string, direction: "ascending" | "descending") => ({ property, direction });
    expect(await findSorted(notion, id, [by("Number", "ascending"), by("Name", "descending")])).toBe("dacb");
    expect(await findSorted(notion, id, [by("Done", "descending"), by("Number", "descending")])).toBe("cabd");
    expect(await findSorted(notion, id, [by("Number", "descending"), by("Done", "ascending")])).toBe("bcda");
  });

  test("by the time of the last edit", async () => {
    const notion = await connectNotion();
    const { id } = await addDatabase(notion, { Number: { number: {} } });
    const first = await addRow(notion, id, "a");
    await addRow(notion, id, "b");
    const beforeEdit = Date.now();
    while (Date.now() === beforeEdit) await new Promise((resolve) => setTimeout(resolve, 1));
    await notion.client.pages.update({ page_id: first.id, properties: { Number: { number: 1 } } });
    expect(await findSorted(notion, id, [{ timestamp: "last_edited_time", direction: "descending" }])).toBe(
      "ab",
    );
    expect(await findSorted(notion, id, [{ timestamp: "last_edited_time", direction: "ascending" }])).toBe(
      "ba",
    );
  });
});

describe("pages of results", () => {
  test("contain each row once, with and without a filter and sorts", async () => {
    const notion = await connectNotion();
    const { client } = notion;
    const { id: database_id } = await addDatabase(notion, { Number: { number: {} } });
    const names = Array.from({ length: 25 }, (_, index) => String.fromCharCode(97 + index));
    for (const [index, name] of names.entries()) {
      await addRow(notion, database_id, name, index % 5 === 0 ? {} : { Number: { number: index % 3 } });
    }
    const whole = await client.databases.query({ database_id });
    expect(whole).toMatchObject({
      object: "list",
      type: "page_or_database",
      page_or_database: {},
      next_cursor: null,
      has_more: false,
    });
    expect(whole.results.every(isFullPage)).toBe(true);
    expect(whole.results.map(getName)).toEqual(names);
    const sorts: Sorts = [{ property: "Number", direction: "descending" }];
    const filter = { property: "Name", title: { does_not_equal: "c" } };
    for (const more of [{}, { sorts }, { filter }, { filter, sorts }]) {
      const once = (await client.databases.query({ database_id, ...more })).results.map(getName);
      for (const page_size of [1, 4, 5, 24, 25, 100]) {
        const all = await collectPaginatedAPI(client.databases.query, { database_id, page_size, ...more });
        expect(all.map(getName)).toEqual(once);
      }
    }
    const seen: string[] = [];
    for await (const row of iteratePaginatedAPI(client.databases.query, { database_id, page_size: 7 })) {
      seen.push(getName(row));
    }
    expect(seen).toEqual(names);
  });

  test("stay consistent while rows are added and removed", async () => {
    const notion = await connectNotion();
    const { client } = notion;
    const { id: database_id } = await addDatabase(notion, { Number: { number: {} } });
    const ids = new Map<string, string>();
    for (let index = 0; index < 20; index += 1) {
      ids.set(
        `r${index}`,
        (await addRow(notion, database_id, `r${index}`, { Number: { number: index } })).id,
      );
    }
    for (const sorts of [undefined, [{ property: "Number", direction: "descending" }]] as Sorts[]) {
      const seen: string[] = [];
      const rows: string[] = [];
      let start_cursor: string | undefined;
      let step = 0;
      do {
        const page = await client.databases.query({
          database_id,
          page_size: 3,
          ...(sorts ? { sorts } : {}),
          ...(start_cursor === undefined ? {} : { start_cursor }),
        });
        seen.push(...page.results.map(getName));
        rows.push(...page.results.map(({ id }) => id));
        start_cursor = page.next_cursor ?? undefined;
        step += 1;
        await addRow(notion, database_id, `new${step}`, { Number: { number: step * 7 } });
        // Removes the last row of the page; the cursor still has its position.
        const last = page.results.at(-1);
        if (step === 2 && last) await client.pages.update({ page_id: last.id, in_trash: true });
      } while (start_cursor !== undefined);
      const old = seen.filter((name) => name.startsWith("r"));
      expect(new Set(old).size).toBe(old.length);
      expect(new Set(rows).size).toBe(rows.length);
      const gone = sorts ? 1 : 0;
      expect(old.length).toBe(20 - gone);
    }
  });

  test("accept a null cursor and an empty page size", async () => {
    const notion = await connectNotion();
    const { id } = await addDatabase(notion);
    await addRow(notion, id, "a");
    const list = await notion.call("post", `databases/${id}/query`, { start_cursor: null });
    expect(list.results).toHaveLength(1);
    expect((await notion.client.databases.query({ database_id: id, page_size: 100 })).results).toHaveLength(
      1,
    );
  });

  test("exclude pages in the trash", async () => {
    const notion = await connectNotion();
    const { id: database_id } = await addDatabase(notion);
    const a = await addRow(notion, database_id, "a");
    await addRow(notion, database_id, "b");
    await notion.client.pages.update({ page_id: a.id, archived: true });
    expect(await findSorted(notion, database_id, undefined)).toBe("b");
    await notion.client.pages.update({ page_id: a.id, archived: false });
    expect(await findSorted(notion, database_id, undefined)).toBe("ab");
  });
});

describe("a query is refused", () => {
  const leaf = { property: "Number", number: { equals: 1 } };
  test.each<[string, object, string | RegExp]>([
    [
      "with an unknown property",
      { filter: { property: "Nope", number: { equals: 1 } } },
      "Could not find property with name or id: Nope",
    ],
    [
      "with a sort by an unknown property",
      { sorts: [{ property: "Nope", direction: "ascending" }] },
      "Could not find sort property with name or id: Nope",
    ],
    [
      "with a condition of another type",
      { filter: { property: "Number", checkbox: { equals: true } } },
      /number.*checkbox|checkbox.*number/,
    ],
    ["with an unknown operator", { filter: { property: "Number", number: { like: 1 } } }, ""],
    ["with no operator", { filter: { property: "Number", number: {} } }, ""],
    ["with two operators", { filter: { property: "Number", number: { equals: 1, less_than: 2 } } }, ""],
    [
      "with two conditions",
      { filter: { property: "Number", number: { equals: 1 }, checkbox: { equals: true } } },
      "",
    ],
    [
      "with a value of another type",
      { filter: { property: "Number", number: { equals: "1" } } },
      "should be a number",
    ],
    ["with is_empty false", { filter: { property: "Number", number: { is_empty: false } } }, ""],
    ["with an invalid date", { filter: { property: "When", date: { equals: "someday" } } }, ""],
    ["with an invalid id", { filter: { property: "Who", people: { contains: "ada" } } }, "uuid"],
    ["with a filter that is a list", { filter: [leaf] }, ""],
    ["with an empty filter", { filter: {} }, ""],
    [
      "with a timestamp and a property",
      { filter: { timestamp: "created_time", property: "Number", created_time: { past_week: {} } } },
      "",
    ],
    [
      "with a timestamp and another key",
      { filter: { timestamp: "created_time", last_edited_time: { past_week: {} } } },
      "",
    ],
    ["with groups in three levels", { filter: { and: [{ or: [{ and: [leaf] }] }] } }, ""],
    ["with 101 members", { filter: { or: Array.from({ length: 101 }, () => leaf) } }, "≤ `100`"],
    ["with both `and` and `or`", { filter: { and: [leaf], or: [leaf] } }, ""],
    ["without a direction", { sorts: [{ property: "Number" }] }, "direction"],
    ["with an unknown direction", { sorts: [{ property: "Number", direction: "up" }] }, "direction"],
    ["with an unknown timestamp", { sorts: [{ timestamp: "edited", direction: "ascending" }] }, "timestamp"],
    [
      "with sorts that are not a list",
      { sorts: { property: "Number", direction: "ascending" } },
      "body.sorts should be an array",
    ],
    [
      "with a too large page size",
      { page_size: 101 },
      "body.page_size should be ≤ `100`, instead was `101`.",
    ],
    ["with a page size that is not a number", { page_size: "ten" }, "body.page_size should be"],
    ["with an invalid cursor", { start_cursor: "!" }, "start_cursor"],
    ["with an unknown field", { limit: 10 }, "body.limit should be not present"],
  ])("%s", async (_, body, message) => {
    const notion = await connectNotion();
    const { id } = await addDatabase(notion, {
      Number: { number: {} },
      When: { date: {} },
      Who: { people: {} },
    });
    await expectRefusal(notion.call("post", `databases/${id}/query`, body), "validation_error", message);
  });

  test("for an unknown database or a page", async () => {
    const notion = await connectNotion();
    const { client, rootDatabaseId } = notion;
    await expectRefusal(
      client.databases.query({ database_id: UNKNOWN }),
      "object_not_found",
      `Could not find database with ID: ${UNKNOWN}`,
    );
    const page = await addRow(notion, (await addDatabase(notion)).id, "a");
    await expectRefusal(
      client.databases.query({ database_id: page.id }),
      "validation_error",
      "is a page, not a database",
    );
    expect((await client.databases.query({ database_id: rootDatabaseId })).results).toEqual([]);
  });
});
