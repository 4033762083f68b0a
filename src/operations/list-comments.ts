import type { components } from "../../generated/types.js";
import { encodeCursor } from "../domain/cursor.js";
import { requireId } from "../domain/ids.js";
import { listComments as findComments } from "../storage/comments.js";
import { type ListRange, type ListResult, readById } from "./list.js";
import { requireBlock } from "./load/blocks.js";
import { presentComments } from "./present/comment.js";
import { truncateToResponseSize } from "./response-size.js";
import type { ReadScope } from "./scope.js";

/**
 * Lists the comments on a page or block, oldest first.
 *
 * @throws DomainError (not_found), or (validation) for an invalid cursor
 */
export async function listComments(
  scope: ReadScope,
  blockId: string,
  range: ListRange,
): Promise<ListResult<components["schemas"]["Comment"]>> {
  const { id } = await requireBlock(scope, requireId(blockId));
  const list = `comments ${id}`;
  const { results, nextCursor } = await readById(list, range, (after, limit) =>
    findComments(scope.db, scope.workspaceId, id, after, limit),
  );
  const bodies = await presentComments(scope, results);
  return truncateToResponseSize(bodies, results, nextCursor, (last) => encodeCursor(list, [last.id]));
}
