import { collectPaginatedAPI, isFullPageOrDatabase, iteratePaginatedAPI } from "@notionhq/client";
import { expect, test } from "vitest";
import { addDatabase, addRow, addTopPage, connectNotion, expectRefusal, type Notion } from "./setup.js";

const later = async (): Promise<void> => {
  const now = Date.now();
  while (Date.now() === now) await new Promise((resolve) => setTimeout(resolve, 1));
};

/** Creates two databases and three pages in addition to the first database, each edited after the previous one. */
async function fill(notion: Notion): Promise<Record<string, string>> {
  const top = await addTopPage(notion, "Garden plan");
  await later();
  const { id: database } = await addDatabase(notion, {}, top);
  await later();
  const rose = (await addRow(notion, database, "Rose garden")).id;
  await later();
  const tulip = (await addRow(notion, database, "Tulip")).id;
  return { top, database, rose, tulip, root: notion.rootDatabaseId };
}

async function findIds(
  { client }: Notion,
  body: Parameters<Notion["client"]["search"]>[0],
): Promise<string[]> {
  return (await client.search(body)).results.map(({ id }) => id);
}

test("finds everything, last edited first", async () => {
  const notion = await connectNotion();
  const { top, database, rose, tulip, root } = await fill(notion);
  const list = await notion.client.search({});
  expect(list).toMatchObject({
    object: "list",
    type: "page_or_database",
    page_or_database: {},
    has_more: false,
    next_cursor: null,
  });
  expect(list.results.every(isFullPageOrDatabase)).toBe(true);
  expect(list.results.map(({ id }) => id)).toEqual([tulip, rose, database, top, root]);
  expect(await findIds(notion, { query: "" })).toHaveLength(5);
  await later();
  await notion.client.pages.update({ page_id: top ?? "", icon: { emoji: "🌷" } as never });
  expect((await findIds(notion, {}))[0]).toBe(top);
});

test("finds titles by a part in any case", async () => {
  const notion = await connectNotion();
  const { top, rose, tulip, database } = await fill(notion);
  expect(await findIds(notion, { query: "garden" })).toEqual([rose, top]);
  expect(await findIds(notion, { query: "GARDEN" })).toEqual([rose, top]);
  expect(await findIds(notion, { query: "tul" })).toEqual([tulip]);
  expect(await findIds(notion, { query: "database" })).toEqual([database]);
  expect(await findIds(notion, { query: "nothing of the kind" })).toEqual([]);
  expect(await findIds(notion, { query: "%" })).toEqual([]);
  expect(await findIds(notion, { query: "' OR 1=1 --" })).toEqual([]);
});

test("finds pages alone, or databases alone, in either order", async () => {
  const notion = await connectNotion();
  const { top, database, rose, tulip, root } = await fill(notion);
  expect(await findIds(notion, { filter: { property: "object", value: "page" } })).toEqual([
    tulip,
    rose,
    top,
  ]);
  expect(await findIds(notion, { filter: { value: "database", property: "object" } })).toEqual([
    database,
    root,
  ]);
  const sort = { timestamp: "last_edited_time", direction: "ascending" } as const;
  expect(await findIds(notion, { sort })).toEqual([root, top, database, rose, tulip]);
  expect(await findIds(notion, { sort: { ...sort, direction: "descending" } })).toEqual([
    tulip,
    rose,
    database,
    top,
    root,
  ]);
  const loose = await notion.call("post", "search", { sort: { timestamp: "last_edited_time" } });
  expect(loose.results).toHaveLength(5);
});

test("pages through the results", async () => {
  const notion = await connectNotion();
  await fill(notion);
  const whole = await findIds(notion, {});
  for (const page_size of [1, 2, 5]) {
    const all = await collectPaginatedAPI(notion.client.search, { page_size });
    expect(all.map(({ id }) => id)).toEqual(whole);
  }
  const seen: string[] = [];
  const filter = { property: "object", value: "page" } as const;
  for await (const { id } of iteratePaginatedAPI(notion.client.search, { page_size: 1, filter, query: "e" }))
    seen.push(id);
  expect(seen).toEqual(await findIds(notion, { filter, query: "e" }));
});

test("excludes the trash and other workspaces", async () => {
  const notion = await connectNotion();
  const { rose, top } = await fill(notion);
  await notion.client.pages.update({ page_id: rose ?? "", in_trash: true });
  expect(await findIds(notion, { query: "garden" })).toEqual([top]);
  const other = await notion.stranger();
  expect((await other.client.search({})).results.map(({ id }) => id)).toEqual([other.rootDatabaseId]);
});

test.each([
  ["a sort by another time", { sort: { timestamp: "created_time", direction: "ascending" } }],
  ["an unknown direction", { sort: { timestamp: "last_edited_time", direction: "up" } }],
  ["a filter for other objects", { filter: { property: "object", value: "block" } }],
  ["a filter by another property", { filter: { property: "title", value: "page" } }],
  ["a query that is not a string", { query: 5 }],
  ["a too large page size", { page_size: 101 }],
  ["an invalid cursor", { start_cursor: "?" }],
])("refuses %s", async (_, body) => {
  const notion = await connectNotion();
  await expectRefusal(notion.call("post", "search", body), "validation_error");
});
