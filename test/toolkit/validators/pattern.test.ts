import { describe, expect, test } from "vitest";
import { isOtherDialect, compilePattern } from "../../../scripts/emit/validators/compiler/pattern.js";

describe("a pattern", () => {
  test.each(["^[a-z]+$", "\\p{L}\\d{2,}", "a\\/b", "^\\u{1F600}$", "(?<year>\\d{4})-\\k<year>", "[\\-\\]^]"])(
    "of ECMAScript is taken as it is: %s",
    (source) => {
      expect(compilePattern(source)).toEqual(new RegExp(source, "u"));
    },
  );

  // Each with what it finds and what it does not.
  test.each([
    ["needless escapes", "^[\\w\\_\\.\\-]+\\@\\:\\ $", "a_.-@: ", "a,@: "],
    ["an escaped letter of another alphabet", "^\\é\\😀$", "é😀", "\\é"],
    ["a hyphen beside a class", "^[\\w-.]+[.-\\d]$", "a-.-", "a+."],
    ["a hyphen that begins or ends", "^[-\\w][\\w-]\\-$", "---", "+--"],
    ["single braces and brackets", "^{a}]x{2}$", "{a}]xx", "{a}]x"],
    ["the ends of other languages", "\\Aab\\-?\\Z", "ab-", "xab"],
    ["a flag in front", "(?i)^A\\_$", "a_", "b_"],
    ["groups named as in Python", "^(?P<n>a)\\_(?P=n)?$".replace("(?P=n)?", "\\k<n>"), "a_a", "a_b"],
    ["scripts by their names alone", "^[\\p{Han}\\p{IsHiragana}-]+$", "漢-", "a"],
  ])("with %s means the same here", (_, source, found, other) => {
    expect(() => new RegExp(source, "u")).toThrow();
    const pattern = compilePattern(source);
    expect(pattern?.test(found)).toBe(true);
    expect(pattern?.test(other)).toBe(false);
  });

  test.each(["\\p{Print}+\\_", "a{,3}", "(?>a)b", "a++b", "(?x) a", "\\Qa.b\\E", "a\\h"])(
    "of another language is none: %s",
    (source) => {
      expect(compilePattern(source)).toBeUndefined();
      expect(isOtherDialect(source)).toBe(true);
    },
  );

  test.each(["[a", "(a", "a)", "*", "[b-a]", "\\"])(
    "that is a mistake is none in any language: %s",
    (source) => {
      expect(compilePattern(source)).toBeUndefined();
      expect(isOtherDialect(source)).toBe(false);
    },
  );
});
