import { expect, test } from "vitest";
import { append, type Block, type BlockInput, childrenOf, paragraph } from "../support/blocks.js";
import { addPage, connect, readError } from "../support/contract.js";

const rows = (...widths: number[]): BlockInput[] =>
  widths.map((width) => ({ table_row: { cells: Array.from({ length: width }, () => []) } }));
const column = (...children: BlockInput[]): BlockInput => ({ column: { children } });
const toggle = (...children: BlockInput[]): BlockInput => ({ toggle: { rich_text: [], children } });

const VALID: Record<string, BlockInput> = {
  "two nested levels": paragraph("0", [paragraph("1", [paragraph("2")])]),
  "an empty list at the deepest level": toggle(toggle(toggle())),
  "an additional level inside of columns": {
    column_list: { children: [column(toggle(paragraph("3"))), column(paragraph("2"))] },
  },
  "a table in a toggle": toggle({ table: { table_width: 2, children: rows(2, 2) } }),
  "a table in a column": {
    column_list: {
      children: [column({ table: { table_width: 1, children: rows(1) } }), column(paragraph("2"))],
    },
  },
  "blocks in a toggleable heading": {
    heading_2: { rich_text: [], is_toggleable: true, children: [paragraph("1")] },
  },
};

const INVALID: Record<string, { children: unknown; message: string | RegExp }> = {
  "three nested levels": {
    children: [toggle(toggle(toggle(paragraph("3"))))],
    message:
      /^body failed validation: body\.children\[0\]\.toggle\.children\[0\]\.toggle\.children\[0\]\.toggle\.children should be not present/,
  },
  "four levels below columns": {
    children: [
      { column_list: { children: [column(toggle(toggle(paragraph("4")))), column(paragraph("2"))] } },
    ],
    message: /\.column\.children\[0\]\.toggle\.children\[0\]\.toggle\.children should be not present/,
  },
  "a table in the innermost level": {
    children: [toggle(toggle({ table: { table_width: 1, children: rows(1) } }))],
    message: /\.table\.children should be not present/,
  },
  "blocks in a heading that is not toggleable": {
    children: [{ heading_1: { rich_text: [], children: [paragraph("1")] } }],
    message: /body\.children\[0\]\.heading_1\.children should be not present/,
  },
  "blocks in code": {
    children: [{ code: { rich_text: [], language: "c", children: [] } }],
    message:
      "body failed validation: body.children[0].code.children should be not present, instead was `[]`.",
  },
  "a row outside of a table": {
    children: rows(1),
    message: /body\.children\[0\]\.table_row should be not present/,
  },
  "a column outside of a column list": {
    children: [column(paragraph("1"))],
    message: /body\.children\[0\]\.column should be not present/,
  },
  "a run without content in the second cell of a row": {
    children: [{ table: { table_width: 2, children: [{ table_row: { cells: [[], [{}]] } }] } }],
    message: /body\.children\[0\]\.table\.children\[0\]\.table_row\.cells\[1\]\[0\]\.text should be defined/,
  },
  "a paragraph in a table": {
    children: [{ table: { table_width: 1, children: [paragraph("1")] } }],
    message: /body\.children\[0\]\.table\.children\[0\]\.table_row should be defined/,
  },
  "a paragraph in a column list": {
    children: [{ column_list: { children: [paragraph("1"), paragraph("2")] } }],
    message: /body\.children\[0\]\.column_list\.children\[0\]\.column should be defined/,
  },
  "a row that is too long": {
    children: [{ table: { table_width: 2, children: rows(2, 3) } }],
    message: /^Number of cells in table row must match the table width of the parent table/,
  },
  "a table without rows": {
    children: [{ table: { table_width: 1, children: [] } }],
    message:
      "body failed validation: body.children[0].table.children.length should be ≥ `1`, instead was `0`.",
  },
  "a table without children": {
    children: [{ table: { table_width: 1 } }],
    message:
      "body failed validation: body.children[0].table.children should be defined, instead was `undefined`.",
  },
  "a single column": {
    children: [{ column_list: { children: [column(paragraph("1"))] } }],
    message: /body\.children\[0\]\.column_list\.children\.length should be ≥ `2`, instead was `1`/,
  },
  "an empty column": {
    children: [{ column_list: { children: [column(), column(paragraph("1"))] } }],
    message: /\.column\.children\.length should be ≥ `1`, instead was `0`/,
  },
  "no type": {
    children: [{ object: "block" }],
    message: "body failed validation: body.children[0].paragraph should be defined, instead was `undefined`.",
  },
  "a type without its content": {
    children: [{ type: "quote" }],
    message: "body failed validation: body.children[0].quote should be defined, instead was `undefined`.",
  },
  "two types": {
    children: [{ type: "paragraph", ...paragraph("1"), divider: {} }],
    message: "body failed validation: body.children[0].divider should be not present, instead was `{}`.",
  },
  "a type that differs from the content": {
    children: [{ type: "quote", ...paragraph("1") }],
    message: /body\.children\[0\]/,
  },
  "a child page": {
    children: [{ child_page: { title: "1" } }],
    message: /body\.children\[0\]\.child_page should be not present/,
  },
  "a child database": {
    children: [{ child_database: { title: "1" } }],
    message: /body\.children\[0\]\.child_database should be not present/,
  },
  "a link preview": {
    children: [{ link_preview: { url: "https://example.org" } }],
    message: /body\.children\[0\]\.link_preview should be not present/,
  },
  "an unsupported block": {
    children: [{ unsupported: {} }],
    message: /body\.children\[0\]\.unsupported should be not present/,
  },
  "a paragraph without text": {
    children: [{ paragraph: {} }],
    message: /paragraph\.rich_text should be defined/,
  },
  "a string as rich text": {
    children: [{ paragraph: { rich_text: "1" } }],
    message: /paragraph\.rich_text should be an array/,
  },
  "a bookmark without an address": {
    children: [{ bookmark: {} }],
    message: /bookmark\.url should be defined/,
  },
  "an image without a file": { children: [{ image: { caption: [] } }], message: /image/ },
  "a hosted image": {
    children: [{ image: { file: { url: "https://example.org", expiry_time: "2030-01-01T00:00:00.000Z" } } }],
    message: /image\.external should be defined/,
  },
  "code without a language": {
    children: [{ code: { rich_text: [] } }],
    message: /code\.language should be defined/,
  },
  "a valid block before an invalid one": {
    children: [paragraph("1"), { wish: {} }],
    message: /body\.children\[1\]/,
  },
  "an unknown language": {
    children: [{ code: { rich_text: [], language: "klingon" } }],
    message: /body\.children\[0\]\.code\.language should be `"abap"`, or `"agda"`/,
  },
  "101 blocks": {
    children: Array.from({ length: 101 }, () => paragraph("1")),
    message: "body failed validation: body.children.length should be ≤ `100`, instead was `101`.",
  },
  "1001 blocks at all depths": {
    children: Array.from({ length: 91 }, () => toggle(...Array.from({ length: 10 }, () => paragraph("1")))),
    message:
      "body failed validation: body.children should be at most `1000` blocks at all depths, instead was `1001`.",
  },
  "a text of 2001 characters": {
    children: [paragraph("1".repeat(2001))],
    message:
      /body\.children\[0\]\.paragraph\.rich_text\[0\]\.text\.content\.length should be ≤ `2000`, instead was `2001`/,
  },
  "101 runs of text": {
    children: [{ quote: { rich_text: Array.from({ length: 101 }, () => ({ text: { content: "" } })) } }],
    message: /body\.children\[0\]\.quote\.rich_text\.length should be ≤ `100`, instead was `101`/,
  },
  "an equation of 1001 characters": {
    children: [{ equation: { expression: "1".repeat(1001) } }],
    message: /body\.children\[0\]\.equation\.expression\.length should be ≤ `1000`/,
  },
  "an address of 2001 characters": {
    children: [{ bookmark: { url: `https://example.org/${"a".repeat(1981)}` } }],
    message: /body\.children\[0\]\.bookmark\.url\.length should be ≤ `2000`, instead was `2001`/,
  },
  "an invalid link": {
    children: [{ paragraph: { rich_text: [{ text: { content: "1", link: { url: "not a link" } } }] } }],
    message:
      "Invalid URL for link. body.children[0].paragraph.rich_text[0].text.link.url should be absolute, or start with /, # or ?, instead was `not a link`.",
  },
  "an unknown color": {
    children: [{ paragraph: { rich_text: [], color: "mauve" } }],
    message: /body\.children\[0\]\.paragraph\.color should be `"default"`/,
  },
  "a run of two types": {
    children: [
      {
        paragraph: {
          rich_text: [{ text: { content: "1" } }, { text: { content: "" }, equation: { expression: "" } }],
        },
      },
    ],
    message: /body\.children\[0\]\.paragraph\.rich_text\[1\]\.equation should be not present/,
  },
};

