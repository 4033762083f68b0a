import { normalize } from "./normalize.js";

/**
 * Folds a text for filters and search, so that case and the encoding of accents do not matter. Replaces characters that
 * databases cannot store, NUL and lone surrogates, and the two characters that SQLite's LIKE confuses with the
 * replacement.
 */
export function fold(text: string): string {
  return normalize(text.replace(/[\0\p{Cs}\ufffe\uffff]/gu, "\ufffd")).toLowerCase();
}
