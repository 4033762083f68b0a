import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/*
 * A key is `ps_`, 30 random Base62 characters (178 bits) and a checksum of 6. The prefix lets secret scanners find
 * leaked keys. The checksum lets us refuse mistyped or invented keys without a database query.
 */

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const KEY_PATTERN = /^ps_[0-9A-Za-z]{36}$/;
const RANDOM_LENGTH = 30;
const CHECKSUM_LENGTH = 6;
/** The highest multiple of 62 in a byte. Bytes from here on are skipped, because they would favour the first characters. */
const UNBIASED_BYTES = 248;

/** Generates an API key. It is shown once; only its hash is stored. */
export function generateKey(): string {
  let body = "ps_";
  while (body.length < "ps_".length + RANDOM_LENGTH) {
    for (const byte of randomBytes(RANDOM_LENGTH)) {
      if (byte < UNBIASED_BYTES && body.length < "ps_".length + RANDOM_LENGTH) {
        body += ALPHABET.charAt(byte % ALPHABET.length);
      }
    }
  }
  return body + checksum(body);
}

/** Whether a text has the form and the checksum of a key. It may still be unknown. */
export function hasValidChecksum(text: string): boolean {
  return KEY_PATTERN.test(text) && text.endsWith(checksum(text.slice(0, -CHECKSUM_LENGTH)));
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
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  while (rest > 0) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits.padStart(CHECKSUM_LENGTH, "0");
}
