/**
 * Folds the case of a text for filters and search, and normalizes it (NFC). Letters are equal if they have the same upper case,
 * such as ß and ss, ς and σ, and ı and i; İ is equal to i. Also replaces NUL and lone surrogates, which databases cannot store,
 * and U+FFFE and U+FFFF, which SQLite's LIKE does not distinguish from the replacement character.
 */
export function foldText(text: string): string {
  const storable = text.replace(/[\0\p{Cs}\ufffe\uffff]/gu, "\ufffd");
  // First to lower case, because ẞ has no upper case, unlike ß.
  const folded = normalizeText(storable).toLowerCase().toUpperCase().toLowerCase();
  // The lower case of Σ depends on its position, and that of İ has a second dot. Case mappings can also decompose letters.
  return folded.replaceAll("ς", "σ").replaceAll("i\u0307", "i").normalize("NFC");
}

/** Replaces NUL and lone surrogates, which databases store only escaped in JSON. */
export function toStorableText(text: string): string {
  return text.replace(/[\0\p{Cs}]/gu, "\ufffd");
}

/** Maximum number of combining marks in a row. */
const MAX_MARKS = 30;

/** Matches longer runs of combining marks. Begins only at the first mark, because each start takes up to MAX_MARKS steps. */
const LONG_MARKS = new RegExp(`(?<!\\p{M})\\p{M}{${MAX_MARKS + 1},}`, "gu");
/** Matches MAX_MARKS of such a run, if others follow. */
const FULL_MARKS = new RegExp(`\\p{M}{${MAX_MARKS}}(?!$)`, "gu");

/** Combining grapheme joiner, an invisible character that divides runs of combining marks. */
const JOINER = "\u034f";

/**
 * Normalizes a text (NFC). First divides long runs of combining marks, as in the Stream-Safe Text Format (UAX #15, section 13):
 * normalization sorts each run in quadratic time, 10 s for 100,000 marks.
 */
export function normalizeText(text: string): string {
  return text.replace(LONG_MARKS, (marks) => marks.replace(FULL_MARKS, `$&${JOINER}`)).normalize("NFC");
}

/** Maximum length of a quoted text in an error message. */
const MAX_MESSAGE_TEXT_LENGTH = 100;

/** Shortens a long text of a request for an error message, with an ellipsis. */
export function abbreviate(text: string): string {
  return text.length <= MAX_MESSAGE_TEXT_LENGTH ? text : `${truncate(text, MAX_MESSAGE_TEXT_LENGTH)}…`;
}

/** Whether a text has only spaces, control characters and characters without a glyph, such as the blank Braille pattern. */
export function isInvisible(text: string): boolean {
  return /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]*$/u.test(text);
}

/** Cuts a title to `maxLength` for display. Returns "Untitled" for a title without visible characters. */
export function formatTitle(title: string, maxLength = Infinity): string {
  const shown = truncate(title, maxLength);
  return isInvisible(shown) ? "Untitled" : shown;
}

/** Whether a text has a line break, which in an e-mail address could add headers to a message. */
export function hasLineBreak(text: string): boolean {
  return /[\n\v\f\r\u0085\u2028\u2029]/.test(text);
}

/** Cuts a text to at most `maxLength` UTF-16 units, never within a surrogate pair. */
export function truncate(text: string, maxLength: number): string {
  const cutsPair = /[\ud800-\udbff]/.test(text.charAt(maxLength - 1));
  return text.length <= maxLength ? text : text.slice(0, cutsPair ? maxLength - 1 : maxLength);
}
