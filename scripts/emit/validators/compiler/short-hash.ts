/**
 * Computes a hash for names in generated code: at most eight letters and digits. Not cryptographic. Another algorithm would
 * rename generated functions.
 */
export function computeShortHash(text: string): string {
  // Two 32-bit hashes in the manner of FNV-1a, over UTF-16 code units. The first has the offset and the prime of FNV-1a, and
  // the second has constants of MurmurHash3. In most cases one or two digits of the second remain.
  let first = 0x811c9dc5;
  let second = 0x1b873593;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    first = Math.imul(first ^ code, 0x01000193);
    second = Math.imul(second ^ code, 0x85ebca6b);
  }
  const toDigits = (hash: number): string => (hash >>> 0).toString(36);
  return `${toDigits(first)}${toDigits(second)}`.slice(0, 8);
}
