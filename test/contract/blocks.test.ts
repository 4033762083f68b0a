import { describe, expect, test } from "vitest";
import type { CreatableType } from "../../src/domain/blocks/block.js";
import {
  append,
  type BlockChange,
  type BlockInput,
  childrenOf,
  otherText,
  paragraph,
  textOf,
} from "../support/blocks.js";
import {
  addPage,
  connect,
  readError,
  getError,
  title,
  UUID,
  UNKNOWN,
  text,
  plainText,
} from "../support/contract.js";

const address = "https://example.org/a%20b.pdf";
const external = { url: address };

interface Sample {
  readonly input: BlockInput;
  /** Content in the response, below the name of the type. */
  readonly content: object;
  /** An update of the block, and the content in its response. */
  readonly change?: BlockChange;
  readonly changed?: object;
  readonly hasChildren?: boolean;
}

const heading = (type: "heading_1" | "heading_2" | "heading_3"): Sample => ({
  input: { [type]: { rich_text: text("a") } },
  content: { rich_text: plainText("a"), color: "default", is_toggleable: false },
  change: { [type]: { rich_text: text("b"), is_toggleable: true } },
  changed: { rich_text: plainText("b"), color: "default", is_toggleable: true },
});
const plain = (
  type: "paragraph" | "bulleted_list_item" | "numbered_list_item" | "toggle" | "quote",
): Sample => ({
  input: { [type]: { rich_text: text("a") } },
  content: { rich_text: plainText("a"), color: "default" },
  change: { [type]: { rich_text: text("b"), color: "blue_background" } },
  changed: { rich_text: plainText("b"), color: "blue_background" },
});
const url = (type: "bookmark" | "embed"): Sample => ({
  input: { [type]: { url: address } },
  content: { url: address, caption: [] },
  change: { [type]: { caption: text("b") } },
  changed: { url: address, caption: plainText("b") },
});
const media = (type: "image" | "video" | "pdf" | "audio"): Sample => ({
  input: { [type]: { type: "external", external } },
  content: { type: "external", external, caption: [] },
  change: { [type]: { external: { url: "https://example.org/c" }, caption: text("a") } },
  changed: { type: "external", external: { url: "https://example.org/c" }, caption: plainText("a") },
});
const empty = (type: "divider" | "breadcrumb"): Sample => ({ input: { [type]: {} }, content: {} });

const SAMPLES: Record<Exclude<CreatableType, "link_to_page" | "table_row" | "column">, Sample> = {
  paragraph: plain("paragraph"),
  heading_1: heading("heading_1"),
  heading_2: heading("heading_2"),
  heading_3: heading("heading_3"),
  bulleted_list_item: plain("bulleted_list_item"),
  numbered_list_item: plain("numbered_list_item"),
  to_do: {
    input: { to_do: { rich_text: text("a") } },
    content: { rich_text: plainText("a"), checked: false, color: "default" },
    change: { to_do: { checked: true } },
    changed: { rich_text: plainText("a"), checked: true, color: "default" },
  },
  toggle: plain("toggle"),
  quote: plain("quote"),
  callout: {
    input: { callout: { rich_text: text("a"), icon: { emoji: "💡" } } },
    content: { rich_text: plainText("a"), icon: { type: "emoji", emoji: "💡" }, color: "default" },
    change: { callout: { icon: { external }, color: "red" } },
    changed: { rich_text: plainText("a"), icon: { type: "external", external }, color: "red" },
  },
  code: {
    input: { code: { rich_text: text("a"), language: "plain text" } },
    content: { rich_text: plainText("a"), caption: [], language: "plain text" },
    change: { code: { language: "c#", caption: text("b") } },
    changed: { rich_text: plainText("a"), caption: plainText("b"), language: "c#" },
  },
  equation: {
    input: { equation: { expression: "e=mc^2" } },
    content: { expression: "e=mc^2" },
    change: { equation: { expression: "a+b" } },
    changed: { expression: "a+b" },
  },
  divider: empty("divider"),
  breadcrumb: empty("breadcrumb"),
  table_of_contents: {
    input: { table_of_contents: {} },
    content: { color: "default" },
    change: { table_of_contents: { color: "gray" } },
    changed: { color: "gray" },
  },
  bookmark: url("bookmark"),
  embed: url("embed"),
  image: media("image"),
  video: media("video"),
  pdf: media("pdf"),
  audio: media("audio"),
  file: {
    input: { file: { external } },
    content: { type: "external", external, caption: [], name: "a b.pdf" },
    change: { file: { name: "c.pdf" } },
    changed: { type: "external", external, caption: [], name: "c.pdf" },
  },
  synced_block: {
    input: { synced_block: { synced_from: null, children: [paragraph("a")] } },
    content: { synced_from: null },
    hasChildren: true,
  },
  template: {
    input: { template: { rich_text: text("a"), children: [paragraph("b")] } },
    content: { rich_text: plainText("a") },
    change: { template: { rich_text: text("b") } },
    changed: { rich_text: plainText("b") },
    hasChildren: true,
  },
  table: {
    input: {
      table: { table_width: 2, children: [{ table_row: { cells: [text("a"), []] } }], has_row_header: true },
    },
    content: { table_width: 2, has_column_header: false, has_row_header: true },
    change: { table: { has_column_header: true } },
    changed: { table_width: 2, has_column_header: true, has_row_header: true },
    hasChildren: true,
  },
  column_list: {
    input: {
      column_list: {
        children: [
          { column: { children: [paragraph("a")] } },
          { column: { children: [{ toggle: { rich_text: [], children: [paragraph("b")] } }] } },
        ],
      },
    },
    content: {},
    hasChildren: true,
  },
};

