import type { RichText } from "../rich-text.js";
import type { Schema } from "../schema.js";
import { storedValue, type StoredProperties } from "./stored.js";

/** The text of rich text, without its formatting. */
export function plainText(runs: readonly RichText[]): string {
  return runs.map((run) => run.plain_text).join("");
}

/** The title of a page, without its formatting. */
export function titleOf(schema: Schema, stored: StoredProperties): string {
  const title = schema.definitions.find((definition) => definition.type === "title");
  return title?.type === "title" ? plainText(storedValue(stored, { id: title.id, type: "title" }) ?? []) : "";
}
