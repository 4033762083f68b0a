import { expect, onTestFinished, test, vi } from "vitest";
import { printList } from "../../../src/cli/print.js";

test("a table has headings, aligned columns and no spaces at the ends of its lines", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  const rows = [
    ["a", "long", ""],
    ["bcd", "e", ""],
  ];
  printList(false, rows, "", {
    A: ([cell = ""]) => cell,
    B: ([, cell = ""]) => cell,
    C: () => "",
  });
  expect(log.mock.calls).toEqual([["A    B     C\na    long\nbcd  e"]]);
});