describe("a block is created, retrieved and updated:", () => {
  test("of each type", async () => {
    const { client, rootDatabaseId, send } = await connect();
    for (const [type, { input, content, change, changed, hasChildren }] of Object.entries(SAMPLES)) {
      const page = await addPage({ client, rootDatabaseId });
      const [created] = await append(client, page, [{ object: "block", ...input }]);
      expect(created, type).toEqual({
        object: "block",
        id: expect.stringMatching(UUID),
        parent: { type: "page_id", page_id: page },
        created_time: expect.any(String),
        last_edited_time: created?.created_time,
        created_by: { object: "user", id: expect.stringMatching(UUID) },
        last_edited_by: created?.created_by,
        has_children: hasChildren ?? false,
        archived: false,
        in_trash: false,
        type,
        [type]: content,
      });
      const path = { block_id: created?.id ?? "" };
      expect((await client.retrieveBlock({ path })).body).toEqual(created);
      expect(await childrenOf(client, page)).toEqual([created]);
      if (change) {
        const updated = await client.updateBlock({ path, body: change });
        expect(Object.entries(updated.body), type).toContainEqual([type, changed]);
        expect(updated.body.has_children).toBe(hasChildren ?? false);
      }
      const { body: retrieved } = await client.retrieveBlock({ path });
      const unchanged = await send("PATCH", `/v1/blocks/${path.block_id}`, retrieved);
      expect([unchanged.status, await unchanged.json()], type).toEqual([
        200,
        { ...retrieved, last_edited_time: expect.any(String) },
      ]);
      const same = await client.updateBlock({ path, body: {} });
      expect(Object.entries(same.body), type).toContainEqual([type, changed ?? content]);
      expect((await client.retrieveBlock({ path })).body).toEqual(same.body);
    }
  });

  test("and the width of a table cannot be changed", async () => {
    const { client, rootDatabaseId } = await connect();
    const page = await addPage({ client, rootDatabaseId });
    const [table] = await append(client, page, [SAMPLES.table.input]);
    const path = { block_id: table?.id ?? "" };
    const error = await getError(client.updateBlock({ path, body: { table: { table_width: 3 } } }));
    expect([error.status, error.message]).toEqual([
      400,
      "body failed validation: body.table.table_width should be unchanged, instead was `3`.",
    ]);
  });

  test("link_to_page", async () => {
    const { client, rootDatabaseId } = await connect();
    const page = await addPage({ client, rootDatabaseId });
    const comment = await client.createComment({
      body: { parent: { page_id: page }, rich_text: text("a") },
    });
    const [first, second, third] = await append(client, page, [
      { link_to_page: { page_id: page } },
      { link_to_page: { type: "database_id", database_id: rootDatabaseId.replaceAll("-", "") } },
      { link_to_page: { comment_id: comment.body.id } },
    ]);
    expect(first).toMatchObject({ link_to_page: { type: "page_id", page_id: page } });
    expect(second).toMatchObject({ link_to_page: { type: "database_id", database_id: rootDatabaseId } });
    expect(third).toMatchObject({ link_to_page: { type: "comment_id", comment_id: comment.body.id } });
    const path = { block_id: first?.id ?? "" };
    const changed = await client.updateBlock({
      path,
      body: { link_to_page: { database_id: rootDatabaseId } },
    });
    expect(changed.body).toMatchObject({
      link_to_page: { type: "database_id", database_id: rootDatabaseId },
    });
    for (const link_to_page of [{ page_id: rootDatabaseId }, { database_id: page }, { comment_id: page }]) {
      const error = await getError(append(client, page, [{ link_to_page }]));
      expect(error).toMatchObject({ status: 404, code: "object_not_found" });
    }
  });

  test("a copy of a synced_block shows the children of the original", async () => {
    const { client, rootDatabaseId } = await connect();
    const page = await addPage({ client, rootDatabaseId });
    const [original] = await append(client, page, [
      { synced_block: { synced_from: null, children: [paragraph("a")] } },
    ]);
    const block_id = original?.id ?? "";
    const synced_from = { type: "block_id" as const, block_id };
    const [reference] = await append(client, page, [{ synced_block: { synced_from: { block_id } } }]);
    expect(reference).toMatchObject({ synced_block: { synced_from } });
    const id = reference?.id ?? "";
    expect((await client.retrieveBlock({ path: { block_id: id } })).body.has_children).toBe(true);
    expect(await childrenOf(client, id)).toEqual(await childrenOf(client, block_id));
    await append(client, block_id, [paragraph("b")]);
    expect((await childrenOf(client, id)).map(textOf)).toEqual(["a", "b"]);
    // The reference cannot change; sending the same one is accepted.
    await client.updateBlock({ path: { block_id: id }, body: { synced_block: { synced_from } } });
    const refusals: [Promise<unknown>, RegExp][] = [
      [
        client.updateBlock({ path: { block_id: id }, body: { synced_block: { synced_from: null } } }),
        /synced_from/,
      ],
      [append(client, id, [paragraph("c")]), /^Block does not support children\.$/],
      [
        append(client, page, [{ synced_block: { synced_from: { block_id: id } } }]),
        /must be the ID of an original synced block/,
      ],
    ];
    for (const [call, message] of refusals) {
      expect(await getError(call)).toMatchObject({ status: 400, message: expect.stringMatching(message) });
    }
  });
});

