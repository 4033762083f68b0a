import { expect, test } from "vitest";
import { changePage, newPage } from "../../../src/domain/page.js";

const page = newPage(
  { type: "database_id", id: "database" },
  { pnts: 1 },
  { icon: { emoji: "🌱" }, cover: { external: { url: "https://example.com/a" } } },
  { author: "author", time: 1000 },
);

test("a new page has the values, the author and the time of the request", () => {
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

test("an update changes only the given fields and records author and time", () => {
  expect(changePage(page, { icon: null }, { pnts: 2 }, { author: "editor", time: 2000 })).toEqual({
    ...page,
    properties: { pnts: 2 },
    icon: null,
    lastEditedTime: 2000,
    lastEditedBy: "editor",
  });
});

test("the time of the last edit does not go back with the clock", () => {
  expect(changePage(page, { icon: null }, {}, { author: "editor", time: 500 }).lastEditedTime).toBe(1000);
});
