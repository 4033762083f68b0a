import { describe, expect, test } from "vitest";
import {
  addDatabase,
  addRow,
  addTopPage,
  connectNotion,
  expectRefusal,
  fullBlock,
  fullPage,
  type Notion,
  plainText,
  text,
} from "./setup.js";

async function addPage(notion: Notion, page_id: string, titled: string): Promise<string> {
  return (
    await notion.client.pages.create({ parent: { page_id }, properties: { title: { title: text(titled) } } })
  ).id;
}

const listTypes = async ({ client }: Notion, block_id: string): Promise<string[]> =>
  (await client.blocks.children.list({ block_id })).results.map((block) => fullBlock(block).type);

const isInTrash = async ({ client }: Notion, block_id: string): Promise<boolean> =>
  fullBlock(await client.blocks.retrieve({ block_id })).in_trash;

describe("a page is a block", () => {
  test("of the type child_page, with its title", async () => {
    const notion = await connectNotion();
    const top = await addTopPage(notion, "Top");
    const child = await addPage(notion, top, "Child");
    expect(await notion.client.blocks.retrieve({ block_id: child })).toMatchObject({
      object: "block",
      id: child,
      type: "child_page",
      child_page: { title: "Child" },
      parent: { type: "page_id", page_id: top },
      has_children: false,
      in_trash: false,
    });
    expect(await notion.client.blocks.retrieve({ block_id: top })).toMatchObject({
      type: "child_page",
      child_page: { title: "Top" },
      parent: { type: "workspace", workspace: true },
      has_children: true,
    });
    await notion.client.pages.update({ page_id: child, properties: { title: { title: text("Renamed") } } });
    const { results } = await notion.client.blocks.children.list({ block_id: top });
    expect(results).toMatchObject([{ id: child, type: "child_page", child_page: { title: "Renamed" } }]);
  });

  test("in a database", async () => {
    const notion = await connectNotion();
    const { id: database_id } = await addDatabase(notion);
    const row = await addRow(notion, database_id, "Row");
    expect(await notion.client.blocks.retrieve({ block_id: row.id })).toMatchObject({
      type: "child_page",
      child_page: { title: "Row" },
      parent: { type: "database_id", database_id },
    });
    await notion.client.blocks.children.append({ block_id: row.id, children: [{ divider: {} }] });
    expect(await isInTrash(notion, row.id)).toBe(false);
    expect(fullBlock(await notion.client.blocks.retrieve({ block_id: row.id })).has_children).toBe(true);
  });

  test("like a database, which has the type child_database", async () => {
    const notion = await connectNotion();
    const top = await addTopPage(notion);
    const { id } = await addDatabase(notion, {}, top);
    const expected = { object: "block", id, type: "child_database", child_database: { title: "Database" } };
    expect(await notion.client.blocks.retrieve({ block_id: id })).toMatchObject(expected);
    expect((await notion.client.blocks.children.list({ block_id: top })).results).toMatchObject([expected]);
  });

  test("at the position among other blocks where it was created", async () => {
    const notion = await connectNotion();
    const top = await addTopPage(notion);
    const { results } = await notion.client.blocks.children.append({
      block_id: top,
      children: [{ divider: {} }, { breadcrumb: {} }],
    });
    const child = await addPage(notion, top, "Child");
    await notion.client.blocks.children.append({
      block_id: top,
      children: [{ paragraph: { rich_text: [] } }],
    });
    expect(await listTypes(notion, top)).toEqual(["divider", "breadcrumb", "child_page", "paragraph"]);
    await notion.client.blocks.children.append({
      block_id: top,
      children: [{ quote: { rich_text: [] } }],
      after: child,
    });
    await notion.client.blocks.delete({ block_id: results[0]?.id ?? "" });
    expect(await listTypes(notion, top)).toEqual(["breadcrumb", "child_page", "quote", "paragraph"]);
  });

  test("that can be moved to the trash as a block", async () => {
    const notion = await connectNotion();
    const top = await addTopPage(notion);
    const child = await addPage(notion, top, "Child");
    expect(await notion.client.blocks.delete({ block_id: child })).toMatchObject({
      type: "child_page",
      in_trash: true,
    });
    expect(await notion.client.pages.retrieve({ page_id: child })).toMatchObject({
      in_trash: true,
      archived: true,
    });
    expect(await listTypes(notion, top)).toEqual([]);
    await notion.client.pages.update({ page_id: child, in_trash: false });
    expect(await listTypes(notion, top)).toEqual(["child_page"]);
  });
});

