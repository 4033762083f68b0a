import { expect, test } from "vitest";
import { changePage, createPage } from "../../src/domain/page.js";

const page = createPage(
  { type: "database_id", id: "database" },
  { pnts: 1 },
  { icon: { emoji: "🌱" }, cover: { external: { url: "https://example.com/a" } } },
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
  expect(changePage(page, { icon: null }, { pnts: 2 }, "editor", 2000)).toEqual({
    ...page,
    properties: { pnts: 2 },
    icon: null,
    lastEditedTime: 2000,
    lastEditedBy: "editor",
  });
});

test("the time of the last edit does not go back with the clock", () => {
  expect(changePage(page, { icon: null }, {}, "editor", 500).lastEditedTime).toBe(1000);
});
