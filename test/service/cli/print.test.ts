import { expect, onTestFinished, test, vi } from "vitest";
import { printList } from "../../../src/cli/print.js";

test("a table has aligned columns and no spaces at the ends of its lines", () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  onTestFinished(() => log.mockRestore());
  printList(
    false,
    [],
    [
      ["a", "long", ""],
      ["bcd", "e", ""],
    ],
  );
  expect(log.mock.calls).toEqual([["a    long\nbcd  e"]]);
});
