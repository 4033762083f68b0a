import { expect, it } from "vitest";
import { createDocLines, printDocComment } from "../../../scripts/code/encode.js";
import {
  indent,
  printDeclaration,
  printInterface,
  printObjectUnion,
  printSource,
  printTypeAlias,
} from "../../../scripts/code/print-source.js";

const SEVERAL_LINES = createDocLines("Several", "lines,\n\n  of which */ one ends a comment\n", true);
const STATEMENTS = [
  printInterface(
    "Handlers<Context>",
    [
      '/** One line */\nretrieve<As extends string = "bytes">(request: Request, options?: { as?: As }): Promise<void>;',
      [...printDocComment(SEVERAL_LINES), "remove(): void;"].join("\n"),
    ],
    ["What there is."],
  ),
  printInterface("Parts", ["a?: string;", '"b-c": { d: 1 };']),
  printTypeAlias("Answer", "| { a: 1 }\n| { b: 2 }", createDocLines("", "A value of two kinds.", false)),
  printTypeAlias("Short", "string"),
  printTypeAlias("Shorter", "1"),
  printDeclaration(
    "export function register<Context>(handlers: Handlers<Context>): void {\n  handlers.remove();\n  handlers.remove();\n}",
    ["Registers."],
  ),
];

it("prints declarations", () => {
  const [, ...blocks] = printSource(STATEMENTS).split("\n\n");
  expect(blocks.join("\n\n")).toBe(`/** What there is. */
export interface Handlers<Context> {
  /** One line */
  retrieve<As extends string = "bytes">(request: Request, options?: { as?: As }): Promise<void>;
  /**
   * Several
   *
   * lines,
   *
   *   of which *\\/ one ends a comment
   *
   * @deprecated
   */
  remove(): void;
}

export interface Parts {
  a?: string;
  "b-c": { d: 1 };
}

/** A value of two kinds. */
export type Answer =
  | { a: 1 }
  | { b: 2 };

export type Short = string;
export type Shorter = 1;

/** Registers. */
export function register<Context>(handlers: Handlers<Context>): void {
  handlers.remove();
  handlers.remove();
}
`);
});

it("prints unions of object types", () => {
  expect(printObjectUnion([["a: 1", "b?: 2"], ["a: 3"]])).toBe("| { a: 1; b?: 2 }\n| { a: 3 }");
  expect([printObjectUnion([["a: 1"]]), printObjectUnion([[]]), printObjectUnion([])]).toEqual([
    "{ a: 1 }",
    "Record<string, never>",
    "never",
  ]);
});

it("indents no empty lines", () => {
  expect(indent("a\n\nb")).toBe("  a\n\n  b");
});
