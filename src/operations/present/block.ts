import type { Schemas } from "../../domain/api-schemas.js";
import type { FoundBlock } from "../../storage/blocks/blocks.js";
import type { Scope } from "../execution/scope.js";
import { resolveMentions } from "./mentions.js";
import { presentObject } from "./object.js";

export type BlockBody = Schemas["Block"];

export async function presentBlocks(scope: Scope, blocks: readonly FoundBlock[]): Promise<BlockBody[]> {
  return (await resolveMentions(scope, blocks)).map(toBlockBody);
}

export async function presentBlock(scope: Scope, block: FoundBlock): Promise<BlockBody> {
  return toBlockBody(await resolveMentions(scope, block));
}

/** Converts a block whose mentions are resolved to a response body. */
export function toBlockBody(block: FoundBlock): BlockBody {
  const body = {
    object: "block",
    ...presentObject(block),
    has_children: block.hasChildren,
    type: block.type,
    [block.type]: block.content,
  };
  // Safe cast: stored content has the OpenAPI schema of its block type.
  return body as BlockBody;
}
