import type { components } from "../../../generated/types.js";

/** A block as the API returns it. */
export type Block = components["schemas"]["Block"];

/** A block and the blocks that are nested in it. */
export interface BlockNode {
  readonly block: Block;
  readonly children: readonly BlockNode[];
  /** Whether the block has further children that are not shown. */
  readonly hasMore: boolean;
}
