import type { RichText } from "../rich-text.js";
import { getStoredValue, type StoredProperties } from "./stored-values.js";

export function toPlainText(runs: readonly RichText[]): string {
  return runs.map((run) => run.plain_text).join("");
}

/** Returns the title of a page as plain text. The id of the title property is the same in all databases. */
export function getTitle(stored: StoredProperties): string {
  return toPlainText(getStoredValue(stored, { id: "title", type: "title" }) ?? []);
}
