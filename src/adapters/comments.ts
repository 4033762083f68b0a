import type { Kysely } from "kysely";
import type { CommentsHandlers } from "../../generated/routes.js";
import type { components } from "../../generated/types.js";
import type { Comment } from "../domain/comment.js";
import { notFound, shapeError } from "../domain/errors.js";
import { newId, requireId } from "../domain/ids.js";
import { formatListCursor, parseListCursor } from "../domain/list-cursor.js";
import { toRichTexts } from "../domain/rich-text.js";
import { archivedError } from "../domain/trash.js";
import { findDiscussion, insertComment, listComments } from "../storage/comments.js";
import { missingPage } from "../storage/missing.js";
import type { Store } from "../storage/store.js";
import type { Tables } from "../storage/tables.js";
import { findTitled } from "../storage/titles.js";
import { isInTrash } from "../storage/trash.js";
import { findWholeBlock } from "../storage/whole-blocks.js";
import type { Context, SuppliedHeaders } from "./context.js";
import { checkMentions, nameMentions } from "./mentions.js";
import { listBody, pageWanted } from "./paging.js";

/** What the cursors of the list of comments are for. */
const LIST = "comments";

/**
 * The operations on comments.
 *
 * @param appUrl address of the web application, which the addresses of mentioned pages begin with
 */
export function commentsHandlers(store: Store, appUrl: string): CommentsHandlers<Context, SuppliedHeaders> {
  return {
    async listComments({ query }, { principal, requestId }) {
      const { workspaceId } = principal;
      const id = requireId(query.block_id);
      const { cursor, size } = pageWanted(query);
      const after = cursor === undefined ? undefined : parseListCursor(LIST, cursor);
      if (!(await findWholeBlock(store.read, workspaceId, id))) throw notFound("block", id);
      const found = await listComments(store.read, workspaceId, id, after, size + 1);
      const comments = await nameMentions(store.read, workspaceId, appUrl, found);
      const list = listBody(
        requestId,
        comments,
        size,
        (last) => formatListCursor(LIST, last.id),
        renderComment,
      );
      return { status: 200, body: { ...list, type: "comment", comment: {} } };
    },

    async createComment(request, { principal, write }) {
      const { body } = request;
      const { workspaceId, keyId } = principal;
      return write(request, async (tx) => {
        const { parent, discussionId } = await placeOf(tx, workspaceId, body);
        if (await isInTrash(tx, workspaceId, parent)) throw archivedError();
        const richText = toRichTexts(body.rich_text, "body.rich_text");
        await checkMentions(tx, workspaceId, richText);
        const now = Date.now();
        const comment: Comment = {
          id: newId(),
          parent,
          discussionId,
          richText,
          createdTime: now,
          lastEditedTime: now,
          createdBy: keyId,
        };
        await insertComment(tx, workspaceId, comment);
        return { status: 200, body: renderComment(await nameMentions(tx, workspaceId, appUrl, comment)) };
      });
    },
  };
}

/** What a new comment is on, and the discussion that it belongs to. */
async function placeOf(
  tx: Kysely<Tables>,
  workspaceId: string,
  { parent, discussion_id: discussion }: components["schemas"]["CreateCommentBody"],
): Promise<Pick<Comment, "parent" | "discussionId">> {
  if (discussion !== undefined) {
    if (parent !== undefined) throw shapeError("body.discussion_id", "not present", discussion);
    const discussionId = requireId(discussion);
    const first = await findDiscussion(tx, workspaceId, discussionId);
    if (first === undefined) throw notFound("discussion", discussionId);
    return { parent: first.parent, discussionId };
  }
  if (parent === undefined) throw shapeError("body.parent", "defined", parent);
  const id = requireId(parent.page_id);
  const pages = await findTitled(tx, workspaceId, { pages: [id], databases: [] });
  if (!pages.has(id)) throw await missingPage(tx, workspaceId, id);
  return { parent: { type: "page_id", id }, discussionId: newId() };
}

function renderComment(comment: Comment): components["schemas"]["Comment"] {
  const { type, id } = comment.parent;
  return {
    object: "comment",
    id: comment.id,
    parent: type === "page_id" ? { type, page_id: id } : { type, block_id: id },
    discussion_id: comment.discussionId,
    created_time: new Date(comment.createdTime).toISOString(),
    last_edited_time: new Date(comment.lastEditedTime).toISOString(),
    created_by: { object: "user", id: comment.createdBy },
    rich_text: [...comment.richText],
  };
}
