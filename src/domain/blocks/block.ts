import { newId } from "../ids.js";
import { type Edit, newObject, type Parent, type StoredObject } from "../object.js";
import type { components } from "../../../generated/types.js";

/** A block to create, with the blocks inside it. */
export type BlockInput = components["schemas"]["BlockInput"];

/** A change of a block: the content to replace, under the name of its type. */
export type BlockChange = components["schemas"]["UpdateBlockBody"];

/** A type of block that requests can create. */
export type CreatableType = NonNullable<BlockInput["type"]>;

/** The content of each type of block: complete in a new block, partial in a change. */
export type BlockPayloads = {
  [Type in CreatableType]:
    NonNullable<BlockInput[Type]> | (Type extends keyof BlockChange ? NonNullable<BlockChange[Type]> : never);
};

/** The content of a new or changed block under the name of its type. */
export type BlockPayload = { readonly [Type in CreatableType]?: BlockPayloads[Type] } & Pick<
  BlockInput,
  "type"
>;

/** Types of stored blocks: creatable types, and the positions of pages and databases among the blocks of a page. */
export type BlockType = CreatableType | "child_page" | "child_database";

/** Content of a block: in a response, the object under the key that is named like the block's type. */
export type BlockContent = Readonly<Record<string, unknown>>;

/** A block with its id, parent and edit times. */
export interface Block extends StoredObject {
  /** The page that contains the block, at any depth. */
  readonly pageId: string;
  readonly type: BlockType;
  readonly content: BlockContent;
}

/** A block to create, with the blocks inside it, as a request describes them. */
export interface BlockTree {
  readonly type: CreatableType;
  readonly content: BlockContent;
  readonly children: readonly BlockTree[];
}

/** A new block with an id and an author, and the new blocks inside it. Not stored yet. */
export interface NewBlock {
  readonly block: Block;
  readonly children: readonly NewBlock[];
}

/** Converts the blocks of a request to new blocks inside a parent, at all depths. Does not store them. */
export function createBlocks(
  trees: readonly BlockTree[],
  parent: Parent,
  pageId: string,
  edit: Edit,
): NewBlock[] {
  return trees.map(({ type, content, children }) => {
    const block = { ...newObject(newId(), parent, edit), pageId, type, content };
    return { block, children: createBlocks(children, { type: "block_id", id: block.id }, pageId, edit) };
  });
}
