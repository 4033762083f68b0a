import type { Schemas } from "../../domain/api-schemas.js";
import type { Comment } from "../../domain/comment.js";
import type { Scope } from "../execution/scope.js";
import { resolveMentions } from "./mentions.js";
import { presentUserId } from "./object.js";

type CommentBody = Schemas["Comment"];

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
