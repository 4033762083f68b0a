import { expect, test } from "vitest";
import { DomainError } from "../../src/domain/errors.js";
import { changePage, createPage, staysInTrash } from "../../src/domain/page.js";

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

test("a page goes to the trash and comes back under either name of the field", () => {
  const trashed = { ...page, inTrash: true };
  expect(staysInTrash(page, { archived: true }, false)).toBe(true);
  expect(staysInTrash(page, { in_trash: true }, true)).toBe(true);
  expect(staysInTrash(page, {}, true)).toBe(false);
  expect(staysInTrash(trashed, { in_trash: false }, false)).toBe(false);
  expect(staysInTrash(trashed, {}, false)).toBe(true);
  expect(() => staysInTrash(page, { archived: true, in_trash: false }, false)).toThrow(
    new DomainError("validation", "archived and in_trash must be equal when both are given."),
  );
});

test("a page in the trash is edited only when it is restored as well", () => {
  const trashed = { ...page, inTrash: true };
  for (const change of [{}, { in_trash: true }]) {
    expect(() => staysInTrash(trashed, change, true)).toThrow(/^Can't edit block that is archived/);
  }
  expect(staysInTrash(trashed, { in_trash: false }, true)).toBe(false);
});
