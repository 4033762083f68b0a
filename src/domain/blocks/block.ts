import { newId } from "../ids.js";
import { type Edit, createStoredObject, type Parent, type StoredObject } from "../stored-object.js";
import type { Schemas } from "../api-schemas.js";
import { isObject } from "../is-object.js";

/** A new block in a request, with the blocks inside it. */
export type BlockInput = Schemas["BlockInput"];

/** An update of a block in a request: the content to replace, under the name of the block's type. */
export type BlockChange = Schemas["UpdateBlockBody"];

/** A type of block that requests can create. */
export type CreatableType = NonNullable<BlockInput["type"]>;

/** A new block or an update in a request, with its content, which is partial in an update, under the name of the block's type. */
export type BlockInputOrChange = Pick<BlockInput, "type"> & {
  readonly [Type in CreatableType]?:
    NonNullable<BlockInput[Type]> | (Type extends keyof BlockChange ? NonNullable<BlockChange[Type]> : never);
};

/** Types of stored blocks. A page or database inside a page also has a block, which holds its position among the other blocks. */
export type BlockType = CreatableType | "child_page" | "child_database";

/** Stored content of a block. In responses it is under the name of the block's type. */
export type BlockContent = Readonly<Record<string, unknown>>;

export interface Block extends StoredObject {
  /** The page that contains the block, at any depth. */
  readonly pageId: string;
  readonly type: BlockType;
  readonly content: BlockContent;
}

/** A new block that was parsed from a request, with the blocks inside it. It has no id yet. */
export interface ParsedBlock {
  readonly type: CreatableType;
  readonly content: BlockContent;
  readonly children: readonly ParsedBlock[];
}

/** A block to insert, which has an id and an author, and the blocks to insert inside it. */
export interface NewBlock {
  readonly block: Block;
  readonly children: readonly NewBlock[];
}

/** Gives ids and authors to parsed blocks. Does not store them. */
export function createBlocks(
  parsedBlocks: readonly ParsedBlock[],
  parent: Parent,
  pageId: string,
  edit: Edit,
): NewBlock[] {
  return parsedBlocks.map(({ type, content, children }) => {
    const block = { pageId, type, content, ...createStoredObject(newId(), parent, edit) };
    return { block, children: createBlocks(children, { type: "block_id", id: block.id }, pageId, edit) };
  });
}

/** Returns the id of the original of a synced copy; undefined for any other block. */
export function getOriginalId({ type, content }: Pick<Block, "type" | "content">): string | undefined {
  if (type !== "synced_block") return undefined;
  const { synced_from: original } = content;
  return isObject(original) ? String(original.block_id) : undefined;
}
