import ts from "typescript";
import { afterEach, describe, expect, test } from "vitest";
import {
  escapeCommentText,
  escapeTemplateText,
  createDocLines,
  printJsonExpression,
  printPropertyKey,
  printStringLiteral,
} from "../../../scripts/code/encode.js";
import { CANARY, PAYLOADS } from "../hostile/payloads.js";

const TEXTS = [...Object.values(PAYLOADS), "then", "null", "0", "-1", "1e3", " ", "ünï 🧭", ""];

afterEach(() => {
  expect(globalThis).not.toHaveProperty(CANARY);
});

/** Evaluates an expression; throws if TypeScript cannot parse it. */
function evaluate(expression: string): unknown {
  const { outputText, diagnostics = [] } = ts.transpileModule(`return (${expression});`, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023 },
  });
  const problems = diagnostics.filter(({ code }) => code !== 1108); // `return` outside of a function
  expect(problems.map(({ messageText }) => messageText)).toEqual([]);
  // oxlint-disable-next-line no-implied-eval -- the test compares the value of the expression
  return new Function(outputText)();
}

/** Counts the statements and problems of a file. */
function countStatements(text: string): { statements: number; problems: number } {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest);
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return { statements: file.statements.length, problems: diagnostics.length };
}

describe.each(TEXTS)("%j", (text) => {
  test("is unchanged as a string", () => {
    expect(evaluate(printStringLiteral(text))).toBe(text);
  });

  test("is unchanged in a template literal", () => {
    expect(evaluate(`\`${escapeTemplateText(text)}\``)).toBe(text);
  });

  test("is unchanged as an own key of an object, and does not change its prototype", () => {
    const value = evaluate(`{ ${printPropertyKey(text)}: 1 }`);
    expect(Object.keys(Object(value))).toEqual([text]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("is unchanged as a key of a type", () => {
    const key = printPropertyKey(text);
    expect(countStatements(`export interface A { ${key}: 1 }`)).toEqual({ statements: 1, problems: 0 });
  });

  test("is unchanged in JSON", () => {
    const value = [text, { [text]: [text, null, 1.5, true] }];
    expect(JSON.stringify(evaluate(printJsonExpression(value)))).toBe(JSON.stringify(value));
  });

  test("stays inside a comment with any surrounding text", () => {
    for (const whole of [text, `*${text}`, `${text}/`, `*${text}/`, `${text}${text}`]) {
      expect(countStatements(`/** ${escapeCommentText(whole)} */\nexport const a = 1;`)).toEqual({
        statements: 1,
        problems: 0,
      });
      const lines = createDocLines(whole, whole, true).map((line) => ` * ${line}`);
      expect(countStatements(`/**\n${lines.join("\n")}\n */\nexport const a = 1;`)).toEqual({
        statements: 1,
        problems: 0,
      });
    }
  });
});

describe("harmless text is unchanged", () => {
  test.each([
    ["a key that is an identifier is not quoted", printPropertyKey("page_id"), "page_id"],
    ["a key that is a status is not quoted", printPropertyKey("200"), "200"],
    ["a number with a leading zero is another key", printPropertyKey("0200"), '"0200"'],
    [
      "a comment can contain slashes and stars",
      escapeCommentText("a/b * c / **d** // e"),
      "a/b * c / **d** // e",
    ],
    ["a comment can contain backticks and ${}", escapeCommentText("`a` ${b}"), "`a` ${b}"],
    ["a comment keeps its lines without trailing spaces", escapeCommentText("a  \n\n b\n"), "a\n\n b"],
    [
      "a comment keeps tabs and joined emoji",
      escapeCommentText("a\tb \u{1f469}\u200d\u{1f4bb}"),
      "a\tb \u{1f469}\u200d\u{1f4bb}",
    ],
    [
      "a string keeps joined emoji",
      printStringLiteral("\u{1f469}\u200d\u{1f4bb}"),
      '"\u{1f469}\u200d\u{1f4bb}"',
    ],
  ])("%s", (_, actual, expected) => {
    expect(actual).toBe(expected);
  });

  test("changes only the end of a comment", () => {
    expect(escapeCommentText("a */ b")).toBe("a *\\/ b");
  });
});

test("a comment has no invisible characters, and only one kind of line end", () => {
  expect(escapeCommentText("a\0\u0007\u007f\u009f\u00ad\u200b\u200e\u202e\u2066\ufeff\ud800b")).toBe("ab");
  expect(escapeCommentText("a\r\nb\rc\u2028d\u2029e")).toBe("a\nb\nc\nd\ne");
});

test.each([
  "\u0000\u0007",
  "\u000b\u000c\u000e\u001f",
  "\u007f\u009f\u061c",
  "\u200b\u200e\u200f",
  "\u2028\u202e\u2066\u2069\ufeff",
])("a string has escapes for invisible characters: %j", (text) => {
  expect(printStringLiteral(text)).toMatch(/^"(?:\\u[0-9a-f]{4}|\\[bfnrt])+"$/);
});
