import { createInvalidValueError, createValidationError } from "../errors.js";
import { sumBy } from "../../lists.js";
import type { BlockContent, ParsedBlock, BlockType, BlockInput, CreatableType } from "./block.js";
import { createContent, parseTypedContent } from "./content.js";

/** Maximum number of blocks in one request. */
const MAX_BLOCKS = 1000;
/** Maximum depth below the first level of blocks in one request. Columns in a column list do not count. */
const MAX_NESTED_LEVELS = 2;

/** The parent of new blocks: type and content of a block, or PAGE_AS_PARENT. */
export interface BlockParent {
  readonly type: BlockType;
  readonly content: BlockContent;
}

/** Stands for a page that is the parent of new blocks. */
export const PAGE_AS_PARENT: BlockParent = { type: "child_page", content: {} };

/** Parses the blocks that a request creates in a parent. Throws a DomainError (validation) for blocks that break a rule of nesting. */
export function parseBlocks(inputs: readonly BlockInput[], parent: BlockParent): ParsedBlock[] {
  if (!canHaveChildren(parent)) throw createValidationError("Block does not support children.");
  const blocks = inputs.map((input, index) =>
    parseBlock(input, parent, `body.children[${index}]`, MAX_NESTED_LEVELS),
  );
  const count = countBlocks(blocks);
  if (count > MAX_BLOCKS) {
    throw createInvalidValueError("body.children", `at most \`${MAX_BLOCKS}\` blocks at all depths`, count);
  }
  return blocks;
}

function countBlocks(blocks: readonly ParsedBlock[]): number {
  return sumBy(blocks, ({ children }) => 1 + countBlocks(children));
}

export function canHaveChildren({ type, content }: BlockParent): boolean {
  switch (type) {
    case "heading_1":
    case "heading_2":
    case "heading_3":
      return content["is_toggleable"] === true;
    case "synced_block":
      return content["synced_from"] === null;
    default:
      return TYPES_WITH_CHILDREN.has(type);
  }
}

const TYPES_WITH_CHILDREN: ReadonlySet<BlockType> = new Set<BlockType>([
  "child_page",
  "paragraph",
  "bulleted_list_item",
  "numbered_list_item",
  "to_do",
  "toggle",
  "quote",
  "callout",
  "template",
  "table",
  "column_list",
  "column",
]);

/** The only type of children of a parent. Blocks of these types can have no other parent. */
const REQUIRED_CHILD: Readonly<Partial<Record<BlockType, CreatableType>>> = {
  table: "table_row",
  column_list: "column",
};
const REQUIRED_CHILDREN: readonly CreatableType[] = Object.values(REQUIRED_CHILD);

/** @param levels number of levels that may follow below this block */
function parseBlock(input: BlockInput, parent: BlockParent, blockPath: string, levels: number): ParsedBlock {
  const typed = parseTypedContent(input, blockPath);
  const { kind: type } = typed;
  const path = `${blockPath}.${type}`;
  const requiredChild = REQUIRED_CHILD[parent.type];
  if (requiredChild !== undefined && type !== requiredChild)
    throw createInvalidValueError(`${blockPath}.${requiredChild}`, "defined", undefined);
  if (requiredChild === undefined && REQUIRED_CHILDREN.includes(type))
    throw createInvalidValueError(path, "not present", typed.value);
  const content = createContent(typed, path);
  checkCellCount(content, parent);
  const inputs = "children" in typed.value ? typed.value.children : undefined;
  if (inputs === undefined || inputs.length === 0) return { type, content, children: [] };
  const remainingLevels = type === "column_list" ? levels : levels - 1;
  if (remainingLevels < 0 || !canHaveChildren({ type, content })) {
    throw createInvalidValueError(`${path}.children`, "not present", inputs);
  }
  const block = { type, content };
  const children = inputs.map((child, index) =>
    parseBlock(child, block, `${path}.children[${index}]`, remainingLevels),
  );
  return { ...block, children };
}

/** Checks that a row has as many cells as its table has columns. Throws a DomainError (validation). */
export function checkCellCount(row: BlockContent, { content }: BlockParent): void {
  const { cells } = row;
  if (!Array.isArray(cells) || cells.length === content["table_width"]) return;
  throw createValidationError(
    `Number of cells in table row must match the table width of the parent table: ${String(content["table_width"])}, instead was ${cells.length}.`,
  );
}
