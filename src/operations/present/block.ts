import type { components } from "../../../generated/types.js";
import type { FoundBlock } from "../../storage/blocks.js";
import type { Scope } from "../scope.js";
import { nameMentions } from "./mentions.js";
import { presentObject } from "./object.js";

/** A block as responses show it. */
export type BlockBody = components["schemas"]["Block"];

/** Blocks as responses show them. */
export async function presentBlocks(scope: Scope, blocks: readonly FoundBlock[]): Promise<BlockBody[]> {
  return (await nameMentions(scope, blocks)).map(toBody);
}

/** A block as responses show it. */
export async function presentBlock(scope: Scope, block: FoundBlock): Promise<BlockBody> {
  return toBody(await nameMentions(scope, block));
}

function toBody(block: FoundBlock): BlockBody {
  const body = {
    object: "block",
    ...presentObject(block),
    has_children: block.hasChildren,
    type: block.type,
    [block.type]: block.content,
  };
  // The cast: the content stored for a type has the schema that the OpenAPI document gives to that type.
  return body as BlockBody;
}
