import type { Schemas } from "../domain/api-schemas.js";
import type { Comment } from "../domain/comment.js";
import { normalizeId } from "../domain/ids.js";
import { findComments, findCommentSizesAfter } from "../storage/comments.js";
import { getBytes } from "../storage/row-limit.js";
import { getIds } from "../lists.js";
import { type Pagination, type ListResult, readListPart } from "./load/list-parts.js";
import { requireObject } from "./load/blocks.js";
import { presentList } from "./present/list.js";
import { resolveMentions } from "./present/mentions.js";
import { presentUserId } from "./present/object.js";
import type { ReadScope, Scope } from "./execution/scope.js";

type CommentBody = Schemas["Comment"];

/** Lists the comments on a page or block, oldest first. Throws a DomainError: (not_found), or (invalid_cursor). */
export async function listComments(
  scope: ReadScope,
  blockId: string,
  pagination: Pagination,
): Promise<ListResult<CommentBody>> {
  const id = normalizeId(blockId);
  await requireObject(scope, id);
  const part = await readListPart(`comments ${id}`, pagination, (after, limit) =>
    findCommentSizesAfter(scope, id, after, limit),
  );
  return presentList(scope, part, getBytes, async (batch) =>
    presentComments(scope, await findComments(scope, getIds(batch))),
  );
}

export async function presentComments(scope: Scope, comments: readonly Comment[]): Promise<CommentBody[]> {
  return (await resolveMentions(scope, comments)).map(toBody);
}

function toBody(comment: Comment): CommentBody {
  const { type, id } = comment.parent;
  return {
    object: "comment",
    id: comment.id,
    parent: type === "page_id" ? { type, page_id: id } : { type, block_id: id },
    discussion_id: comment.discussionId,
    created_time: new Date(comment.createdTime).toISOString(),
    last_edited_time: new Date(comment.lastEditedTime).toISOString(),
    created_by: presentUserId(comment.createdBy),
    rich_text: [...comment.richText],
  };
}
