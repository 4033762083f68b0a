import type { Comment } from "../domain/comment.js";
import type { CommentsTable, Db } from "./tables.js";

/** Reads the first comment of a discussion; undefined when the workspace has no such discussion. */
export async function findDiscussion(
  db: Db,
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
 * @param after id of the comment to continue after; empty for the beginning
 */
export async function listComments(
  db: Db,
  workspaceId: string,
  parentId: string,
  after: string,
  limit: number,
): Promise<Comment[]> {
  const rows = await db
    .selectFrom("comments")
    .selectAll()
    .where("workspace_id", "=", workspaceId)
    .where("parent_id", "=", parentId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(toComment);
}

/** Inserts a comment. Its parent must exist. */
export async function insertComment(tx: Db, workspaceId: string, comment: Comment): Promise<void> {
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
