import { expect, test } from "vitest";
import { generateKey, isWellFormedKey } from "../../../../src/access/keys/key-format.js";

test("the checksum is CRC-32 in Base62 with leading zeros", () => {
  // Computed independently with Python's zlib.crc32.
  expect(isWellFormedKey("ps_0123456789ABCDEFGHIJKLMNOPQRST3nCMI3")).toBe(true);
  expect(isWellFormedKey("ps_aaaaaaaaaaaaaaaaaaaaaaaaaaa11700Bsuy")).toBe(true);
});

test("new keys are well-formed, have a valid checksum and are unique", () => {
  const keys = Array.from({ length: 2000 }, generateKey);
  for (const key of keys) {
    expect(key).toMatch(/^ps_[0-9A-Za-z]{36}$/);
    expect(isWellFormedKey(key)).toBe(true);
  }
  expect(new Set(keys).size).toBe(keys.length);
});

test("all characters are equally likely", () => {
  const counts = new Map<string, number>();
  for (let count = 0; count < 4000; count += 1) {
    for (const character of generateKey().slice(3, 33))
      counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  const expected = (4000 * 30) / 62;
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - expected) ** 2 / expected, 0);
  // With 61 degrees of freedom, a uniform distribution exceeds 130 once in a million runs; bytes modulo 62 give 600.
  expect(chiSquare).toBeLessThan(130);
});

test("a key with any character changed is refused", () => {
  const key = generateKey();
  for (let index = 0; index < key.length; index += 1) {
    const other = key[index] === "x" ? "y" : "x";
    expect(isWellFormedKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
  }
  for (const text of ["", "ps_", ` ${key}`, `${key}\n`, key + key, key.toUpperCase()]) {
    expect(isWellFormedKey(text)).toBe(false);
  }
});
