import type { Schemas } from "../domain/api-schemas.js";
import type { Comment } from "../domain/comment.js";
import { createNotFoundError, createInvalidValueError } from "../domain/errors.js";
import { newId, normalizeId } from "../domain/ids.js";
import { parseRichText } from "../domain/rich-text.js";
import { findFirstComment, insertComment } from "../storage/comments.js";
import { isInTrash } from "../storage/objects/objects.js";
import { takeOnly } from "../lists.js";
import { presentComments } from "./comments.js";
import { checkReferences } from "./check/references.js";
import { requirePage } from "./load/pages-and-databases.js";
import type { Scope, WriteScope } from "./execution/scope.js";
import { createInTrashError } from "../domain/stored-object.js";

type Input = Schemas["CreateCommentBody"];

/** Adds a comment to a page or discussion. Throws a DomainError for an unknown one, one in the trash, or an invalid text. */
export async function createComment(scope: WriteScope, input: Input): Promise<Schemas["Comment"]> {
  const { edit } = scope;
  const { parent, discussionId } = await findOrStartDiscussion(scope, input);
  if (await isInTrash(scope, parent)) throw createInTrashError();
  const richText = parseRichText(input.rich_text, "body.rich_text");
  await checkReferences(scope, { texts: richText });
  const comment: Comment = {
    id: newId(),
    parent,
    discussionId,
    richText,
    createdTime: edit.time,
    lastEditedTime: edit.time,
    createdBy: edit.author,
  };
  await insertComment(scope, comment);
  return takeOnly(await presentComments(scope, [comment]));
}

async function findOrStartDiscussion(
  scope: Scope,
  { parent, discussion_id: discussion }: Input,
): Promise<Pick<Comment, "parent" | "discussionId">> {
  if (discussion !== undefined) {
    if (parent !== undefined) throw createInvalidValueError("body.discussion_id", "not present", discussion);
    const discussionId = normalizeId(discussion);
    const first = await findFirstComment(scope, discussionId);
    if (first === undefined) throw createNotFoundError("discussion", discussionId);
    return { parent: first.parent, discussionId };
  }
  if (parent === undefined) throw createInvalidValueError("body.parent", "defined", parent);
  const { page } = await requirePage(scope, normalizeId(parent.page_id));
  return { parent: { type: "page_id", id: page.id }, discussionId: newId() };
}
