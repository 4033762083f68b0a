import { expect, it } from "vitest";
import { createDocs } from "../../../scripts/code/encode.js";
import { printSource, type Statement } from "../../../scripts/code/print-source.js";

const STATEMENTS: Statement[] = [
  {
    kind: "interface",
    name: "Handlers",
    typeParameters: ["Context"],
    docs: ["What there is."],
    methods: [
      {
        name: "retrieve",
        typeParameters: ['As extends string = "bytes"'],
        parameters: [
          { name: "request", type: "Request" },
          { name: "options", type: "{ as?: As }", isOptional: true },
        ],
        returnType: "Promise<void>",
        docs: createDocs("One line", "", false),
      },
      {
        name: "remove",
        parameters: [],
        returnType: "void",
        docs: createDocs("Several", "lines,\n\n  of which */ one ends a comment\n", true),
      },
    ],
  },
  {
    kind: "interface",
    name: "Parts",
    docs: [],
    properties: [
      { name: "a", type: "string", isOptional: true },
      { name: '"b-c"', type: "{ d: 1 }" },
    ],
  },
  {
    kind: "type",
    name: "Answer",
    docs: createDocs("", "A value of two kinds.", false),
    type: "| { a: 1 }\n| { b: 2 }",
  },
  { kind: "type", name: "Short", type: "string" },
  { kind: "type", name: "Shorter", type: "1" },
  {
    kind: "function",
    name: "register",
    typeParameters: ["Context"],
    parameters: [{ name: "handlers", type: "Handlers<Context>" }],
    returnType: "void",
    docs: ["Registers."],
    statements: ["handlers.remove();", "handlers.remove();"],
  },
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
