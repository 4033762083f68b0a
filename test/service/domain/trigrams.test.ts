import { expect, test } from "vitest";
import { hashPatterns, hashTrigrams } from "../../../src/domain/trigrams.js";

/** Returns a text whose trigrams all differ. */
function createText(length: number): string {
  return String.fromCodePoint(...Array.from({ length }, (_, index) => 0x4e00 + index));
}

test("a long text has a limited number of trigrams, and is found by every pattern", () => {
  const longest = hashTrigrams("scope", createText(20_000), 10_000);
  expect(hashTrigrams("scope", createText(19_000), 10_000)).toEqual(longest);
  expect(longest.size).toBeLessThan(5000);
  const pattern = hashPatterns("scope", ["not in it"]);
  expect(longest.has(pattern?.truncationMark ?? 0)).toBe(true);
  expect(hashTrigrams("scope", createText(20), 10_000).has(pattern?.truncationMark ?? 0)).toBe(false);
});

test("a text that reaches the remaining number of trigrams is found by every pattern", () => {
  const { truncationMark } = hashPatterns("scope", ["not in it"]) ?? { truncationMark: 0 };
  expect(hashTrigrams("scope", createText(12), 11).has(truncationMark)).toBe(false);
  expect(hashTrigrams("scope", createText(12), 10).has(truncationMark)).toBe(true);
  expect(hashTrigrams("scope", createText(12), 5).size).toBe(6);
});

test("trigrams with one different character, or another order, have different hashes", () => {
  const texts = ["abc", "xbc", "axc", "abx", "acb", "bac", "cba"];
  const hashes = new Set(texts.flatMap((text) => [...hashTrigrams("scope", text, 10)]));
  expect(hashes.size).toBe(texts.length);
});

test("hashes have few bits, because an index of PostgreSQL keeps each one for ever", () => {
  const hashes = hashTrigrams("scope", createText(2000), 10_000);
  expect(hashes.size).toBeGreaterThan(1990);
  expect(Math.min(...hashes)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...hashes)).toBeLessThan(2 ** 22);
});
