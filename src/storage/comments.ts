import { sql } from "kysely";
import type { Comment } from "../domain/comment.js";
import { toCamelCase, toSnakeCase } from "./column-names.js";
import { readByIds } from "./sql-helpers.js";
import type { SizedRow } from "./row-limit.js";
import type { StorageScope, Tables } from "./tables.js";
import { insertInto, selectFrom } from "./workspace-rows.js";

/** Reads the first comment of a discussion; undefined when the workspace has no such discussion. */
export async function findFirstComment(
  scope: StorageScope,
  discussionId: string,
): Promise<Comment | undefined> {
  const row = await selectFrom(scope, "comments")
    .selectAll()
    .where("discussion_id", "=", discussionId)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row && toComment(row);
}

/** Reads the ids of the comments on a page or block after the id `after`, and the bytes of their texts, oldest first. */
export async function findCommentSizesAfter(
  scope: StorageScope,
  parentId: string,
  after: string,
  limit: number,
): Promise<SizedRow[]> {
  return selectFrom(scope, "comments")
    .select(["id", sql<number>`octet_length(rich_text)`.as("bytes")])
    .where("parent_id", "=", parentId)
    .where("id", ">", after)
    .orderBy("id")
    .limit(limit)
    .execute();
}

/** Reads comments by their ids, oldest first. Unknown ids are skipped. */
export async function findComments(scope: StorageScope, ids: readonly string[]): Promise<Comment[]> {
  const rows = await readByIds(ids, selectFrom(scope, "comments").selectAll().orderBy("id"));
  return rows.map(toComment);
}

/** Inserts a comment. Its parent must exist. */
export async function insertComment(scope: StorageScope, comment: Comment): Promise<void> {
  const { parent, richText, ...fields } = comment;
  await insertInto(scope, "comments", {
    ...toSnakeCase(fields),
    parent_type: parent.type,
    parent_id: parent.id,
    rich_text: JSON.stringify(richText),
  }).execute();
}

function toComment({
  parent_type: type,
  parent_id: id,
  rich_text: richText,
  ...row
}: Tables["comments"]): Comment {
  return { ...toCamelCase(row), parent: { type, id }, richText: JSON.parse(richText) };
}
