import type { BlockObjectRequest } from "@notionhq/client/build/src/api-endpoints.js";
import { collectPaginatedAPI, isFullBlock, iteratePaginatedAPI } from "@notionhq/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  addTopPage,
  expectRefusal,
  fullBlock,
  UNKNOWN,
  type Notion,
  openNotion,
  plainText,
  text,
  TIME,
  UUID,
} from "./setup.js";

let notion: Notion;
let page_id: string;
let me: string;

beforeAll(async () => {
  notion = await openNotion();
  page_id = await addTopPage(notion, "Page");
  me = (await notion.client.users.me({})).id;
});
afterAll(() => notion.service.close());

/** Appends blocks of any shape, and returns the response. */
async function append(parent: string, children: unknown[], after?: string) {
  const list = await notion.client.blocks.children.append({
    block_id: parent,
    children: children as BlockObjectRequest[],
    ...(after === undefined ? {} : { after }),
  });
  return list.results.map(fullBlock);
}

/** Appends a block and returns it. */
async function add(block: unknown, parent = page_id) {
  const [first] = await append(parent, [block]);
  if (first === undefined) throw new Error("No block was appended.");
  return first;
}

/** Lists the texts or types of a parent's children in order. */
async function listChildren(block_id: string): Promise<string> {
  const { results } = await notion.client.blocks.children.list({ block_id });
  return results
    .map((child) => {
      const block = fullBlock(child);
      return block.type === "paragraph"
        ? block.paragraph.rich_text.map((item) => item.plain_text).join("")
        : block.type;
    })
    .join(" ");
}

const paragraph = (content: string, children?: unknown[]) => ({
  paragraph: { rich_text: text(content), ...(children ? { children } : {}) },
});
const url = "https://example.com/a.png";
const rich = { rich_text: text("t") };
const shown = { rich_text: plainText("t") };

// Type, content in the request, and content in the response.
const TYPES: [string, object, object][] = [
  ["paragraph", rich, { ...shown, color: "default" }],
  ["paragraph", { rich_text: [], color: "blue_background" }, { rich_text: [], color: "blue_background" }],
  ["bulleted_list_item", rich, { ...shown, color: "default" }],
  ["numbered_list_item", { ...rich, color: "red" }, { ...shown, color: "red" }],
  ["quote", rich, { ...shown, color: "default" }],
  ["toggle", rich, { ...shown, color: "default" }],
  ["to_do", rich, { ...shown, checked: false, color: "default" }],
  ["to_do", { ...rich, checked: true }, { ...shown, checked: true }],
  ["heading_1", rich, { ...shown, color: "default", is_toggleable: false }],
  ["heading_2", { ...rich, is_toggleable: true }, { ...shown, is_toggleable: true }],
  ["heading_3", { ...rich, color: "gray" }, { ...shown, color: "gray" }],
  [
    "callout",
    { ...rich, icon: { emoji: "💡" } },
    { ...shown, icon: { type: "emoji", emoji: "💡" }, color: "default" },
  ],
  ["callout", { ...rich, icon: { external: { url } } }, { icon: { type: "external", external: { url } } }],
  ["code", { ...rich, language: "typescript" }, { ...shown, language: "typescript", caption: [] }],
  [
    "code",
    { ...rich, language: "plain text", caption: text("c") },
    { language: "plain text", caption: plainText("c") },
  ],
  ["equation", { expression: "x^2" }, { expression: "x^2" }],
  ["divider", {}, {}],
  ["breadcrumb", {}, {}],
  ["table_of_contents", {}, { color: "default" }],
  ["table_of_contents", { color: "green" }, { color: "green" }],
  ["bookmark", { url }, { url, caption: [] }],
  ["bookmark", { url, caption: text("c") }, { url, caption: plainText("c") }],
  ["embed", { url }, { url, caption: [] }],
  ["image", { external: { url } }, { type: "external", external: { url }, caption: [] }],
  ["image", { type: "external", external: { url }, caption: text("c") }, { caption: plainText("c") }],
  ["video", { external: { url } }, { type: "external", external: { url }, caption: [] }],
  ["pdf", { external: { url } }, { type: "external", external: { url }, caption: [] }],
  ["audio", { external: { url } }, { type: "external", external: { url }, caption: [] }],
  ["file", { external: { url } }, { type: "external", external: { url }, caption: [] }],
  ["file", { external: { url }, name: "n.txt" }, { name: "n.txt" }],
  ["synced_block", { synced_from: null }, { synced_from: null }],
];

