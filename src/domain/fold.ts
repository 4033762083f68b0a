/**
 * Folds a text for filters and search: case and the encoding of accents no longer matter. Characters that databases cannot
 * store, NUL and lone surrogates, are replaced, and so are the two characters that SQLite's LIKE confuses with the
 * replacement.
 */
export function fold(text: string): string {
  return text
    .replace(/[\0\p{Cs}\ufffe\uffff]/gu, "\ufffd")
    .normalize("NFC")
    .toLowerCase();
}
