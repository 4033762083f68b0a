import { DomainError, shapeError } from "../errors.js";
import type { BlockContent, BlockTree, BlockType } from "./block.js";
import { newContent, type Payload, readPayload } from "./content.js";
import type { BlockInput, CreatableType } from "./input.js";

/** Most blocks that one request may create. */
const MAX_BLOCKS = 1000;
/** Levels below the first one that a request may create; one more inside of a column list. */
const MAX_NESTED_LEVELS = 2;

/** The parent of new blocks: type and content of a block, or PAGE_CONTAINER. */
export interface Container {
  readonly type: BlockType;
  readonly content: BlockContent;
}

/** A page as the parent of new blocks. */
export const PAGE_CONTAINER: Container = { type: "child_page", content: {} };

/**
 * Reads the blocks that a request creates.
 *
 * @param container the parent of the blocks
 * @param path path of the blocks in the request: `body.children`
 * @throws DomainError (validation) when the parent cannot have children, a block does not have exactly one type or a type
 *   that is not allowed there, there are too many blocks or levels, or a row does not fit its table
 */
export function readBlocks(inputs: readonly BlockInput[], container: Container, path: string): BlockTree[] {
  if (!takesChildren(container)) throw new DomainError("validation", "Block does not support children.");
  const trees = readLevel(inputs, container, path, MAX_NESTED_LEVELS);
  const count = countBlocks(trees);
  if (count > MAX_BLOCKS) {
    const seen = `${path} should be at most \`${MAX_BLOCKS}\` blocks at all depths, instead was \`${count}\``;
    throw new DomainError("validation", `body failed validation: ${seen}.`);
  }
  return trees;
}

/** Counts blocks at all depths. */
function countBlocks(trees: readonly BlockTree[]): number {
  return trees.reduce((sum, { children }) => sum + 1 + countBlocks(children), 0);
}

/** Whether a block can have children. */
export function takesChildren({ type, content }: Container): boolean {
  switch (type) {
    case "heading_1":
    case "heading_2":
    case "heading_3":
      return content["is_toggleable"] === true;
    case "synced_block":
      return content["synced_from"] === null;
    default:
      return CONTAINERS.has(type);
  }
}

const CONTAINERS: ReadonlySet<BlockType> = new Set<BlockType>([
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

/** The parent type that a type requires. */
const REQUIRED_PARENT: Readonly<Partial<Record<CreatableType, BlockType>>> = {
  table_row: "table",
  column: "column_list",
};
/** The only type of children that a parent type accepts. */
const ONLY_CHILD: Readonly<Partial<Record<BlockType, CreatableType>>> = {
  table: "table_row",
  column_list: "column",
};

/** @param levels number of levels allowed below this one */
function readLevel(
  inputs: readonly BlockInput[],
  container: Container,
  path: string,
  levels: number,
): BlockTree[] {
  return inputs.map((input, index) => readTree(input, container, `${path}[${index}]`, levels));
}

function readTree(input: BlockInput, container: Container, at: string, levels: number): BlockTree {
  const payload = readPayload(input, at);
  const { kind: type } = payload;
  const path = `${at}.${type}`;
  const requiredParent = REQUIRED_PARENT[type];
  const onlyChild = ONLY_CHILD[container.type];
  if (onlyChild !== undefined && type !== onlyChild)
    throw shapeError(`${at}.${onlyChild}`, "defined", undefined);
  if (requiredParent !== undefined && container.type !== requiredParent)
    throw shapeError(path, "not present", payload.value);
  const content = newContent(payload, path);
  checkRow(content, container);
  const inputs = childrenOf(payload);
  if (inputs === undefined || inputs.length === 0) return { type, content, children: [] };
  const below = type === "column_list" ? levels : levels - 1;
  if (below < 0 || !takesChildren({ type, content })) {
    throw shapeError(`${path}.children`, "not present", inputs);
  }
  return { type, content, children: readLevel(inputs, { type, content }, `${path}.children`, below) };
}

function childrenOf({ value }: Payload): readonly BlockInput[] | undefined {
  return "children" in value ? value.children : undefined;
}

/**
 * Checks that a row has as many cells as its table has columns.
 *
 * @throws DomainError (validation)
 */
export function checkRow(row: BlockContent, { content }: Container): void {
  const { cells } = row;
  if (!Array.isArray(cells) || cells.length === content["table_width"]) return;
  throw new DomainError(
    "validation",
    `Number of cells in table row must match the table width of the parent table: ${String(content["table_width"])}, instead was ${cells.length}.`,
  );
}
