import type { Cover, Icon } from "./icon.js";
import type { StoredObject } from "./object.js";
import type { RichText } from "./rich-text.js";
import type { Schema } from "./schema.js";

/** A database as the service keeps it. */
export interface Database extends StoredObject {
  readonly title: readonly RichText[];
  readonly description: readonly RichText[];
  readonly icon: Icon | null;
  readonly cover: Cover | null;
  readonly isInline: boolean;
  readonly schema: Schema;
}