describe("the trash", () => {
  test("includes the content, and restoring restores exactly that", async () => {
    const notion = await connectNotion();
    const { client } = notion;
    const top = await addTopPage(notion);
    const child = await addPage(notion, top, "Child");
    const { results } = await client.blocks.children.append({
      block_id: child,
      children: [
        { toggle: { rich_text: text("t"), children: [{ paragraph: { rich_text: text("in") } }] } },
        { divider: {} },
      ],
    });
    const [toggle, divider] = results.map(({ id }) => id);
    const inner = (await client.blocks.children.list({ block_id: toggle ?? "" })).results[0]?.id ?? "";
    const database = await addDatabase(notion, {}, child);
    const row = await addRow(notion, database.id, "Row");
    const grandchild = await addPage(notion, row.id, "Grandchild");
    const beneath = [child, toggle ?? "", inner, database.id, row.id, grandchild];

    // Deleted separately, so it is not restored with the others.
    await client.blocks.delete({ block_id: divider ?? "" });
    await client.pages.update({ page_id: top, archived: true });
    for (const id of [...beneath, divider ?? ""]) expect(await isInTrash(notion, id), id).toBe(true);
    expect(await client.databases.retrieve({ database_id: database.id })).toMatchObject({ in_trash: true });
    expect((await client.search({})).results.map(({ id }) => id)).toEqual([notion.rootDatabaseId]);

    await client.pages.update({ page_id: top, archived: false });
    for (const id of beneath) expect(await isInTrash(notion, id), id).toBe(false);
    expect(await isInTrash(notion, divider ?? "")).toBe(true);
    expect(await listTypes(notion, child)).toEqual(["toggle", "child_database"]);
    expect((await client.databases.query({ database_id: database.id })).results).toHaveLength(1);
  });

  test("restores a page, but not content of a page that stays in the trash", async () => {
    const notion = await connectNotion();
    const top = await addTopPage(notion);
    const child = await addPage(notion, top, "Child");
    const low = await addPage(notion, child, "Low");
    await notion.client.pages.update({ page_id: low, in_trash: true });
    await notion.client.pages.update({ page_id: child, in_trash: true });
    await notion.client.pages.update({ page_id: child, in_trash: false });
    expect(await isInTrash(notion, low)).toBe(true);
    await notion.client.pages.update({ page_id: low, in_trash: false });
    expect(await listTypes(notion, child)).toEqual(["child_page"]);
  });

  test("refuses edits and new children of its pages", async () => {
    const notion = await connectNotion();
    const top = await addTopPage(notion);
    const page_id = await addPage(notion, top, "Page");
    const before = fullPage(await notion.client.pages.update({ page_id, in_trash: true }));
    expect(before).toMatchObject({
      archived: true,
      in_trash: true,
      properties: { title: { title: plainText("Page") } },
    });
    await expectRefusal(
      notion.client.pages.update({ page_id, properties: { title: { title: text("No") } } }),
      "validation_error",
      /^Can't edit/,
    );
    await expectRefusal(
      notion.client.pages.update({ page_id, icon: { emoji: "🚫" } as never }),
      "validation_error",
      /^Can't edit/,
    );
    await expectRefusal(
      notion.client.blocks.children.append({ block_id: page_id, children: [{ divider: {} }] }),
      "validation_error",
      /^Can't edit/,
    );
    await expectRefusal(
      notion.client.pages.create({ parent: { page_id }, properties: {} }),
      "validation_error",
    );
    await expectRefusal(
      notion.client.databases.create({ parent: { page_id }, properties: { Name: { title: {} } } }),
      "validation_error",
    );
    // Changed in the request that restores it.
    const after = await notion.call("patch", `pages/${page_id}`, { in_trash: false });
    expect(after).toMatchObject({ in_trash: false, archived: false });
  });

  test.each(["archived", "in_trash"])("can be changed with %s", async (field) => {
    const notion = await connectNotion();
    const row = await addRow(notion, (await addDatabase(notion)).id, "Row");
    expect(await notion.call("patch", `pages/${row.id}`, { [field]: true })).toMatchObject({
      archived: true,
      in_trash: true,
    });
    expect(await notion.call("patch", `pages/${row.id}`, { [field]: true })).toMatchObject({
      in_trash: true,
    });
    expect(await notion.call("patch", `pages/${row.id}`, { [field]: false })).toMatchObject({
      archived: false,
      in_trash: false,
    });
  });
});
