import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/*
 * A key is `ps_`, 30 random Base62 characters (178 bits) and a checksum of 6 characters. The prefix lets secret scanners
 * find leaked keys. The checksum lets us refuse mistyped or invented keys without a database query.
 */

const PREFIX = "ps_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_PATTERN = /^ps_[0-9A-Za-z]{36}$/;
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** The highest multiple of 62 in a byte. Bytes from it on are skipped, because they would favour the first characters. */
const BYTE_LIMIT = 248;

/** Generates an API key. It is shown once; only its hash is stored. */
export function generateKey(): string {
  let text = PREFIX;
  while (text.length < PREFIX.length + RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      if (byte < BYTE_LIMIT && text.length < PREFIX.length + RANDOM_LENGTH) {
        text += ALPHABET.charAt(byte % ALPHABET.length);
      }
    }
  }
  return text + computeChecksum(text);
}

/** Whether a text has the form and the checksum of a key. The key may still be unknown. */
export function isWellFormedKey(text: string): boolean {
  return KEY_PATTERN.test(text) && text.endsWith(computeChecksum(text.slice(0, -CHECKSUM_LENGTH)));
}

/**
 * Hashes a key for storage and look-up: SHA-256, hexadecimal. A slow hash would add nothing, because keys are long and
 * random.
 */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** Returns the first and last characters of a key, by which people recognise it in lists. */
export function describeKey(key: string): { prefix: string; lastFour: string } {
  return { prefix: key.slice(0, 9), lastFour: key.slice(-4) };
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
