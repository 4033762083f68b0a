import type { Kysely } from "kysely";
import type { BlockInput } from "../domain/blocks/input.js";
import { type Container, readBlocks } from "../domain/blocks/nesting.js";
import { DomainError } from "../domain/errors.js";
import type { FoundBlock } from "../storage/block-rows.js";
import { insertBlocks, type NewBlocks, touchPage } from "../storage/blocks.js";
import type { Tables } from "../storage/tables.js";
import { checkReferences } from "./block-references.js";

/** A page as something that blocks are put into. */
const PAGE: Container = { type: "child_page", content: {} };

/** Blocks of a request, and where they go. */
export interface Addition extends Omit<NewBlocks, "trees"> {
  readonly inputs: readonly BlockInput[];
  /** Where they are in the request, as error messages name it: `body.children`. */
  readonly place: string;
  /** What they are put into; a page when it is left out. */
  readonly container?: Container;
}

/**
 * Adds the blocks of a request to a page or block that there is, and notes that the page was edited.
 *
 * @returns those that are directly in it
 * @throws DomainError when a block is not one that can be created there, mentions what is not there, or is to be put
 *   after what is no child of the page or block
 */
export async function addBlocks(
  tx: Kysely<Tables>,
  workspaceId: string,
  { inputs, place, container = PAGE, ...where }: Addition,
): Promise<FoundBlock[]> {
  const trees = readBlocks(inputs, container, place);
  await checkReferences(tx, workspaceId, trees);
  const added = await insertBlocks(tx, workspaceId, { ...where, trees });
  if (added === undefined) {
    throw new DomainError(
      "validation",
      `The block to append after (${String(where.after)}) is not a child of ${where.parent.id}.`,
    );
  }
  await touchPage(tx, workspaceId, where.pageId, where.by, where.now);
  return added;
}
