/**
 * Brings a text into the form in which filters and search compare texts: the same for upper and lower case, and for
 * letters however their accents are encoded.
 */
export function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}
