import type { components } from "../../../generated/types.js";

/** A block as the API returns it. */
export type Block = components["schemas"]["Block"];

/** A block with the blocks in it. */
export interface BlockNode {
  readonly block: Block;
  readonly children: readonly BlockNode[];
  /** Whether there are more children than these. */
  readonly hasMore: boolean;
}
