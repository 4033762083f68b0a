import { expect, test } from "vitest";
import type { SearchRequest } from "../../src/client/index.js";
import { freezeDate } from "../support/clock.js";
import { connect, getError, readError, title, type Connected, readList } from "../support/contract.js";

const WORKSPACE = { type: "workspace", workspace: true } as const;

interface Searching extends Connected {
  /** Searches in small pages, and returns the ids of all results in order. */
  all(body: SearchRequest["body"]): Promise<string[]>;
  addPage(text: string, parent?: { page_id: string } | { database_id: string }): Promise<string>;
  addDatabase(text: string): Promise<string>;
}

/** Creates a workspace to search, whose first database is called "Pages". */
async function createSearchable(): Promise<Searching> {
  const connected = await connect();
  const { client } = connected;
  return {
    ...connected,
    async all(body) {
      const parts = await readList((from) => client.search({ body: { page_size: 2, ...body, ...from } }));
      return parts.flatMap(({ results }) => results.map(({ id }) => id));
    },
    async addPage(text, parent) {
      const place = parent ?? WORKSPACE;
      const { body } = await client.createPage({
        body: { parent: place, properties: { title: title(text) } },
      });
      return body.id;
    },
    async addDatabase(text) {
      const { body } = await client.createDatabase({
        body: {
          parent: WORKSPACE,
          title: [{ text: { content: text } }],
          properties: { Name: { title: {} } },
        },
      });
      return body.id;
    },
  };
}

test("a search finds pages and databases whose title has every word, in any case and order", async () => {
  const { all, addPage, addDatabase, client, rootDatabaseId } = await createSearchable();
  const plan = await addPage("Travel Plans for May");
  const child = await addPage("Old travel plans", { page_id: plan });
  const database = await addDatabase("TRAVELS and planning");
  const row = await addPage("100% \\ 'planned' travel_s", { database_id: rootDatabaseId });
  await addPage("Plans");

  const found = await all({ query: "plan  TRAVEL" });
  expect(found.toSorted()).toEqual([plan, child, database, row].toSorted());
  expect(await all({ query: "plans travel may" })).toEqual([plan]);
  expect(await all({ query: "0% \\ 'planned'" })).toEqual([row]);
  expect(await all({ query: "l_s" })).toEqual([row]);
  expect(await all({ query: "%" })).toEqual([row]);
  expect(await all({ query: "nowhere" })).toEqual([]);
  expect(await all({ query: "travel", filter: { property: "object", value: "database" } })).toEqual([
    database,
  ]);
  const pages = await all({ query: "travel", filter: { property: "object", value: "page" } });
  expect(pages.toSorted()).toEqual([plan, child, row].toSorted());

  const { body } = await client.search({ body: { query: "travel" } });
  for (const result of body.results) {
    const retrieved =
      result.object === "page"
        ? await client.retrievePage({ path: { page_id: result.id } })
        : await client.retrieveDatabase({ path: { database_id: result.id } });
    expect(result).toEqual(retrieved.body);
  }
});

test("a search finds the new title of a page, regardless of other changes in the update", async () => {
  const { all, addPage, client, rootDatabaseId } = await createSearchable();
  const page = await addPage("Winter", { database_id: rootDatabaseId });
  const properties = { Title: title("Summer"), Points: { number: 1 } };
  await client.updatePage({ path: { page_id: page }, body: { properties } });
  expect(await all({ query: "summer" })).toEqual([page]);
  expect(await all({ query: "winter" })).toEqual([]);
});

test("sorts pages and databases together by the last edit in both directions", async () => {
  const { all, addPage, addDatabase, client, rootDatabaseId } = await createSearchable();
  const ids = [rootDatabaseId];
  for (let count = 0; count < 3; count += 1) {
    ids.push(await addPage(`Page ${count}`), await addDatabase(`Database ${count}`));
  }
  expect(await all({})).toEqual(ids.toReversed());
  expect(await all({ query: " " })).toEqual(ids.toReversed());
  expect(await all({ sort: { timestamp: "last_edited_time", direction: "ascending" } })).toEqual(ids);
  expect(await all({ sort: { timestamp: "last_edited_time" } })).toEqual(ids.toReversed());

  const [, edited = "", trashed = ""] = ids;
  await client.updatePage({ path: { page_id: edited }, body: { icon: { emoji: "🧭" } } });
  await client.updateDatabase({ path: { database_id: trashed }, body: { in_trash: true } });
  const others = ids.filter((id) => id !== edited && id !== trashed);
  expect(await all({})).toEqual([edited, ...others.toReversed()]);
});

test("objects with the same last edit are found once each, in the order of their ids", async () => {
  const { all, addPage, addDatabase, rootDatabaseId } = await createSearchable();
  freezeDate();
  const ids: string[] = [];
  for (let count = 0; count < 3; count += 1) ids.push(await addPage("Page"), await addDatabase("Database"));
  expect(await all({})).toEqual([...ids.toReversed(), rootDatabaseId]);
  const sort = { timestamp: "last_edited_time", direction: "ascending" } as const;
  expect(await all({ sort })).toEqual([rootDatabaseId, ...ids]);
});

test("refuses invalid searches and cursors of other searches, and accepts many words", async () => {
  const { client, send, addPage, all } = await createSearchable();
  await addPage("One");
  const { body } = await client.search({ body: { page_size: 1 } });
  const start_cursor = body.next_cursor ?? undefined;
  const ascending = { timestamp: "last_edited_time", direction: "ascending" } as const;
  for (const wrong of [{ start_cursor, sort: ascending }, { start_cursor: "nonsense" }]) {
    const { status, message } = await getError(client.search({ body: wrong }));
    expect(status).toBe(400);
    expect(message).toBe(
      `The start_cursor provided is invalid: ${wrong.start_cursor}. Use the next_cursor of the last response of the same list.`,
    );
  }
  const timestamp = "last_edited_time";
  for (const body of [
    { sort: { timestamp: "created_time", direction: "ascending" } },
    { sort: { timestamp, direction: "up" } },
    { filter: { property: "object", value: "block" } },
    { filter: { property: "title", value: "page" } },
    { query: 5 },
    { page_size: 101 },
  ]) {
    expect(await readError(await send("POST", "/v1/search", body))).toMatchObject({
      status: 400,
      code: "validation_error",
    });
  }
  const words = Array.from({ length: 1000 }, (_, index) => String.fromCodePoint(0x4e00 + index));
  expect(await all({ query: words.join(" ") })).toEqual([]);
});

test("a cursor and a page size that are null are those of the first part", async () => {
  const { send } = await createSearchable();
  const [first, same] = await Promise.all(
    [{}, { start_cursor: null, page_size: null }].map(async (body) => {
      const response = await send("POST", "/v1/search", body);
      return { status: response.status, ...(JSON.parse(await response.text()) as object), request_id: "" };
    }),
  );
  expect(same).toEqual({ ...first, status: 200 });
});