/** The type of a block and the shapes of its children. */
type Shape = [type: string, children: Shape[]];

function getShape(input: BlockInput): Shape {
  const [type = "", payload] = Object.entries(input)[0] ?? [];
  // The cast: each block above has one member, which is an object.
  const { children = [] } = payload as { children?: BlockInput[] };
  return [type, children.map(getShape)];
}

test("creates nested blocks with all their children", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const read = async (block: Block): Promise<Shape> => {
    const children = await childrenOf(client, block.id);
    expect(block.has_children).toBe(children.length > 0);
    for (const child of children) expect(child.parent).toEqual({ type: "block_id", block_id: block.id });
    return [block.type, await Promise.all(children.map(read))];
  };
  for (const [name, input] of Object.entries(VALID)) {
    const created = await append(client, page, [input]);
    expect(await Promise.all(created.map(read)), name).toEqual([getShape(input)]);
  }
});

test("refuses invalid nested blocks with path and reason, and stores nothing", async () => {
  const { client, rootDatabaseId, send } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  for (const [name, { children, message }] of Object.entries(INVALID)) {
    const error = await readError(await send("PATCH", `/v1/blocks/${page}/children`, { children }));
    expect(error, name).toMatchObject({ status: 400, code: "validation_error" });
    if (typeof message === "string") expect(error.message, name).toBe(message);
    else expect(error.message, name).toMatch(message);
  }
  expect(await childrenOf(client, page)).toEqual([]);
});

test("blocks without children refuse appended children; a table accepts only rows of its width", async () => {
  const { client, rootDatabaseId, send } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const closed: BlockInput[] = [
    { divider: {} },
    { code: { rich_text: [], language: "c" } },
    { heading_1: { rich_text: [] } },
    { equation: { expression: "1" } },
  ];
  for (const { id, type } of await append(client, page, closed)) {
    const error = await readError(
      await send("PATCH", `/v1/blocks/${id}/children`, { children: [paragraph("1")] }),
    );
    expect([type, error.message]).toEqual([type, "Block does not support children."]);
  }
  const [table] = await append(client, page, [{ table: { table_width: 2, children: rows(2) } }]);
  const path = `/v1/blocks/${table?.id}/children`;
  expect((await readError(await send("PATCH", path, { children: rows(1) }))).message).toMatch(
    /^Number of cells/,
  );
  expect((await readError(await send("PATCH", path, { children: [paragraph("1")] }))).message).toMatch(
    /body\.children\[0\]\.table_row should be defined/,
  );
  await append(client, table?.id ?? "", rows(2, 2));
  expect(await childrenOf(client, table?.id ?? "")).toHaveLength(3);
});
