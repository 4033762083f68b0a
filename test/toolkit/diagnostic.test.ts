import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test, vi } from "vitest";
import { type Diagnostic, sortDiagnostics } from "../../scripts/diagnostic.js";
import {
  formatDiagnostic,
  limitEqualWarnings,
  printDiagnostics,
  renderDiagnostics,
} from "../../scripts/print-diagnostics.js";
import { createTemporaryFolder } from "../support/temporary-folder.js";

const POSITION = { file: "/none/a.yaml", line: 1, col: 1, pointer: "" };

/** Renders an error at a position in a file with a text. */
function render(text: string, line: number, col: number, color = false): string[] {
  const cwd = createTemporaryFolder();
  const file = path.join(cwd, "a.yaml");
  writeFileSync(file, text);
  const diagnostic: Diagnostic = {
    severity: "error",
    message: "No.",
    position: { file, line, col, pointer: "/a" },
  };
  return renderDiagnostics([diagnostic], { cwd, color }).split("\n");
}

test("a diagnostic shows its source line with carets below the key", () => {
  expect(render("a: 1\nb:\n\tlong-key: 2\r\n", 3, 2)).toEqual([
    "a.yaml:3:2  error  No.  at #/a",
    "    3 |  long-key: 2",
    "      |  ^^^^^^^^",
  ]);
  expect(render('{"a b": 1}', 1, 2).slice(1)).toEqual(['    1 | {"a b": 1}', "      |  ^^^^^"]);
  expect(render("a: 'it''s b'", 1, 4).slice(1)).toEqual(["    1 | a: 'it''s b'", "      |    ^^^^^^^^^"]);
  expect(render("\ufeffa: 1", 1, 1).slice(1)).toEqual(["    1 | a: 1", "      | ^"]);
  expect(render("😀: {a: 1}", 1, 6).slice(1)).toEqual(["    1 | 😀: {a: 1}", "      |     ^"]);
});

test("a pointer has at most 1,000 characters", () => {
  const position = { ...POSITION, pointer: `/${"x".repeat(1_000)}` };
  expect(formatDiagnostic({ severity: "error", message: "No.", position })).toBe(
    `/none/a.yaml:1:1  error  No.  at #/${"x".repeat(999)}…`,
  );
});

test("a message has at most 1,000 characters", () => {
  const format = (message: string): string => formatDiagnostic({ severity: "error", message });
  expect(format("x".repeat(1_000))).toBe(`error  ${"x".repeat(1_000)}`);
  expect(format("x".repeat(1_001))).toBe(`error  ${"x".repeat(1_000)}…`);
});

test("formats the diagnostics of a list with map", () => {
  const diagnostics: Diagnostic[] = [{ severity: "error", message: "No.", position: POSITION }];
  expect(diagnostics.map(formatDiagnostic)).toEqual(["/none/a.yaml:1:1  error  No."]);
});

test("adds only color sequences of the terminal", () => {
  expect(render("a: 1\n", 1, 1, true)).toEqual([
    "a.yaml:1:1  \u001b[31merror\u001b[0m  No.  at #/a",
    "    1 | a: 1",
    "      | \u001b[31m^\u001b[0m",
  ]);
});

test.each([
  ["\u001b[31merror\u001b[0m  No.", "a terminal with colors", { isTTY: true, hasColors: () => true }],
  ["error  No.", "a terminal without colors", { isTTY: true, hasColors: () => false }],
  ["error  No.", "a file", { isTTY: false, hasColors: undefined }],
])("prints %j to %s", (text, _, stream) => {
  const { isTTY, hasColors } = process.stderr;
  const printed = vi.spyOn(console, "error").mockImplementation(() => {});
  Object.assign(process.stderr, stream);
  try {
    printDiagnostics([{ severity: "error", message: "No." }]);
    expect(printed.mock.calls).toEqual([[text]]);
  } finally {
    Object.assign(process.stderr, { isTTY, hasColors });
    printed.mockRestore();
  }
});

test("truncates a long line around the caret, and makes control characters visible", () => {
  const [, source = "", carets = ""] = render(
    `${"\u001b[2J".repeat(1_000)}key: ${"x".repeat(5_000)}`,
    1,
    4_001,
  );
  expect(source.length).toBeLessThan(600);
  expect(source).toMatch(/^ {4}1 \| …(?:\\u001b\[2J){15}key: x+…$/);
  expect(carets.indexOf("^^^")).toBe(source.indexOf("key"));
});

test("shows at most 60 characters before the caret", () => {
  expect(render(`${"a".repeat(61)}: 1`, 1, 61)[1]).toBe(`    1 | ${"a".repeat(61)}: 1`);
  expect(render(`${"a".repeat(61)}: 1`, 1, 62)[1]).toBe(`    1 | …${"a".repeat(60)}: 1`);
});

test("a position without source text has no excerpt", () => {
  expect(render("", 1, 1)).toHaveLength(1);
  expect(render("a: 1\n", 9, 1)).toHaveLength(1);
  expect(renderDiagnostics([{ severity: "warning", message: "No.", position: POSITION }])).toBe(
    "/none/a.yaml:1:1  warning  No.",
  );
});

test("prints at most five warnings with the same message, and all errors", () => {
  const repeat = (severity: Diagnostic["severity"], message: string, count: number): Diagnostic[] =>
    Array.from({ length: count }, () => ({ severity, message }));
  const others = [...repeat("warning", "Other.", 5), ...repeat("error", "No.", 7)];
  expect(limitEqualWarnings([...repeat("warning", "No.", 7), ...others])).toEqual([
    ...repeat("warning", "No.", 5),
    ...others,
    { severity: "warning", message: "2 more: No." },
  ]);
});

test("sorts by position, and reports a problem once, as an error if it is one", () => {
  const problem = (severity: Diagnostic["severity"], message: string, line: number, col = 2): Diagnostic => ({
    severity,
    message,
    position: { file: "/a.yaml", line, col, pointer: "" },
  });
  const [late, error] = [problem("warning", "Late.", 2), problem("error", "No.", 1)];
  const warning = problem("warning", "No.", 1);
  expect(sortDiagnostics([late, warning, error])).toEqual([error, late]);
  expect(sortDiagnostics([error, late, warning])).toEqual([error, late]);
  const before = problem("error", "Of an earlier column.", 1, 1);
  expect(sortDiagnostics([error, before])).toEqual([before, error]);
});

test("an error hides warnings about the same node, but not those about others or about the whole file", () => {
  const problem = (severity: Diagnostic["severity"], pointer: string, col: number): Diagnostic => ({
    severity,
    message: `Column ${col}.`,
    position: { file: "/a.yaml", line: 1, col, pointer },
  });
  const error = problem("error", "/paths", 1);
  const other = problem("warning", "/paths/~1a", 3);
  expect(sortDiagnostics([error, problem("warning", "/paths", 2), other])).toEqual([error, other]);
  const file = [problem("error", "", 1), problem("warning", "", 2)];
  expect(sortDiagnostics(file)).toEqual(file);
});
