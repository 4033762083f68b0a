/**
 * Brings a text into the form in which filters and search compare texts: the same for upper and lower case, and for
 * letters however their accents are encoded. What no database can hold as text, NUL and halves of characters, is
 * replaced.
 */
export function fold(text: string): string {
  return text
    .replace(/[\0\p{Cs}]/gu, "\ufffd")
    .normalize("NFC")
    .toLowerCase();
}
