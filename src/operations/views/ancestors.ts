import { MAX_ANCESTORS, MAX_LINK_TITLE_LENGTH } from "../../budgets.js";
import type { Parent } from "../../domain/stored-object.js";
import { findBlock } from "../../storage/blocks/blocks.js";
import { findTitledObjects, type TitledObject } from "../../storage/objects/titles.js";
import type { Scope } from "../execution/scope.js";
import { formatLinkTitle } from "./linked-titles.js";

/** A page or database that contains another one. */
export type Ancestor = Pick<TitledObject, "id" | "title">;

/** Reads the nearest MAX_ANCESTORS pages and databases that contain an object with the given parent, outermost first. */
export async function findAncestors(scope: Scope, parent: Parent): Promise<Ancestor[]> {
  const ancestors: Ancestor[] = [];
  let next = parent;
  while (next.type !== "workspace" && ancestors.length < MAX_ANCESTORS) {
    if (next.type === "block_id") {
      const block = await findBlock(scope, next.id);
      if (block === undefined) break;
      next = { type: "page_id", id: block.pageId };
    }
    const { id, type } = next;
    const ids = type === "page_id" ? { pages: [id] } : { databases: [id] };
    const found = (await findTitledObjects(scope, ids, MAX_LINK_TITLE_LENGTH)).get(id);
    if (found === undefined) break;
    ancestors.unshift({ id, title: formatLinkTitle(found.title) });
    next = found.parent;
  }
  return ancestors;
}
