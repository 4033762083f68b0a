/**
 * Folds a text for filters and search, so that case and the encoding of accents do not matter. Replaces NUL and lone
 * surrogates, which databases cannot store, and two characters that SQLite's LIKE confuses with the replacement.
 */
export function fold(text: string): string {
  return normalize(text.replace(/[\0\p{Cs}\ufffe\uffff]/gu, "\ufffd")).toLowerCase();
}

/** Places in a long run of combining marks where it is divided: after every 30 marks. */
const LONG_MARKS = /\p{M}{30}(?=\p{M})/gu;

/** Combining grapheme joiner. It is invisible, and marks are not sorted across it. */
const JOINER = "\u034f";

/**
 * Normalizes a text (NFC). Divides long runs of combining marks as in the Stream-Safe Text Format (UAX #15, section 13),
 * because the time to sort a run grows with its square: 10 s for 100,000 marks.
 */
export function normalize(text: string): string {
  return text.replace(LONG_MARKS, `$&${JOINER}`).normalize("NFC");
}

/** Maximum length of a text of a request in a message. */
const MAX_MESSAGE_TEXT_LENGTH = 100;

/** Shortens a long text of a request for a message, with an ellipsis. */
export function abbreviate(text: string): string {
  return text.length <= MAX_MESSAGE_TEXT_LENGTH ? text : `${truncate(text, MAX_MESSAGE_TEXT_LENGTH)}…`;
}

/** Cuts a text to at most `maxLength` UTF-16 units, never within a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  const cutsPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return text.length <= maxLength ? text : text.slice(0, cutsPair ? maxLength - 1 : maxLength);
}
