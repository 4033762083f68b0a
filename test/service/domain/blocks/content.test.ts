import { describe, expect, test } from "vitest";
import {
  changeContent,
  createContent,
  parseTypedContent,
  findContentTypes,
} from "../../../../src/domain/blocks/content.js";
import type { BlockInputOrChange } from "../../../../src/domain/blocks/block.js";
const ID = "0191d5a2-9c40-7f7e-8d21-64b1f0a7c915";

function create(input: BlockInputOrChange): unknown {
  return createContent(parseTypedContent(input, "body.children[0]"), "body.children[0].it");
}

function change(stored: object, input: BlockInputOrChange): unknown {
  return changeContent({ ...stored }, parseTypedContent(input, "body"), "body.it");
}

describe("the type of a block input", () => {
  test("is the single key that is named like a type", () => {
    expect(parseTypedContent({ type: "divider", divider: {} }, "body").kind).toBe("divider");
    expect(findContentTypes({ quote: {}, code: {} })).toEqual(["quote", "code"]);
  });

  test.each<[BlockInputOrChange]>([
    [{}],
    [{ type: "quote" }],
    [{ quote: {}, code: {} }],
    [{ type: "code", quote: {} }],
  ])("%j is refused", (input) => {
    expect(() => parseTypedContent(input, "body.children[3]")).toThrow(
      /body failed validation: body\.children\[3\]/,
    );
  });
});

describe("the content of a new block", () => {
  test.each<[string, BlockInputOrChange, object]>([
    ["a paragraph", { paragraph: { rich_text: [] } }, { rich_text: [], color: "default" }],
    ["a heading", { heading_1: {} }, { color: "default", is_toggleable: false }],
    ["a to-do", { to_do: { checked: true } }, { checked: true, color: "default" }],
    [
      "a callout",
      { callout: { icon: { emoji: "🌱" } } },
      { icon: { type: "emoji", emoji: "🌱" }, color: "default" },
    ],
    [
      "a callout without an icon",
      { callout: {} },
      { icon: { type: "emoji", emoji: "💡" }, color: "default" },
    ],
    ["a callout with null as its icon", { callout: { icon: null } }, { icon: null, color: "default" }],
    ["code", { code: { language: "rust" } }, { language: "rust", caption: [] }],
    ["an equation", { equation: { expression: "x" } }, { expression: "x" }],
    ["a divider", { divider: {} }, {}],
    [
      "a table",
      { table: { table_width: 3, children: [] } },
      { table_width: 3, has_column_header: false, has_row_header: false },
    ],
    ["a column list", { column_list: { children: [] } }, {}],
    ["a synced block", { synced_block: { synced_from: null } }, { synced_from: null }],
    [
      "a copy of a synced block",
      { synced_block: { synced_from: { block_id: ID.replaceAll("-", "") } } },
      { synced_from: { type: "block_id", block_id: ID } },
    ],
    ["a link", { link_to_page: { database_id: ID.toUpperCase() } }, { type: "database_id", database_id: ID }],
    [
      "an image",
      { image: { external: { url: "https://example.org/a.png" } } },
      { type: "external", external: { url: "https://example.org/a.png" }, caption: [] },
    ],
  ])("%s has the given fields, and defaults for the others", (_, input, content) => {
    expect(create(input)).toEqual(content);
  });

  test("a file without a name is named after the end of its URL", () => {
    for (const [url, name] of [
      ["https://example.org/a/b%20c.pdf?x=1", "b c.pdf"],
      ["https://example.org/a/", "a"],
      ["https://example.org/100%", "100%"],
      ["https://example.org", ""],
    ] as const) {
      expect(create({ file: { external: { url } } })).toMatchObject({ name });
    }
    expect(create({ file: { name: "mine", external: { url: "https://example.org/a" } } })).toMatchObject({
      name: "mine",
    });
  });

  test("is refused for rich text or a link without exactly one type", () => {
    expect(() => create({ paragraph: { rich_text: [{}] } })).toThrow(
      /body\.children\[0\]\.it\.rich_text\[0\]/,
    );
    expect(() => create({ link_to_page: {} })).toThrow(/body\.children\[0\]\.it/);
    expect(() => create({ link_to_page: { page_id: ID, database_id: ID } })).toThrow(
      /body\.children\[0\]\.it/,
    );
  });
});

describe("the content after a change", () => {
  test("replaces only the given fields", () => {
    const stored = { rich_text: [], checked: false, color: "red" };
    expect(change(stored, { to_do: { checked: true } })).toEqual({ ...stored, checked: true });
    expect(change(stored, { to_do: {} })).toEqual(stored);
  });

  test("of a link is only the new link", () => {
    expect(change({ type: "page_id", page_id: "x" }, { link_to_page: { comment_id: ID } })).toEqual({
      type: "comment_id",
      comment_id: ID,
    });
  });

  test("the reference of a synced block cannot be changed", () => {
    const stored = { synced_from: null };
    expect(change(stored, { synced_block: { synced_from: null } })).toEqual(stored);
    expect(() => change(stored, { synced_block: { synced_from: { block_id: ID } } })).toThrow(
      /body\.it\.synced_from should be unchanged/,
    );
  });
});
