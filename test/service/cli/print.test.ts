import { expect, onTestFinished, test, vi } from "vitest";
import { printList } from "../../../src/cli/print.js";

function printTable(rows: string[][], columns: Parameters<typeof printList<string[]>>[3]): unknown {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  printList(false, rows, "", columns);
  return log.mock.calls;
}

test("a table has headings, aligned columns and no spaces at the ends of its lines", () => {
  const rows = [
    ["a", "long", ""],
    ["bcd", "e", ""],
  ];
  const columns = {
    A: ([cell = ""]: string[]) => cell,
    B: ([, cell = ""]: string[]) => cell,
    C: () => "",
  };
  expect(printTable(rows, columns)).toEqual([["A    B     C\na    long\nbcd  e"]]);
});

test.each([
  ["Japanese", "第二", "  "],
  ["halfwidth katakana", "ｱｲｳｴ", "  "],
  ["a long vowel", "データ", ""],
  ["Hangul", "한글", "  "],
  ["emoji of several characters", "👩‍👩‍👧‍👦🇩🇪", "  "],
  ["a symbol that is shown as an emoji", "❤️ab", "  "],
  ["combining marks", "e\u0301e\u0301", "    "],
])("columns are aligned in a terminal (%s)", (_, text, padding) => {
  expect(printTable([["123456"], [text]], { A: ([cell = ""]) => cell, B: () => "|" })).toEqual([
    [`A       B\n123456  |\n${text}${padding}  |`],
  ]);
});

test("a text of a member cannot control the terminal, or look like another row", () => {
  const title = "\u001b[31mred\u001b[0m\nKEY\u2028\u202e";
  expect(printTable([[title]], { TITLE: ([cell = ""]) => cell })).toEqual([
    ["TITLE\n\ufffd[31mred\ufffd[0m\ufffdKEY\ufffd\ufffd"],
  ]);
});

test("a table can have very many rows", () => {
  const rows = Array.from({ length: 200_000 }, () => ["a"]);
  expect(printTable(rows, { A: ([cell = ""]) => cell })).toHaveLength(1);
});
