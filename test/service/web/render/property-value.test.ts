import { expect, test } from "vitest";
import { RenderBudget } from "../../../../src/web/render/budget.js";
import { renderPropertyValue } from "../../../../src/web/render/property-value.js";
import { html } from "../../../../src/web/html.js";

test.each([
  [false, "Tea list"],
  [true, "Tea list, …"],
])("a relation with further links (%s) shows %s", (hasMore, shown) => {
  const id = "00000000-0000-7000-9000-000000000001";
  const value = { id: "links", type: "relation" as const, relation: [{ id }], has_more: hasMore };
  expect(renderText(value, new Map([[id, "Tea list"]]))).toBe(shown);
});

test.each([
  [
    "ada@example.org",
    '<a href="mailto:ada@example.org" rel="noopener noreferrer nofollow">ada@example.org</a>',
  ],
  ['not an email"><script>', "not an email&#34;&#62;&#60;script&#62;"],
  ["a@b@c", "a@b@c"],
])("the e-mail %s is a link only if it is an address", (email, shown) => {
  expect(renderMarkup({ id: "mail", type: "email", email })).toBe(shown);
});

test.each([
  [{ start: "2026-11-23", end: null, time_zone: null }, "23 Nov 2026"],
  [null, ""],
])("a rollup of dates with the value %j is shown as %s", (date, shown) => {
  const rollup = { type: "date" as const, date, function: "latest_date" as const };
  expect(renderText({ id: "last", type: "rollup", rollup })).toBe(shown);
});

test.each([
  [[null, 12.5, null, 3], "12.5, 3"],
  [[null, null], ""],
])("a rollup that shows the values %j shows %j", (numbers, shown) => {
  const array = numbers.map((number) => ({ type: "number" as const, number }));
  const rollup = { type: "array" as const, array, function: "show_original" as const };
  expect(renderText({ id: "price", type: "rollup", rollup })).toBe(shown);
});

test("a rollup that shows values leaves out empty texts", () => {
  const array = [
    { type: "title" as const, title: [] },
    { type: "rich_text" as const, rich_text: [] },
    { type: "number" as const, number: 3 },
  ];
  const rollup = { type: "array" as const, array, function: "show_original" as const };
  expect(renderText({ id: "text", type: "rollup", rollup })).toBe("3");
});

test.each([
  ["Ada", "Ada"],
  ["", "Unknown"],
])("a user with the name %j is shown as %j", (name, shown) => {
  const id = "00000000-0000-7000-9000-000000000002";
  const user = { object: "user", id, name, type: "person", avatar_url: null, person: {} } as const;
  expect(renderText({ id: "author", type: "created_by", created_by: user })).toBe(shown);
  expect(renderText({ id: "who", type: "people", people: [user, { object: "user", id }] })).toBe(
    `${shown}, Unknown`,
  );
});

test("the related pages of which the title is unknown are links too", () => {
  const id = "00000000-0000-7000-9000-000000000001";
  const value = { id: "links", type: "relation" as const, relation: [{ id }], has_more: false };
  expect(renderText(value)).toBe("Page");
});

test("a rollup that shows options has no commas between them", () => {
  const array = ["green", "black"].map((name) => ({
    type: "select" as const,
    select: { id: name, name, color: "default" as const },
  }));
  const rollup = { type: "array" as const, array, function: "show_original" as const };
  expect(renderText({ id: "kinds", type: "rollup", rollup })).toBe("green black");
});

test.each([
  ["TEA", 7, "TEA-7"],
  [null, 7, "7"],
  ["TEA", null, ""],
])("a unique id with the prefix %j and the number %j is shown as %j", (prefix, number, shown) => {
  expect(renderText({ id: "no", type: "unique_id", unique_id: { prefix, number } })).toBe(shown);
});

test("a file without a visible name is shown with its address", () => {
  const url = "https://example.org/sea.jpg";
  const files = ["sea", " "].map((name) => ({ type: "external" as const, name, external: { url } }));
  expect(renderText({ id: "files", type: "files", files })).toBe(`sea, ${url}`);
});

test.each([
  { type: "created_time", created_time: "2026-11-23T12:00:00.000Z" },
  { type: "last_edited_time", last_edited_time: "2026-11-23T12:00:00.000Z" },
] as const)("the time of $type is shown in UTC", (time) => {
  expect(renderMarkup({ id: "time", ...time })).toBe(
    '<time datetime="2026-11-23T12:00:00.000Z">23 Nov 2026, 12:00 UTC</time>',
  );
});

type Value = Parameters<typeof renderPropertyValue>[0];

function renderMarkup(value: Value, titles = new Map<string, string>()): string {
  const context = { budget: new RenderBudget(), titles, numberFormats: new Map() };
  return html`${renderPropertyValue(value, context)}`.text;
}

function renderText(value: Value, titles?: Map<string, string>): string {
  return renderMarkup(value, titles).replaceAll(/<[^>]*>/g, "");
}
