import { describe, expect, test } from "vitest";
import { compilePattern } from "../../../scripts/emit/validators/compiler/keywords/pattern.js";
import { describeSyntaxError } from "../../../scripts/json-schema/regular-expression.js";

describe("a pattern", () => {
  test.each([
    "^[a-z]+$",
    "\\p{L}\\d{2,}",
    "a\\/b",
    "^\\u{1F600}$",
    "(?<year>\\d{4})-\\k<year>",
    "[\\-\\]^]",
    "[(?i:]\\(?i:",
  ])("of ECMAScript is unchanged: %s", (source) => {
    expect(compilePattern(source)).toEqual(new RegExp(source, "u"));
  });

  // Patterns with a matching and a non-matching text.
  test.each([
    ["needless escapes", "^[\\w\\_\\.\\-]+\\@\\:\\ $", "a_.-@: ", "a,@: "],
    ["an escaped hyphen between characters", "^[\\_\\-z]+$", "_-z", "a"],
    ["an escaped letter of another alphabet", "^\\é\\😀$", "é😀", "\\é"],
    ["a hyphen next to a class", "^[\\w-.]+[.-\\d]$", "a-.-", "a+."],
    ["a hyphen between classes", "^[\\p{L}-\\w-a-c]$", "-", "+"],
    ["a hyphen at the start or end", "^[-\\w][\\w-]\\-$", "---", "+--"],
    ["single braces and brackets", "^{a}]x{2}$", "{a}]xx", "{a}]x"],
    ["the anchors of other languages", "\\Aab\\-?\\Z", "ab-", "xab"],
    ["a flag at the start", "(?i)^A\\_$", "a_", "b_"],
    ["named groups of Python", "^(?P<n>a)\\_(?P=n)?$".replace("(?P=n)?", "\\k<n>"), "a_a", "a_b"],
    ["scripts by name", "^[\\p{Han}\\p{IsHiragana}-]+$", "漢-", "a"],
  ])("with %s keeps its meaning", (_, source, found, other) => {
    expect(() => new RegExp(source, "u")).toThrow();
    const pattern = compilePattern(source);
    expect(pattern?.test(found)).toBe(true);
    expect(pattern?.test(other)).toBe(false);
  });

  test.each([
    "\\p{Print}+\\_",
    "a{,3}",
    "(?>a)b",
    "a++b",
    "(?x) a",
    "\\Qa.b\\E",
    "a\\h",
    "[]a-z]",
    "[^]]+",
    "^[[:alpha:]]+$",
    "[a-z&&[^aeiou]]",
    "[a-z-[aeiou]]",
    // Valid in ECMAScript 2025, but not in all supported versions of Node.js.
    "(?i:a)",
    "a(?m-s:^b)",
    "(?<n>a)|(?<n>b)",
  ])("of another language is not supported: %s", (source) => {
    expect(compilePattern(source)).toBeUndefined();
  });

  test.each(["[a", "(a", "a)", "*", "[b-a]", "\\"])("is invalid in every language: %s", (source) => {
    expect(compilePattern(source)).toBeUndefined();
  });

  test.each([
    ["a(b: c", "unterminated group"],
    ["(?i:a)*", "its groups need a newer Node.js"],
    ["(?<n>a)|(?<n>b)", "its groups need a newer Node.js"],
  ])("that is not supported has a reason: %s", (source, reason) => {
    expect(describeSyntaxError(source)).toBe(reason);
  });
});
