import type { components } from "../../generated/types.js";
import type { FoundBlock } from "../storage/block-rows.js";
import { renderParent } from "./render-database.js";

/** A block as responses show it. */
export type BlockBody = components["schemas"]["Block"];

/** Makes what responses show of a block whose mentions have their names. */
export function renderBlock(block: FoundBlock): BlockBody {
  const body = {
    object: "block",
    id: block.id,
    parent: renderParent(block.parent),
    created_time: new Date(block.createdTime).toISOString(),
    last_edited_time: new Date(block.lastEditedTime).toISOString(),
    created_by: { object: "user", id: block.createdBy },
    last_edited_by: { object: "user", id: block.lastEditedBy },
    has_children: block.hasChildren,
    archived: block.inTrash,
    in_trash: block.inTrash,
    type: block.type,
    [block.type]: block.content,
  };
  // The cast: what is stored under a type is what the document says of that type.
  return body as BlockBody;
}
