import type { Kysely } from "kysely";
import type { Comment } from "../domain/comment.js";
import type { CommentsTable, Tables } from "./tables.js";

/** Reads a comment; undefined when the workspace has no comment with that id. */
export async function findComment(
  db: Kysely<Tables>,
  workspaceId: string,
  commentId: string,
): Promise<Comment | undefined> {
  const row = await db
    .selectFrom("comments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", commentId)
    .executeTakeFirst();
  return row && toComment(row);
}

/** Reads the first comment of a discussion; undefined when the workspace has no such discussion. */
export async function findDiscussion(
  db: Kysely<Tables>,
  workspaceId: string,
  discussionId: string,
): Promise<Comment | undefined> {
  const row = await db
    .selectFrom("comments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("discussion_id", "=", discussionId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && toComment(row);
}

/**
 * Lists the comments on a page or block, oldest first.
 *
 * @param after id of the last comment of the previous part; undefined for the first part
 */
export async function listComments(
  db: Kysely<Tables>,
  workspaceId: string,
  parentId: string,
  after: string | undefined,
  limit: number,
): Promise<Comment[]> {
  let query = db
    .selectFrom("comments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "=", parentId);
  if (after !== undefined) query = query.where("id", ">", after);
  return (await query.orderBy("id").limit(limit).execute()).map(toComment);
}

/** Inserts a comment. Its parent must exist. */
export async function insertComment(
  tx: Kysely<Tables>,
  workspaceId: string,
  comment: Comment,
): Promise<void> {
  await tx
    .insertInto("comments")
    .values({
      workspace_id: workspaceId,
      id: comment.id,
      parent_type: comment.parent.type,
      parent_id: comment.parent.id,
      discussion_id: comment.discussionId,
      rich_text: JSON.stringify(comment.richText),
      created_time: comment.createdTime,
      last_edited_time: comment.lastEditedTime,
      created_by: comment.createdBy,
    })
    .execute();
}

function toComment(row: CommentsTable): Comment {
  return {
    id: row.id,
    parent: { type: row.parent_type, id: row.parent_id },
    discussionId: row.discussion_id,
    richText: JSON.parse(row.rich_text),
    createdTime: row.created_time,
    lastEditedTime: row.last_edited_time,
    createdBy: row.created_by,
  };
}
