/**
 * Brings a text into the form in which filters and search compare texts: the same for upper and lower case, and for
 * letters however their accents are encoded. What no database can hold as text, NUL and halves of characters, is
 * replaced, and so are the two that SQLite's LIKE takes for the replacement.
 */
export function fold(text: string): string {
  return text
    .replace(/[\0\p{Cs}\ufffe\uffff]/gu, "\ufffd")
    .normalize("NFC")
    .toLowerCase();
}