describe("a page is a block:", () => {
  test("child_page has the page's id and title, and the page's content as children", async () => {
    const { client, rootDatabaseId } = await connect();
    const page = await addPage({ client, rootDatabaseId }, "Travel plans");
    const path = { block_id: page };
    const before = await client.retrieveBlock({ path });
    expect(before.body).toMatchObject({
      id: page,
      type: "child_page",
      child_page: { title: "Travel plans" },
      parent: { type: "database_id", database_id: rootDatabaseId },
      has_children: false,
    });
    await append(client, page.replaceAll("-", ""), [paragraph("a")]);
    expect((await client.retrieveBlock({ path })).body.has_children).toBe(true);
    await client.updatePage({ path: { page_id: page }, body: { properties: { Title: title("Holidays") } } });
    expect((await client.retrieveBlock({ path })).body).toMatchObject({ child_page: { title: "Holidays" } });
    const top = await client.createPage({ body: { parent: { workspace: true }, properties: {} } });
    expect((await client.retrieveBlock({ path: { block_id: top.body.id } })).body.parent).toEqual({
      type: "workspace",
      workspace: true,
    });
  });

  test("child_database has the database's id and no children", async () => {
    const { client, rootDatabaseId, send } = await connect();
    await addPage({ client, rootDatabaseId });
    const { body } = await client.retrieveBlock({ path: { block_id: rootDatabaseId } });
    expect(body).toMatchObject({
      type: "child_database",
      child_database: { title: "Pages" },
      has_children: false,
    });
    expect(await childrenOf(client, rootDatabaseId)).toEqual([]);
    const children = [paragraph("a")];
    const error = await readError(await send("PATCH", `/v1/blocks/${rootDatabaseId}/children`, { children }));
    expect(error).toMatchObject({ status: 400, message: "Block does not support children." });
  });

  test("changes of blocks update the page's last editor and time", async () => {
    const { client, rootDatabaseId, connect: another } = await connect();
    const page = await addPage({ client, rootDatabaseId });
    const other = await another({ workspaceName: "Test" });
    const read = async () => (await client.retrievePage({ path: { page_id: page } })).body;
    const edits: [string, () => Promise<unknown>][] = [];
    let block = "";
    edits.push([
      "append",
      async () => ([{ id: block } = { id: "" }] = await append(other.client, page, [paragraph("a")])),
    ]);
    edits.push(["append deeper", () => append(other.client, block, [paragraph("b")])]);
    edits.push([
      "update",
      () => other.client.updateBlock({ path: { block_id: block }, body: otherText("c") }),
    ]);
    edits.push(["delete", () => other.client.deleteBlock({ path: { block_id: block } })]);
    const body = { parent: { page_id: page } };
    edits.push([
      "add a page",
      () => other.client.createPage({ body: { ...body, properties: { title: title("Page") } } }),
    ]);
    edits.push([
      "add a database",
      () => other.client.createDatabase({ body: { ...body, properties: { Name: { title: {} } } } }),
    ]);
    for (const [what, edit] of edits) {
      await client.updatePage({ path: { page_id: page }, body: { icon: { emoji: "🧭" } } });
      const before = await read();
      await new Promise((resolve) => setTimeout(resolve, 2));
      await edit();
      const after = await read();
      expect([what, after.last_edited_by]).not.toEqual([what, before.last_edited_by]);
      expect([what, after.last_edited_time > before.last_edited_time]).toEqual([what, true]);
    }
  });
});

