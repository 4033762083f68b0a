import { expect, test } from "vitest";
import type { Block, BlockChange } from "../../../../src/domain/blocks/block.js";
import { changeBlock, stopsBeingToggleable } from "../../../../src/domain/blocks/change.js";
const heading: Block = {
  id: "block",
  parent: { type: "page_id", id: "page" },
  pageId: "page",
  trashRoot: null,
  createdTime: 1000,
  lastEditedTime: 2000,
  createdBy: "author",
  lastEditedBy: "author",
  inTrash: false,
  type: "heading_1",
  content: { rich_text: [], color: "default", is_toggleable: true },
};

function change(input: BlockChange, block = heading, now = 3000): Block {
  return changeBlock(block, input, { author: "editor", time: now });
}

test("a change replaces only the given fields and records author and time", () => {
  expect(change({ type: "heading_1", heading_1: { color: "red" } })).toEqual({
    ...heading,
    content: { ...heading.content, color: "red" },
    lastEditedTime: 3000,
    lastEditedBy: "editor",
  });
});

test("the time of the last edit never goes back", () => {
  expect(change({ heading_1: {} }, heading, 1500).lastEditedTime).toBe(2000);
});

test("a change without content returns the block itself", () => {
  expect(change({})).toBe(heading);
  expect(change({ in_trash: true })).toBe(heading);
});

test("a change for another type is refused", () => {
  for (const input of [{ quote: {} }, { type: "quote" }, { type: "quote", heading_1: {} }] as const) {
    expect(() => change(input)).toThrow("Expected block type heading_1, instead was quote.");
  }
});

test("a block in the trash can be changed only while it is restored", () => {
  const trashed = { ...heading, inTrash: true };
  expect(() => change({ heading_1: { color: "red" } }, trashed)).toThrow(/archived/);
  expect(() => change({ heading_1: { color: "red" }, in_trash: true }, trashed)).toThrow(/archived/);
  for (const back of [{ in_trash: false }, { archived: false }]) {
    expect(change({ heading_1: { color: "red" }, ...back }, trashed).content).toMatchObject({ color: "red" });
  }
});

test("a heading stops being toggleable only if the change says so", () => {
  const unfolded = change({ heading_1: { is_toggleable: false } });
  expect(stopsBeingToggleable(heading, unfolded)).toBe(true);
  expect(stopsBeingToggleable(heading, change({ heading_1: { color: "red" } }))).toBe(false);
  expect(stopsBeingToggleable(unfolded, unfolded)).toBe(false);
});
