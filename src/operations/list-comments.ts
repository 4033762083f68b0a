import type { Schemas } from "../domain/api-schemas.js";
import { normalizeId } from "../domain/ids.js";
import { findComments, findCommentSizesAfter } from "../storage/comments.js";
import { getBytes } from "../storage/row-limit.js";
import { getIds } from "../lists.js";
import { type Pagination, type ListResult, readListPart } from "./load/list-parts.js";
import { requireObject } from "./load/blocks.js";
import { presentComments } from "./present/comment.js";
import { presentList } from "./present/list.js";
import type { ReadScope } from "./execution/scope.js";

/** Lists the comments on a page or block, oldest first. Throws a DomainError: (not_found), or (invalid_cursor). */
export async function listComments(
  scope: ReadScope,
  blockId: string,
  pagination: Pagination,
): Promise<ListResult<Schemas["Comment"]>> {
  const id = normalizeId(blockId);
  await requireObject(scope, id);
  const part = await readListPart(`comments ${id}`, pagination, (after, limit) =>
    findCommentSizesAfter(scope, id, after, limit),
  );
  return presentList(scope, part, getBytes, async (batch) =>
    presentComments(scope, await findComments(scope, getIds(batch))),
  );
}
