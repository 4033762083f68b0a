import type { RichText } from "../rich-text.js";
import { getStoredValue, type StoredProperties } from "./stored-values.js";

/** Returns the plain text of rich text. */
export function toPlainText(runs: readonly RichText[]): string {
  return runs.map((run) => run.plain_text).join("");
}

/** Returns the title of a page as plain text. Every title property has the same id. */
export function getTitle(stored: StoredProperties): string {
  return toPlainText(getStoredValue(stored, { id: "title", type: "title" }) ?? []);
}
