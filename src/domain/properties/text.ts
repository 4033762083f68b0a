import type { RichText } from "../rich-text.js";
import { storedValue, type StoredProperties } from "./stored.js";

/** The text of rich text, without its formatting. */
export function plainText(runs: readonly RichText[]): string {
  return runs.map((run) => run.plain_text).join("");
}

/** The title of a page, without its formatting. The id of title properties is always the same. */
export function titleOf(stored: StoredProperties): string {
  return plainText(storedValue(stored, { id: "title", type: "title" }) ?? []);
}
