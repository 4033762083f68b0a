import { randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "ps_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
const KEY_PATTERN = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);
/** Characters of a key that lists show, including PREFIX. */
const VISIBLE_PREFIX_LENGTH = PREFIX.length + 6;

/** Generates an API key, whose form ../DECISIONS.md explains. It is shown once; only its hash is stored. */
export function generateKey(): string {
  const characters = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  const text = PREFIX + characters.join("");
  return text + computeChecksum(text);
}

/** Whether a text has the form and the checksum of a key. The key may still be unknown. */
export function isWellFormedKey(text: string): boolean {
  return KEY_PATTERN.test(text) && text.endsWith(computeChecksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/** Returns the first and last characters of a key, by which people recognise it in lists. */
export function getVisibleParts(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, VISIBLE_PREFIX_LENGTH), lastFour: key.slice(-4) };
}

/** Computes the CRC-32 of a text in Base62, padded to six characters. */
function computeChecksum(text: string): string {
  let value = crc32(text);
  let digits = "";
  while (value > 0) {
    digits = ALPHABET.charAt(value % ALPHABET.length) + digits;
    value = Math.floor(value / ALPHABET.length);
  }
  return digits.padStart(CHECKSUM_LENGTH, "0");
}