describe("a block of the type", () => {
  test.each(TYPES)("%s %j is appended, retrieved and listed", async (type, content, expected) => {
    for (const block of [{ [type]: content }, { object: "block", type, [type]: content }]) {
      const added = await add(block);
      expect(added).toMatchObject({
        object: "block",
        type,
        [type]: expected,
        parent: { type: "page_id", page_id },
        has_children: false,
        archived: false,
        in_trash: false,
        created_by: { object: "user", id: me },
        last_edited_by: { object: "user", id: me },
      });
      expect(added.id).toMatch(UUID);
      expect(added.created_time).toMatch(TIME);
      expect(await notion.client.blocks.retrieve({ block_id: added.id })).toMatchObject(added);
    }
  });

  test("link_to_page refers to a page or a database", async () => {
    expect(await add({ link_to_page: { page_id } })).toMatchObject({
      link_to_page: { type: "page_id", page_id },
    });
    const database_id = notion.rootDatabaseId;
    expect(await add({ link_to_page: { type: "database_id", database_id } })).toMatchObject({
      link_to_page: { type: "database_id", database_id },
    });
    await expectRefusal(append(page_id, [{ link_to_page: { page_id: UNKNOWN } }]), "object_not_found");
  });

  test("synced_block shows the children of the original", async () => {
    const original = await add({ synced_block: { synced_from: null, children: [paragraph("inside")] } });
    expect(original.has_children).toBe(true);
    const copy = await add({ synced_block: { synced_from: { block_id: original.id } } });
    expect(copy).toMatchObject({
      synced_block: { synced_from: { type: "block_id", block_id: original.id } },
      has_children: true,
    });
    expect(await notion.client.blocks.retrieve({ block_id: copy.id })).toEqual(copy);
  });

  test("table accepts only rows of its width", async () => {
    const row = (...cells: string[]) => ({ table_row: { cells: cells.map(text) } });
    const table = await add({
      table: { table_width: 2, has_column_header: true, children: [row("a", "b"), row("c", "d")] },
    });
    expect(table).toMatchObject({
      type: "table",
      table: { table_width: 2, has_column_header: true, has_row_header: false },
      has_children: true,
    });
    const { results } = await notion.client.blocks.children.list({ block_id: table.id });
    expect(results).toMatchObject([
      {
        type: "table_row",
        table_row: { cells: [plainText("a"), plainText("b")] },
        parent: { type: "block_id", block_id: table.id },
      },
      { table_row: { cells: [plainText("c"), plainText("d")] } },
    ]);
    expect(await append(table.id, [row("e", "f")])).toMatchObject([{ type: "table_row" }]);
    await expectRefusal(append(table.id, [row("e")]), "validation_error");
    await expectRefusal(append(table.id, [paragraph("no")]), "validation_error");
    await expectRefusal(append(page_id, [{ table: { table_width: 2, children: [] } }]), "validation_error");
    await expectRefusal(append(page_id, [{ table: { table_width: 2 } }]), "validation_error");
    await expectRefusal(
      append(page_id, [{ table: { table_width: 2, children: [row("a", "b", "c")] } }]),
      "validation_error",
    );
    await expectRefusal(append(page_id, [row("a")]), "validation_error");
  });

  test("column_list has at least two columns, each with content", async () => {
    const column = (...children: unknown[]) => ({ column: { children } });
    const list = await add({
      column_list: { children: [column(paragraph("left")), column(paragraph("right"), paragraph("below"))] },
    });
    expect(list).toMatchObject({ type: "column_list", column_list: {}, has_children: true });
    const columns = (await notion.client.blocks.children.list({ block_id: list.id })).results.map(fullBlock);
    expect(columns).toMatchObject([
      { type: "column", column: {}, has_children: true },
      { type: "column", has_children: true },
    ]);
    expect(await listChildren(columns[1]?.id ?? "")).toBe("right below");
    await expectRefusal(
      append(page_id, [{ column_list: { children: [column(paragraph("x"))] } }]),
      "validation_error",
    );
    await expectRefusal(append(page_id, [{ column_list: {} }]), "validation_error");
    await expectRefusal(append(page_id, [column(paragraph("x"))]), "validation_error");
    await expectRefusal(append(list.id, [paragraph("x")]), "validation_error");
  });

  test.each([
    ["an unknown type", { wish: {} }],
    ["no type", {}],
    ["two types", { paragraph: rich, quote: rich }],
    ["a type that differs from the content", { type: "quote", paragraph: rich }],
    ["child_page", { child_page: { title: "no" } }],
    ["child_database", { child_database: { title: "no" } }],
    ["link_preview", { link_preview: { url } }],
    ["unsupported", { unsupported: {} }],
    ["code without a language", { code: rich }],
    ["code in an unknown language", { code: { ...rich, language: "klingon" } }],
    ["an unknown color", { paragraph: { ...rich, color: "mauve" } }],
    ["a string as rich text", { paragraph: { rich_text: "t" } }],
    ["paragraph without text", { paragraph: {} }],
    ["a bookmark without an address", { bookmark: {} }],
    ["an image without a file", { image: { caption: [] } }],
    ["a hosted image", { image: { file: { url, expiry_time: "2030-01-01T00:00:00.000Z" } } }],
    ["a too long equation", { equation: { expression: "x".repeat(1001) } }],
    ["children of a divider", { divider: { children: [paragraph("x")] } }],
    ["children of a plain heading", { heading_1: { ...rich, children: [paragraph("x")] } }],
    ["a copy of an unknown synced block", { synced_block: { synced_from: { block_id: UNKNOWN } } }],
  ])("%s is refused", async (_, block) => {
    const before = await listChildren(page_id);
    const error = await expectRefusal(append(page_id, [paragraph("first"), block]), "validation_error").catch(
      (failed: unknown) => {
        if (JSON.stringify(block).includes(UNKNOWN)) {
          return expectRefusal(append(page_id, [block]), "object_not_found");
        }
        throw failed;
      },
    );
    expect(error.message).not.toBe("");
    expect(await listChildren(page_id)).toBe(before);
  });
});