describe("refuses updates", () => {
  test("to another type, with children, of an unknown block and of a block in the trash", async () => {
    const { client, rootDatabaseId, send } = await connect();
    const page = await addPage({ client, rootDatabaseId });
    const [block] = await append(client, page, [paragraph("a")]);
    const path = `/v1/blocks/${block?.id}`;
    const wrong = await readError(await send("PATCH", path, { heading_1: { rich_text: [] } }));
    expect(wrong).toMatchObject({ status: 400, code: "validation_error" });
    expect(wrong.message).toMatch(/^Expected block type paragraph/);
    const byType = await readError(await send("PATCH", path, { type: "quote" }));
    expect(byType.message).toMatch(/^Expected block type paragraph/);
    const ofPage = await readError(await send("PATCH", `/v1/blocks/${page}`, paragraph("a")));
    expect(ofPage.message).toMatch(/^Expected block type child_page/);
    const children = await readError(await send("PATCH", path, { paragraph: { children: [] } }));
    expect(children.message).toBe(
      "body failed validation: body.paragraph.children should be not present, instead was `[]`.",
    );
    const unknown = await readError(await send("PATCH", `/v1/blocks/${UNKNOWN}`, {}));
    expect(unknown).toMatchObject({ status: 404, code: "object_not_found" });
    expect(unknown.message).toContain(`Could not find block with ID: ${UNKNOWN}`);
    for (const response of [await send("PATCH", "/v1/blocks/x", {}), await send("GET", "/v1/blocks/x")]) {
      expect((await readError(response)).message).toBe(
        'path failed validation: path.block_id should be a valid uuid, instead was `"x"`.',
      );
    }

    expect((await send("DELETE", path)).status).toBe(200);
    const inTrash = await readError(await send("PATCH", path, paragraph("b")));
    expect(inTrash).toMatchObject({ status: 400, code: "validation_error" });
    expect(inTrash.message).toMatch(/^Can't edit block that is archived/);
    const refused = await readError(await send("PATCH", `${path}/children`, { children: [paragraph("b")] }));
    expect(refused.message).toMatch(/^Can't edit block that is archived/);
    // Restored and changed in one request.
    const back = await (await send("PATCH", path, { ...paragraph("b"), archived: false })).json();
    expect(back).toMatchObject({
      in_trash: false,
      archived: false,
      paragraph: { rich_text: plainText("b") },
    });
  });

  test("of a row to a wrong number of cells, and of a heading with children to one that is not toggleable", async () => {
    const { client, rootDatabaseId } = await connect();
    const page = await addPage({ client, rootDatabaseId });
    const [table, folded] = await append(client, page, [
      { table: { table_width: 1, children: [{ table_row: { cells: [text("a")] } }] } },
      { heading_1: { rich_text: [], is_toggleable: true, children: [paragraph("a")] } },
    ]);
    const [row] = await childrenOf(client, table?.id ?? "");
    const change = (id: string | undefined, body: BlockChange) =>
      client.updateBlock({ path: { block_id: id ?? "" }, body });
    const changed = await change(row?.id, { table_row: { cells: [text("b")] } });
    expect(changed.body).toMatchObject({ table_row: { cells: [plainText("b")] } });
    expect((await getError(change(row?.id, { table_row: { cells: [] } }))).message).toMatch(
      /^Number of cells in table row must match the table width/,
    );
    const unfold = { heading_1: { is_toggleable: false, rich_text: [] } };
    const message = "A heading with children must stay toggleable.";
    expect((await getError(change(folded?.id, unfold))).message).toBe(message);
    // Children in the trash can be restored.
    const [child] = await childrenOf(client, folded?.id ?? "");
    await client.deleteBlock({ path: { block_id: child?.id ?? "" } });
    expect((await getError(change(folded?.id, unfold))).message).toBe(message);
    await client.deleteBlock({ path: { block_id: folded?.id ?? "" } });
    expect((await getError(change(folded?.id, { ...unfold, in_trash: false }))).message).toBe(message);
  });
});
