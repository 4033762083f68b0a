import type { RichText } from "./rich-text.js";

/** A comment. Times are milliseconds since 1970. */
export interface Comment {
  readonly id: string;
  readonly parent: { readonly type: "page_id" | "block_id"; readonly id: string };
  readonly discussionId: string;
  readonly richText: readonly RichText[];
  readonly createdTime: number;
  readonly lastEditedTime: number;
  /** User id of the author. */
  readonly createdBy: string;
}