describe("blocks.children.append", () => {
  test("keeps the order, and inserts after a block", async () => {
    const parent = await add({ toggle: rich });
    const [a, b, c] = await append(parent.id, [paragraph("a"), paragraph("b"), paragraph("c")]);
    expect(await listChildren(parent.id)).toBe("a b c");
    await append(parent.id, [paragraph("d")]);
    expect(await append(parent.id, [paragraph("e"), paragraph("f")], a?.id)).toMatchObject([
      { type: "paragraph", paragraph: { rich_text: plainText("e") } },
      { paragraph: { rich_text: plainText("f") } },
    ]);
    await append(parent.id, [paragraph("g")], c?.id.replaceAll("-", ""));
    expect(await listChildren(parent.id)).toBe("a e f b c g d");
    for (let index = 0; index < 40; index += 1) await append(parent.id, [paragraph(`${index}`)], b?.id);
    const numbers = Array.from({ length: 40 }, (_, index) => 39 - index).join(" ");
    expect(await listChildren(parent.id)).toBe(`a e f b ${numbers} c g d`);
  });

  test("returns the new blocks of the first level", async () => {
    const list = await notion.call("patch", `blocks/${page_id}/children`, {
      children: [paragraph("one", [paragraph("inner")]), { divider: {} }],
    });
    expect(list).toMatchObject({
      object: "list",
      type: "block",
      block: {},
      has_more: false,
      next_cursor: null,
    });
    expect(list.results).toMatchObject([
      { type: "paragraph", has_children: true },
      { type: "divider", has_children: false },
    ]);
    expect(JSON.stringify(list.results)).not.toContain("inner");
  });

  test("accepts two nested levels, but not three", async () => {
    const top = await add({
      toggle: { ...rich, children: [paragraph("1", [paragraph("2"), paragraph("3")])] },
    });
    expect(await listChildren(top.id)).toBe("1");
    const [inner] = (await notion.client.blocks.children.list({ block_id: top.id })).results.map(fullBlock);
    expect(inner).toMatchObject({ has_children: true, parent: { type: "block_id", block_id: top.id } });
    expect(await listChildren(inner?.id ?? "")).toBe("2 3");
    await expectRefusal(
      append(page_id, [paragraph("0", [paragraph("1", [paragraph("2", [paragraph("3")])])])]),
      "validation_error",
    );
  });

  test("accepts at most a hundred blocks", async () => {
    const parent = await add({ toggle: rich });
    const many = Array.from({ length: 100 }, (_, index) => paragraph(`${index}`));
    expect(await append(parent.id, many)).toHaveLength(100);
    await expectRefusal(
      append(parent.id, [...many, paragraph("one more")]),
      "validation_error",
      /body\.children\.length should be ≤ `100`/,
    );
    const wide = Array.from({ length: 11 }, () =>
      paragraph(
        "x",
        Array.from({ length: 99 }, () => paragraph("y")),
      ),
    );
    await expectRefusal(append(parent.id, wide), "validation_error", "1000");
  });

  test("refuses parents that cannot have children, and `after` that is not a child", async () => {
    const { id: divider } = await add({ divider: {} });
    await expectRefusal(append(divider, [paragraph("x")]), "validation_error");
    const { id: heading } = await add({ heading_1: rich });
    await expectRefusal(append(heading, [paragraph("x")]), "validation_error");
    const { id: toggleable } = await add({ heading_1: { ...rich, is_toggleable: true } });
    expect(await append(toggleable, [paragraph("x")])).toHaveLength(1);
    await expectRefusal(append(page_id, [paragraph("x")], UNKNOWN), "validation_error").catch(() =>
      expectRefusal(append(page_id, [paragraph("x")], UNKNOWN), "object_not_found"),
    );
    const elsewhere = (await append(toggleable, [paragraph("y")]))[0]?.id;
    await expectRefusal(append(page_id, [paragraph("x")], elsewhere), "validation_error");
    await expectRefusal(
      append(page_id, [paragraph("x")], "here"),
      "validation_error",
      "body.after should be a valid uuid",
    );
    await expectRefusal(
      append(UNKNOWN, [paragraph("x")]),
      "object_not_found",
      `Could not find block with ID: ${UNKNOWN}`,
    );
    await expectRefusal(
      notion.call("patch", `blocks/${page_id}/children`, { after: UNKNOWN }),
      "validation_error",
      "body.children should be defined",
    );
  });

  test("appends to a page, and a page can be created with blocks", async () => {
    for (const key of ["children", "content"]) {
      const page = await notion.call("post", "pages", {
        parent: { page_id },
        properties: { title: text("With blocks") },
        [key]: [paragraph("one", [paragraph("two")]), { heading_2: rich }],
      });
      expect(await listChildren(page.id)).toBe("one heading_2");
    }
  });
});

