import { describe, expect, test } from "vitest";
import type { ParsedBlock, BlockInput, CreatableType } from "../../../../src/domain/blocks/block.js";
import { checkCellCount, type BlockParent, parseBlocks } from "../../../../src/domain/blocks/nesting.js";

const PAGE: BlockParent = { type: "child_page", content: {} };

function read(inputs: BlockInput[], parent = PAGE): ParsedBlock[] {
  return parseBlocks(inputs, parent);
}

function paragraph(...children: BlockInput[]): BlockInput {
  return { paragraph: { rich_text: [], ...(children.length > 0 ? { children } : {}) } };
}

function row(...cells: string[]): BlockInput {
  return { table_row: { cells: cells.map((content) => [{ text: { content } }]) } };
}

/** Formats the types of a tree, with children in brackets. */
function formatTypes(trees: readonly ParsedBlock[]): string {
  return trees
    .map(({ type, children }) => (children.length > 0 ? `${type}(${formatTypes(children)})` : type))
    .join(" ");
}

describe("levels", () => {
  test("allow two below the first, and three in a column list", () => {
    expect(formatTypes(read([paragraph(paragraph(paragraph()), paragraph())]))).toBe(
      "paragraph(paragraph(paragraph) paragraph)",
    );
    const column = { column: { children: [paragraph(paragraph())] } };
    expect(formatTypes(read([{ column_list: { children: [column, column] } }]))).toBe(
      "column_list(column(paragraph(paragraph)) column(paragraph(paragraph)))",
    );
  });

  test("beyond that are refused with the path", () => {
    expect(() => read([paragraph(), paragraph(paragraph(paragraph(paragraph())))])).toThrow(
      /^body failed validation: body\.children\[1\]\.paragraph\.children\[0\]\.paragraph\.children\[0\]\.paragraph\.children should be not present/,
    );
    const column = { column: { children: [paragraph(paragraph(paragraph()))] } };
    expect(() => read([{ column_list: { children: [column, column] } }])).toThrow(/should be not present/);
  });

  test("empty children do not count as a level", () => {
    const empty = { paragraph: { rich_text: [], children: [] } };
    expect(formatTypes(read([paragraph(paragraph(empty))]))).toBe("paragraph(paragraph(paragraph))");
    expect(formatTypes(read([]))).toBe("");
  });
});

test("1,000 blocks at all depths are accepted, 1,001 are not", () => {
  const tree = paragraph(...Array.from({ length: 99 }, () => paragraph()));
  const trees = Array.from({ length: 10 }, () => tree);
  expect(read(trees)).toHaveLength(10);
  expect(() => read([...trees, paragraph()])).toThrow(
    "body.children should be at most `1000` blocks at all depths, instead was `1001`.",
  );
});

describe("blocks with children", () => {
  test.each<[CreatableType, boolean, object]>([
    ["paragraph", true, {}],
    ["bulleted_list_item", true, {}],
    ["numbered_list_item", true, {}],
    ["to_do", true, {}],
    ["toggle", true, {}],
    ["quote", true, {}],
    ["callout", true, {}],
    ["heading_1", false, { is_toggleable: false }],
    ["heading_3", true, { is_toggleable: true }],
    ["synced_block", true, { synced_from: null }],
    ["synced_block", false, { synced_from: { type: "block_id", block_id: "x" } }],
    ["code", false, {}],
    ["divider", false, {}],
    ["table_row", false, {}],
  ])("%s: %s, with %j", (type, takes, content) => {
    const parent = { type, content: { ...content } };
    if (takes) expect(formatTypes(read([paragraph()], parent))).toBe("paragraph");
    else expect(() => read([paragraph()], parent)).toThrow("Block does not support children.");
  });

  test("a heading with children must be toggleable in the same request", () => {
    const heading = (is_toggleable: boolean): BlockInput => ({
      heading_2: { rich_text: [], is_toggleable, children: [paragraph()] },
    });
    expect(formatTypes(read([heading(true)]))).toBe("heading_2(paragraph)");
    expect(() => read([heading(false)])).toThrow(
      /body\.children\[0\]\.heading_2\.children should be not present/,
    );
  });
});

describe("tables and columns", () => {
  const table = (width: number, ...children: BlockInput[]): BlockInput => ({
    table: { table_width: width, children },
  });

  test("a table accepts only rows of its width, and rows need a table", () => {
    expect(formatTypes(read([table(2, row("a", "b"), row("c", "d"))]))).toBe("table(table_row table_row)");
    expect(() => read([table(2, row("a"))])).toThrow(
      "Number of cells in table row must match the table width of the parent table: 2, instead was 1.",
    );
    expect(() => read([table(1, paragraph())])).toThrow(/\.children\[0\]\.table_row should be defined/);
    expect(() => read([row("a")])).toThrow(/body\.children\[0\]\.table_row should be not present/);
    expect(() => read([paragraph()], { type: "table", content: { table_width: 1 } })).toThrow(
      /table_row should be defined/,
    );
  });

  test("columns need a column list, which accepts only columns", () => {
    const column: BlockInput = { column: { children: [paragraph()] } };
    expect(formatTypes(read([column], { type: "column_list", content: {} }))).toBe("column(paragraph)");
    expect(() => read([column])).toThrow(/body\.children\[0\]\.column should be not present/);
    expect(() => read([{ column_list: { children: [paragraph()] } }])).toThrow(/column should be defined/);
  });

  test("checkCellCount ignores other blocks", () => {
    const parent: BlockParent = { type: "table", content: { table_width: 2 } };
    expect(() => checkCellCount({ cells: [[], []] }, parent)).not.toThrow();
    expect(() => checkCellCount({ cells: [[]] }, parent)).toThrow("instead was 1.");
    expect(() => checkCellCount({ rich_text: [] }, PAGE)).not.toThrow();
  });
});
