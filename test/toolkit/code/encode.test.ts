import ts from "typescript";
import { afterEach, describe, expect, test } from "vitest";
import {
  escapeCommentText,
  createDocs,
  printJsonExpression,
  printPropertyKey,
  printStringLiteral,
} from "../../../scripts/code/encode.js";
import { CANARY, PAYLOADS } from "../hostile/payloads.js";

const TEXTS = [...Object.values(PAYLOADS), "then", "null", "0", "-1", "1e3", " ", "ünï 🧭", ""];

afterEach(() => {
  expect(globalThis).not.toHaveProperty(CANARY);
});

/** The value of an expression, read as TypeScript first: what it cannot parse fails. */
function evaluate(expression: string): unknown {
  const { outputText, diagnostics = [] } = ts.transpileModule(`return (${expression});`, {
    reportDiagnostics: true,
    compilerOptions: { target: ts.ScriptTarget.ES2023 },
  });
  const problems = diagnostics.filter(({ code }) => code !== 1108); // `return` outside of a function
  expect(problems.map(({ messageText }) => messageText)).toEqual([]);
  // oxlint-disable-next-line no-implied-eval -- that it evaluates to the same value is what is tested
  return new Function(outputText)();
}

/** The comments and statements of a file. */
function parse(text: string): { statements: number; problems: number } {
  const file = ts.createSourceFile("a.ts", text, ts.ScriptTarget.Latest);
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return { statements: file.statements.length, problems: diagnostics.length };
}

describe.each(TEXTS)("%j", (text) => {
  test("is the same text as a string", () => {
    expect(evaluate(printStringLiteral(text))).toBe(text);
  });

  test("is the same own key of an object, whose prototype is untouched", () => {
    const value = evaluate(`{ ${printPropertyKey(text)}: 1 }`);
    expect(Object.keys(Object(value))).toEqual([text]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("is the same key of a type", () => {
    const key = printPropertyKey(text);
    expect(parse(`export interface A { ${key}: 1 }`)).toEqual({ statements: 1, problems: 0 });
  });

  test("is the same inside of JSON", () => {
    const value = [text, { [text]: [text, null, 1.5, true] }];
    expect(JSON.stringify(evaluate(printJsonExpression(value)))).toBe(JSON.stringify(value));
  });

  test("stays inside of a comment, whatever stands around it", () => {
    for (const whole of [text, `*${text}`, `${text}/`, `*${text}/`, `${text}${text}`]) {
      expect(parse(`/** ${escapeCommentText(whole)} */\nexport const a = 1;`)).toEqual({
        statements: 1,
        problems: 0,
      });
      for (const doc of createDocs(whole, whole, true)) {
        const lines = doc.split("\n").map((line) => ` * ${line}`);
        expect(parse(`/**\n${lines.join("\n")}\n */\nexport const a = 1;`)).toEqual({
          statements: 1,
          problems: 0,
        });
      }
    }
  });
});

describe("look-alikes keep every character", () => {
  test.each([
    ["a key that is an identifier is not quoted", printPropertyKey("page_id"), "page_id"],
    ["a key that is a status is not quoted", printPropertyKey("200"), "200"],
    ["a number with a leading zero is another key", printPropertyKey("0200"), '"0200"'],
    [
      "a comment may hold slashes and stars",
      escapeCommentText("a/b * c / **d** // e"),
      "a/b * c / **d** // e",
    ],
    ["a comment may hold backticks and ${}", escapeCommentText("`a` ${b}"), "`a` ${b}"],
    ["a comment keeps its lines, less what trails", escapeCommentText("a  \n\n b\n"), "a\n\n b"],
  ])("%s", (_, actual, expected) => {
    expect(actual).toBe(expected);
  });

  test("the end of a comment is the only thing that is changed", () => {
    expect(escapeCommentText("a */ b")).toBe("a *\\/ b");
  });
});