describe("blocks.children.list", () => {
  test("pages through the children", async () => {
    const parent = await add({ toggle: rich });
    const added = await append(
      parent.id,
      Array.from({ length: 23 }, (_, index) => paragraph(`${index}`)),
    );
    const block_id = parent.id;
    const whole = await notion.client.blocks.children.list({ block_id });
    expect(whole).toMatchObject({
      object: "list",
      type: "block",
      block: {},
      has_more: false,
      next_cursor: null,
    });
    expect(whole.results.every(isFullBlock)).toBe(true);
    expect(whole.results.map(({ id }) => id)).toEqual(added.map(({ id }) => id));
    const first = await notion.client.blocks.children.list({ block_id, page_size: 10 });
    expect(first).toMatchObject({ has_more: true, next_cursor: added[10]?.id });
    for (const page_size of [1, 10, 23, 100]) {
      const all = await collectPaginatedAPI(notion.client.blocks.children.list, { block_id, page_size });
      expect(all).toEqual(whole.results);
    }
    const seen: string[] = [];
    for await (const { id } of iteratePaginatedAPI(notion.client.blocks.children.list, {
      block_id,
      page_size: 5,
    })) {
      seen.push(id);
    }
    expect(seen).toHaveLength(23);
  });

  test("is empty for a block without children", async () => {
    const { id } = await add({ toggle: rich });
    expect(await notion.client.blocks.children.list({ block_id: id })).toMatchObject({
      results: [],
      has_more: false,
      next_cursor: null,
    });
  });

  test("treats the text null as no cursor, and refuses invalid cursors", async () => {
    const list = await notion.call("get", `blocks/${page_id}/children?start_cursor=null&page_size=1`);
    expect(list.results).toHaveLength(1);
    await expectRefusal(
      notion.client.blocks.children.list({ block_id: page_id, start_cursor: "x" }),
      "validation_error",
      /query failed validation: query\.start_cursor should be a valid uuid/,
    );
    await expectRefusal(
      notion.client.blocks.children.list({ block_id: page_id, page_size: 101 }),
      "validation_error",
      "≤ `100`",
    );
    await expectRefusal(notion.client.blocks.children.list({ block_id: UNKNOWN }), "object_not_found");
    await expectRefusal(
      notion.client.blocks.children.list({ block_id: "x" }),
      "validation_error",
      "path.block_id",
    );
  });
});

