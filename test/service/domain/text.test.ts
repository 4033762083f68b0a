import { expect, test } from "vitest";
import {
  abbreviate,
  foldText,
  formatTitle,
  hasLineBreak,
  normalizeText,
  truncate,
} from "../../../src/domain/text.js";
import { expectCpuTimeBelow } from "../../support/cpu-time.js";

/** One letter with marks that normalization has to sort. */
function createMarks(count: number): string {
  return `e${"\u0301".repeat(count / 2)}${"\u0323".repeat(count / 2)}`;
}

test("marks are composed and sorted", () => {
  expect(normalizeText("e\u0301 \u1e69 q\u0307\u0323")).toBe("\u00e9 \u1e69 q\u0323\u0307");
  expect(normalizeText(createMarks(30))).toBe(createMarks(30).normalize());
});

test.each([
  ["ΠΡΟΣ", "προς"],
  ["ΠΡΟΣ", "προσ"],
  ["J\u030c", "\u01f0"],
  ["H\u0331", "\u1e96"],
  ["STRASSE", "straße"],
  ["Straẞe", "straße"],
  ["İstanbul", "istanbul"],
  ["ISTANBUL", "ıstanbul"],
  ["İ\u0301", "í"],
])("%s and %s differ only in case", (one, other) => {
  expect(foldText(one)).toBe(foldText(other));
});

test("a folded text contains its folded beginning", () => {
  expect(foldText("ΠΡΟΣΦΟΡΑ").startsWith(foldText("ΠΡΟΣ"))).toBe(true);
});

test.each(["", " \n\u3000", "\u200b", "\u200d \ufe0f", "\u3164", "\u2800", "\u{e0041}", "\0\u202e"])(
  "the title %j has no visible character",
  (title) => {
    expect(formatTitle(title)).toBe("Untitled");
  },
);

test.each(["a", "\u200b愛", "👩‍💻", "…", "\ue000"])("the title %j is shown unchanged", (title) => {
  expect(formatTitle(title)).toBe(title);
});

test("the time to normalize 200,000 marks does not grow with the square of their number", async () => {
  // It takes 10 ms instead of 40 s.
  await expectCpuTimeBelow(2000, () =>
    expect(foldText(createMarks(200_000)).length).toBeGreaterThan(200_000),
  );
});

test.each([
  [30, [30]],
  [31, [30, 1]],
  [61, [30, 30, 1]],
])("%i marks are divided into %j", (count, lengths) => {
  const runs = normalizeText(`q${"\u0301".repeat(count)}`)
    .slice(1)
    .split("\u034f");
  expect(runs.map(({ length }) => length)).toEqual(lengths);
});

test("short runs of marks take as much time as letters", async () => {
  // 100 ms. It takes 800 ms when a search for long runs begins at each mark.
  await expectCpuTimeBelow(400, () => {
    for (let round = 0; round < 10; round += 1) normalizeText(`q${"\u0301".repeat(29)}`.repeat(7000));
  });
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "abc"],
  ["ab🧭", 3, "ab"],
  ["ab🧭", 4, "ab🧭"],
  ["ab🧭c", 4, "ab🧭"],
  ["🧭", 1, ""],
])("%s in %d UTF-16 units is %s", (text, maxLength, expected) => {
  expect(truncate(text, maxLength)).toBe(expected);
});

test("a text of more than 100 UTF-16 units is abbreviated with an ellipsis, not within a surrogate pair", () => {
  expect(abbreviate("x".repeat(100))).toBe("x".repeat(100));
  expect(abbreviate("x".repeat(101))).toBe(`${"x".repeat(100)}…`);
  expect(abbreviate(`${"x".repeat(99)}🧭`)).toBe(`${"x".repeat(99)}…`);
});

test("a title is cut to its maximum length, and Untitled if the rest is invisible", () => {
  expect(formatTitle("abc", 3)).toBe("abc");
  expect(formatTitle("abcd", 3)).toBe("abc");
  expect(formatTitle("   d", 3)).toBe("Untitled");
});

test("characters that databases cannot store, or do not distinguish, are folded to the replacement character", () => {
  expect(foldText("a\0b\ud83dc\udc00d\ufffee\uffff🧭")).toBe("a\ufffdb\ufffdc\ufffdd\ufffde\ufffd🧭");
});

test.each(["\n", "\v", "\f", "\r", "\u0085", "\u2028", "\u2029"])("%j is a line break", (character) => {
  expect(hasLineBreak(`a${character}b`)).toBe(true);
  expect(hasLineBreak("a\tb c\u00a0")).toBe(false);
});
