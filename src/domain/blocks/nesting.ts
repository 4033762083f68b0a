import { DomainError, shapeError } from "../errors.js";
import type { BlockContent, BlockTree, BlockType } from "./block.js";
import { newContent, type Payload, readPayload } from "./content.js";
import type { BlockInput, CreatableType } from "./input.js";

/** Most blocks that one request may create. */
const MAX_BLOCKS = 1000;
/** Levels of blocks below the first that one request may create; one more inside of a column list. */
const NESTED_LEVELS = 2;

/** What new blocks are put into: a page, or a block of a type and with a content. */
export interface Container {
  readonly type: BlockType;
  readonly content: BlockContent;
}

/**
 * Reads the blocks that a request creates.
 *
 * @param container what they are put into
 * @param place where they are in the request, as error messages name it: `body.children`
 * @throws DomainError (validation) when a block is not of just one type, or is where blocks of its type cannot be;
 *   when there are more levels or blocks than one request may create; when a row does not fit its table
 */
export function readBlocks(inputs: readonly BlockInput[], container: Container, place: string): BlockTree[] {
  if (!takesChildren(container)) throw new DomainError("validation", "Block does not support children.");
  const trees = readLevel(inputs, container, place, NESTED_LEVELS);
  const count = countBlocks(trees);
  if (count > MAX_BLOCKS) {
    const seen = `${place} should be at most \`${MAX_BLOCKS}\` blocks at all depths, instead was \`${count}\``;
    throw new DomainError("validation", `body failed validation: ${seen}.`);
  }
  return trees;
}

/** How many blocks there are, at all depths. */
function countBlocks(trees: readonly BlockTree[]): number {
  return trees.reduce((sum, { children }) => sum + 1 + countBlocks(children), 0);
}

/** Whether blocks can be put into a block. */
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

/** Types that are only in blocks of one type, which in turn take no others. */
const ONLY_IN: Readonly<Partial<Record<CreatableType, BlockType>>> = {
  table_row: "table",
  column: "column_list",
};
const ONLY_OF: Readonly<Partial<Record<BlockType, CreatableType>>> = {
  table: "table_row",
  column_list: "column",
};

/** @param levels how many levels there may be below this one */
function readLevel(
  inputs: readonly BlockInput[],
  container: Container,
  place: string,
  levels: number,
): BlockTree[] {
  return inputs.map((input, index) => readTree(input, container, `${place}[${index}]`, levels));
}

function readTree(input: BlockInput, container: Container, at: string, levels: number): BlockTree {
  const payload = readPayload(input, at);
  const { kind: type } = payload;
  const place = `${at}.${type}`;
  const home = ONLY_IN[type];
  const tenant = ONLY_OF[container.type];
  if (tenant !== undefined && type !== tenant) throw shapeError(`${at}.${tenant}`, "defined", undefined);
  if (home !== undefined && container.type !== home) throw shapeError(place, "not present", payload.value);
  const content = newContent(payload, place);
  checkRow(content, container);
  const inputs = childrenOf(payload);
  if (inputs === undefined || inputs.length === 0) return { type, content, children: [] };
  const below = type === "column_list" ? levels : levels - 1;
  if (below < 0 || !takesChildren({ type, content })) {
    throw shapeError(`${place}.children`, "not present", inputs);
  }
  return { type, content, children: readLevel(inputs, { type, content }, `${place}.children`, below) };
}

function childrenOf({ value }: Payload): readonly BlockInput[] | undefined {
  return "children" in value ? value.children : undefined;
}

/**
 * Makes sure that a row has as many cells as its table is wide.
 *
 * @throws DomainError (validation) when it has not
 */
export function checkRow(row: BlockContent, { content }: Container): void {
  const { cells } = row;
  if (!Array.isArray(cells) || cells.length === content["table_width"]) return;
  throw new DomainError(
    "validation",
    `Number of cells in table row must match the table width of the parent table: ${String(content["table_width"])}, instead was ${cells.length}.`,
  );
}
