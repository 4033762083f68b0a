import type { RichText } from "./rich-text.js";
import type { StoredObject } from "./stored-object.js";

export interface Comment extends Pick<StoredObject, "id" | "createdTime" | "lastEditedTime" | "createdBy"> {
  readonly parent: { readonly type: "page_id" | "block_id"; readonly id: string };
  readonly discussionId: string;
  readonly richText: readonly RichText[];
}
