/** Places in a long run of combining marks where it is divided: after every 30 marks. */
const LONG_MARKS = /\p{M}{30}(?=\p{M})/gu;

/** Combining grapheme joiner. It is invisible, and marks are not sorted across it. */
const JOINER = "\u034f";

/**
 * Normalizes a text (NFC). Long runs of combining marks are divided as in the Stream-Safe Text Format (UAX #15, section 13),
 * because the time to sort a run grows with its square: 10 s for 100,000 marks.
 */
export function normalize(text: string): string {
  return text.replace(LONG_MARKS, `$&${JOINER}`).normalize("NFC");
}
