import type { RichText } from "./rich-text.js";
import type { Schema } from "./schema.js";

/** A database as the service keeps it. Times are milliseconds since 1970. */
export interface Database {
  readonly id: string;
  readonly title: readonly RichText[];
  readonly schema: Schema;
  readonly createdTime: number;
  readonly lastEditedTime: number;
  readonly createdBy: string;
  readonly lastEditedBy: string;
}