describe("blocks.update", () => {
  test.each<[string, object, object, object]>([
    [
      "paragraph",
      { ...rich, color: "red" },
      { rich_text: text("new") },
      { rich_text: plainText("new"), color: "red" },
    ],
    ["paragraph", rich, { ...rich, color: "blue" }, { ...shown, color: "blue" }],
    ["to_do", rich, { checked: true }, { ...shown, checked: true }],
    [
      "heading_1",
      rich,
      { rich_text: text("h"), is_toggleable: true },
      { rich_text: plainText("h"), is_toggleable: true },
    ],
    [
      "callout",
      { ...rich, icon: { emoji: "💡" } },
      { icon: { emoji: "🔥" } },
      { ...shown, icon: { type: "emoji", emoji: "🔥" } },
    ],
    ["code", { ...rich, language: "c" }, { language: "rust" }, { ...shown, language: "rust" }],
    ["equation", { expression: "a" }, { expression: "b" }, { expression: "b" }],
    ["bookmark", { url }, { caption: text("c") }, { url, caption: plainText("c") }],
    ["embed", { url }, { url: "https://example.com/b" }, { url: "https://example.com/b" }],
    [
      "image",
      { external: { url } },
      { external: { url: "https://example.com/b" } },
      { external: { url: "https://example.com/b" } },
    ],
    ["file", { external: { url } }, { name: "n" }, { name: "n" }],
    ["table_of_contents", {}, { color: "red" }, { color: "red" }],
    ["divider", {}, {}, {}],
    ["quote", rich, { rich_text: [] }, { rich_text: [] }],
  ])("of a %s %j with %j", async (type, before, change, expected) => {
    const block = await add({ [type]: before });
    const changed = await notion.call("patch", `blocks/${block.id}`, { [type]: change });
    expect(changed).toMatchObject({ id: block.id, type, [type]: expected, created_time: block.created_time });
    expect(await notion.client.blocks.retrieve({ block_id: block.id })).toMatchObject({ [type]: expected });
  });

  test("updates a table and its rows", async () => {
    const row = (...cells: string[]) => ({ table_row: { cells: cells.map(text) } });
    const table = await add({ table: { table_width: 2, children: [row("a", "b")] } });
    const changed = await notion.client.blocks.update({
      block_id: table.id,
      table: { has_row_header: true },
    });
    expect(changed).toMatchObject({ table: { has_row_header: true, table_width: 2 } });
    const [first] = (await notion.client.blocks.children.list({ block_id: table.id })).results;
    const block_id = first?.id ?? "";
    expect(await notion.client.blocks.update({ block_id, ...row("x", "y") } as never)).toMatchObject({
      table_row: { cells: [plainText("x"), plainText("y")] },
    });
    await expectRefusal(notion.client.blocks.update({ block_id, ...row("x") } as never), "validation_error");
  });

  test("refuses other types, children and blocks in the trash", async () => {
    const { id } = await add(paragraph("p"));
    const patch = (body: object) => notion.call("patch", `blocks/${id}`, body);
    await expectRefusal(patch({ quote: rich }), "validation_error", "Expected block type paragraph");
    await expectRefusal(patch({ paragraph: { ...rich, children: [paragraph("x")] } }), "validation_error");
    await expectRefusal(
      patch({ paragraph: { rich_text: text("x".repeat(2001)) } }),
      "validation_error",
      "≤ `2000`",
    );
    await expectRefusal(notion.call("patch", `blocks/${UNKNOWN}`, { paragraph: rich }), "object_not_found");
    await patch({ in_trash: true });
    await expectRefusal(patch({ paragraph: rich }), "validation_error", "Can't edit block that is archived");
    expect(await patch({ archived: false })).toMatchObject({ archived: false, in_trash: false });
    expect(await patch({ paragraph: rich })).toMatchObject({ paragraph: shown });
  });
});

