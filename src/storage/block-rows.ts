import type { Block } from "../domain/blocks/block.js";
import { toObject, toObjectRow } from "./object-columns.js";
import type { BlocksTable } from "./tables.js";

/** A block as it was read, and what was found out with it. */
export interface FoundBlock extends Block {
  /** Whether blocks are in it that are not in the trash; its own, also where it shows those of another. */
  readonly hasChildren: boolean;
  /** Grows with every change of what is stored of it. */
  readonly version: number;
}

/** What is read of a block. */
export type BlockRow = Omit<BlocksTable, "workspace_id" | "position"> & { readonly has_children: number };

/** The columns of it. */
export const BLOCK_COLUMNS = [
  "b.id",
  "b.parent_type",
  "b.parent_id",
  "b.created_time",
  "b.last_edited_time",
  "b.created_by",
  "b.last_edited_by",
  "b.in_trash",
  "b.trash_root",
  "b.version",
  "b.page_id",
  "b.type",
  "b.content",
] as const;

/** Makes a block of its row. */
export function toBlock(row: BlockRow): FoundBlock {
  return {
    ...toObject(row),
    pageId: row.page_id,
    // The cast: only blocks of these types are written.
    type: row.type as Block["type"],
    content: JSON.parse(row.content),
    hasChildren: row.has_children !== 0,
    version: row.version,
  };
}

/** The row of a new block. */
export function toBlockRow(workspaceId: string, block: Block, position: string): BlocksTable {
  return {
    ...toObjectRow(block),
    workspace_id: workspaceId,
    version: 0,
    page_id: block.pageId,
    position,
    type: block.type,
    content: JSON.stringify(block.content),
  };
}
