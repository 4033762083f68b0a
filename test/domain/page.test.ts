import { expect, test } from "vitest";
import { DomainError } from "../../src/domain/errors.js";
import { changePage, createPage } from "../../src/domain/page.js";
import { makeSchema, plainProperty } from "../../src/domain/schema.js";

const schema = makeSchema([
  plainProperty("title", "Title", "title"),
  plainProperty("pnts", "Points", "number"),
]);
const page = createPage(
  { databaseId: "database", schema },
  { properties: { Points: 1 }, icon: { emoji: "🌱" }, cover: { external: { url: "https://example.com/a" } } },
  "author",
  1000,
);

test("a new page has what the request gave, and its maker and time on it", () => {
  expect(page).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    parent: { type: "database_id", id: "database" },
    trashRoot: null,
    createdTime: 1000,
    lastEditedTime: 1000,
    createdBy: "author",
    lastEditedBy: "author",
    icon: { type: "emoji", emoji: "🌱" },
    cover: { type: "external", external: { url: "https://example.com/a" } },
    inTrash: false,
    properties: { pnts: 1 },
  });
});

test("an update changes what it mentions, and notes who and when", () => {
  const changed = changePage(page, schema, { properties: { Points: 2 }, icon: null }, "editor", 2000);
  expect(changed).toEqual({
    ...page,
    properties: { pnts: 2 },
    icon: null,
    lastEditedTime: 2000,
    lastEditedBy: "editor",
  });
  expect(page.properties).toEqual({ pnts: 1 });
});

test("the time of the last edit does not go back with the clock", () => {
  expect(changePage(page, schema, { icon: null }, "editor", 500).lastEditedTime).toBe(1000);
});

test.each([{}, { properties: {} }, { archived: false }, { in_trash: false }])(
  "%j changes nothing",
  (change) => {
    expect(changePage(page, schema, change, "editor", 2000)).toBe(page);
  },
);

test("a page goes to the trash and comes back under either name of the field", () => {
  const trashed = changePage(page, schema, { archived: true }, "editor", 2000);
  expect(trashed.inTrash).toBe(true);
  expect(changePage(trashed, schema, { in_trash: false }, "editor", 3000).inTrash).toBe(false);
  expect(changePage(trashed, schema, {}, "editor", 3000)).toBe(trashed);
  expect(() => changePage(page, schema, { archived: true, in_trash: false }, "editor", 2000)).toThrow(
    new DomainError("validation", "archived and in_trash must be equal when both are given."),
  );
});

test("a page in the trash is edited only when it is restored as well", () => {
  const trashed = changePage(page, schema, { in_trash: true }, "editor", 2000);
  for (const change of [{ properties: { Points: 3 } }, { icon: null }, { in_trash: true, cover: null }]) {
    expect(() => changePage(trashed, schema, change, "editor", 3000)).toThrow(
      /^Can't edit block that is archived/,
    );
  }
  const restored = changePage(
    trashed,
    schema,
    { in_trash: false, properties: { Points: 3 } },
    "editor",
    3000,
  );
  expect(restored).toMatchObject({ inTrash: false, properties: { pnts: 3 } });
});
