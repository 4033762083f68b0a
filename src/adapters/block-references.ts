import type { Kysely } from "kysely";
import type { BlockContent, BlockTree, BlockType } from "../domain/blocks/block.js";
import { DomainError, notFound } from "../domain/errors.js";
import { findBlock } from "../storage/blocks.js";
import { findComment } from "../storage/comments.js";
import type { Tables } from "../storage/tables.js";
import { findTitled } from "../storage/titles.js";
import { checkMentions } from "./mentions.js";

/**
 * Makes sure that what blocks refer to is there: what is mentioned, linked to and shown a second time.
 *
 * @throws DomainError (not found) for what the workspace does not have, (validation) for a synced block that refers to
 *   something else than an original one
 */
export async function checkReferences(
  tx: Kysely<Tables>,
  workspaceId: string,
  trees: readonly BlockTree[],
): Promise<void> {
  await checkMentions(tx, workspaceId, trees);
  await checkTargets(tx, workspaceId, trees);
}

async function checkTargets(
  tx: Kysely<Tables>,
  workspaceId: string,
  trees: readonly BlockTree[],
): Promise<void> {
  for (const { type, content, children } of trees) {
    await checkTarget(tx, workspaceId, type, content);
    await checkTargets(tx, workspaceId, children);
  }
}

/** Makes sure that what one block links to, or shows, is there; see checkReferences. */
export async function checkTarget(
  tx: Kysely<Tables>,
  workspaceId: string,
  type: BlockType,
  content: BlockContent,
): Promise<void> {
  if (type === "link_to_page") {
    const { page_id: page, database_id: database, comment_id: comment } = content;
    if (typeof page === "string") {
      const found = await findTitled(tx, workspaceId, { pages: [page], databases: [] });
      if (!found.has(page)) throw notFound("page", page);
    }
    if (typeof database === "string") {
      const found = await findTitled(tx, workspaceId, { pages: [], databases: [database] });
      if (!found.has(database)) throw notFound("database", database);
    }
    if (typeof comment === "string" && !(await findComment(tx, workspaceId, comment))) {
      throw notFound("comment", comment);
    }
  }
  const { synced_from: from } = content;
  if (type === "synced_block" && typeof from === "object" && from !== null && "block_id" in from) {
    const id = String(from.block_id);
    const original = await findBlock(tx, workspaceId, id);
    if (original === undefined) throw notFound("block", id);
    if (original.type !== "synced_block" || original.content["synced_from"] !== null) {
      throw new DomainError(
        "validation",
        `synced_from must name a synced block that refers to no other: ${id} is none.`,
      );
    }
  }
}