describe("blocks.delete", () => {
  test("moves the block to the trash and returns it", async () => {
    const parent = await add({ toggle: rich });
    const [a] = await append(parent.id, [paragraph("a"), paragraph("b")]);
    const block_id = a?.id ?? "";
    expect(await notion.client.blocks.delete({ block_id })).toMatchObject({
      object: "block",
      id: block_id,
      archived: true,
      in_trash: true,
      type: "paragraph",
    });
    expect(await listChildren(parent.id)).toBe("b");
    expect(await notion.client.blocks.retrieve({ block_id })).toMatchObject({ in_trash: true });
    // Deleting it again changes nothing. The response does not matter.
    await notion.client.blocks.delete({ block_id }).catch((error: unknown) => error);
    await notion.client.blocks.update({ block_id, archived: false } as never);
    expect(await listChildren(parent.id)).toBe("a b");
    await expectRefusal(notion.client.blocks.delete({ block_id: UNKNOWN }), "object_not_found");
  });

  test("includes its children and updates has_children", async () => {
    const parent = await add({ toggle: { ...rich, children: [paragraph("only")] } });
    const [only] = (await notion.client.blocks.children.list({ block_id: parent.id })).results;
    const retrieve = async () => fullBlock(await notion.client.blocks.retrieve({ block_id: parent.id }));
    expect((await retrieve()).has_children).toBe(true);
    await notion.client.blocks.delete({ block_id: only?.id ?? "" });
    expect((await retrieve()).has_children).toBe(false);
    await notion.client.blocks.update({ block_id: only?.id ?? "", in_trash: false } as never);
    expect((await retrieve()).has_children).toBe(true);
    await notion.client.blocks.delete({ block_id: parent.id });
    expect(await notion.client.blocks.retrieve({ block_id: only?.id ?? "" })).toMatchObject({
      in_trash: true,
    });
    await notion.client.blocks.update({ block_id: parent.id, in_trash: false } as never);
    expect(await notion.client.blocks.retrieve({ block_id: only?.id ?? "" })).toMatchObject({
      in_trash: false,
    });
  });
});
