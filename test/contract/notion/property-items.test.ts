import { collectPaginatedAPI, iteratePaginatedAPI } from "@notionhq/client";
import type { PropertyItemListResponse } from "@notionhq/client/build/src/api-endpoints.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  PROPERTIES,
  addDatabase,
  addRow,
  expectRefusal,
  type Notion,
  openNotion,
  plainText,
  text,
} from "./setup.js";

let notion: Notion;
let person: string;
let page_id: string;
let ids: Record<string, string>;
let related: string[];

beforeAll(async () => {
  notion = await openNotion();
  person = await notion.addPerson("Ada");
  const target = await addDatabase(notion);
  const database = await addDatabase(notion, {
    ...PROPERTIES,
    To: { relation: { database_id: target.id, single_property: {} } },
    Names: {
      rollup: { relation_property_name: "To", rollup_property_name: "Name", function: "show_original" },
    },
    Count: {
      rollup: { relation_property_name: "To", rollup_property_name: "Name", function: "count_values" },
    },
  });
  related = [];
  for (let index = 0; index < 5; index += 1) related.push((await addRow(notion, target.id, `R${index}`)).id);
  const page = await addRow(notion, database.id, "Page", {
    Text: { rich_text: Array.from({ length: 7 }, (_, index) => text(`t${index}`)).flat() },
    Number: { number: 3 },
    Choice: { select: { name: "c" } },
    Tags: { multi_select: [{ name: "a" }, { name: "b" }] },
    When: { date: { start: "2024-01-01" } },
    Who: { people: [{ id: person }] },
    Files: { files: [{ name: "f", external: { url: "https://example.com/f" } }] },
    Done: { checkbox: true },
    Link: { url: "https://example.com" },
    Mail: { email: "a@b.c" },
    Phone: { phone_number: "1" },
    To: { relation: related.map((id) => ({ id })) },
  });
  page_id = page.id;
  ids = Object.fromEntries(Object.entries(page.properties).map(([name, { id }]) => [name, id]));
});
afterAll(() => notion.service.close());

const item = (name: string, more: { start_cursor?: string; page_size?: number } = {}) =>
  notion.client.pages.properties.retrieve({ page_id, property_id: ids[name] ?? "", ...more });

test.each([
  ["Number", "number", 3],
  ["Choice", "select", { name: "c" }],
  ["Tags", "multi_select", [{ name: "a" }, { name: "b" }]],
  ["When", "date", { start: "2024-01-01", end: null, time_zone: null }],
  ["Files", "files", [{ name: "f", type: "external", external: { url: "https://example.com/f" } }]],
  ["Done", "checkbox", true],
  ["Link", "url", "https://example.com"],
  ["Mail", "email", "a@b.c"],
  ["Phone", "phone_number", "1"],
  ["Created", "created_time", expect.any(String)],
  ["Edited", "last_edited_time", expect.any(String)],
  ["Author", "created_by", { object: "user" }],
  ["Editor", "last_edited_by", { object: "user" }],
])("%s is a single item of type %s", async (name, type, value) => {
  expect(await item(name)).toMatchObject({ object: "property_item", id: ids[name], type, [type]: value });
});

test.each([
  ["Name", "title", [{ title: plainText("Page")[0] }]],
  ["Text", "rich_text", Array.from({ length: 7 }, (_, index) => ({ rich_text: plainText(`t${index}`)[0] }))],
  ["Who", "people", [{ people: { object: "user" } }]],
])("%s is a list of items of type %s", async (name, type, expected) => {
  expect(await item(name)).toMatchObject({
    object: "list",
    type: "property_item",
    property_item: { id: ids[name], type, next_url: null, [type]: {} },
    has_more: false,
    next_cursor: null,
    results: expected.map((value) => ({ object: "property_item", id: ids[name], type, ...value })),
  });
});

test("a relation is a list of ids, in pages", async () => {
  const whole = await item("To");
  expect(whole).toMatchObject({
    property_item: { id: ids.To, type: "relation", relation: {} },
    results: related.map((id) => ({ object: "property_item", type: "relation", relation: { id } })),
  });
  const first = await item("To", { page_size: 2 });
  expect(first).toMatchObject({
    has_more: true,
    property_item: {
      next_url: expect.stringMatching(
        new RegExp(`/v1/pages/${page_id}/properties/${ids.To}\\?start_cursor=[^&]+&page_size=2$`),
      ),
    },
    results: related.slice(0, 2).map((id) => ({ relation: { id } })),
  });
  const list = (arguments_: { start_cursor?: string; page_size?: number }) =>
    // The cast: this property is a list.
    item("To", arguments_) as Promise<PropertyItemListResponse>;
  const all = await collectPaginatedAPI(list, { page_size: 2 });
  expect(all).toMatchObject(related.map((id) => ({ relation: { id } })));
  const texts: unknown[] = [];
  const listTexts = (arguments_: { start_cursor?: string; page_size?: number }) =>
    item("Text", arguments_) as Promise<PropertyItemListResponse>;
  for await (const each of iteratePaginatedAPI(listTexts, { page_size: 3 })) texts.push(each);
  expect(texts).toHaveLength(7);
});

test("a rollup is a list with its result", async () => {
  expect(await item("Count")).toMatchObject({
    object: "list",
    property_item: { type: "rollup", rollup: { type: "number", number: 5, function: "count_values" } },
  });
  expect(await item("Names")).toMatchObject({
    object: "list",
    property_item: { type: "rollup", rollup: { type: "array", function: "show_original" } },
  });
});

describe("pages.properties.retrieve", () => {
  test("refuses unknown properties and invalid ids", async () => {
    const { client } = notion;
    await expectRefusal(
      client.pages.properties.retrieve({ page_id, property_id: "nope" }),
      "validation_error",
      "Could not find property with name or id: nope",
    );
    await expectRefusal(
      client.pages.properties.retrieve({ page_id: "x", property_id: "title" }),
      "validation_error",
      "path.page_id should be a valid uuid",
    );
    await expectRefusal(item("To", { page_size: 101 }), "validation_error", "≤ `100`");
    await expectRefusal(item("To", { start_cursor: "?" }), "validation_error", "start_cursor");
  });
});
