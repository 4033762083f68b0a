import type { StoredObject } from "../object.js";
import type { CreatableType } from "./input.js";

/** The types of blocks that are stored: those that requests create, and the places of pages and databases in a page. */
export type BlockType = CreatableType | "child_page" | "child_database";

/** What responses show under the name of a block's type. */
export type BlockContent = Readonly<Record<string, unknown>>;

/** A block as it is stored. */
export interface Block extends StoredObject {
  /** The page that it is in, at whatever depth. */
  readonly pageId: string;
  readonly type: BlockType;
  readonly content: BlockContent;
}

/** A block that is to be created, with what is to be in it. */
export interface BlockTree {
  readonly type: CreatableType;
  readonly content: BlockContent;
  readonly children: readonly BlockTree[];
}
