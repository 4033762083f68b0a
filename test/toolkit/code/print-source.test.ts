import { Project, StructureKind } from "ts-morph";
import { expect, it } from "vitest";
import { createDocs } from "../../../scripts/code/encode.js";
import { type InterfaceDeclaration, printSource } from "../../../scripts/code/print-source.js";

const METHODS: InterfaceDeclaration["methods"] = [
  {
    name: "retrieve",
    typeParameters: ['As extends string = "bytes"'],
    parameters: [
      { name: "request", type: "Request" },
      { name: "options", type: "{ as?: As }", hasQuestionToken: true },
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
];
const HANDLERS = {
  name: "Handlers",
  typeParameters: ["Context"],
  docs: ["What there is."],
  methods: METHODS,
};
const PARTS = {
  name: "Parts",
  docs: [],
  properties: [
    { name: "a", type: "string", hasQuestionToken: true },
    { name: '"b-c"', type: "{ d: 1 }" },
  ],
};
const TYPE = { name: "Answer", docs: createDocs("", "Of two kinds.", false), type: "| { a: 1 }\n| { b: 2 }" };
const REGISTER = {
  name: "register",
  typeParameters: ["Context"],
  parameters: [{ name: "handlers", type: "Handlers<Context>" }],
  returnType: "void",
  docs: ["Registers."],
  statements: ["handlers.remove();", "handlers.remove();"],
};

it("prints declarations like ts-morph", () => {
  const printed = printSource([
    { kind: "interface", ...HANDLERS },
    { kind: "interface", ...PARTS },
    { kind: "type", ...TYPE },
    { kind: "function", ...REGISTER },
  ]);
  const project = new Project({ useInMemoryFileSystem: true, skipLoadingLibFiles: true });
  const expected = project.createSourceFile("expected.ts", {
    statements: [
      { kind: StructureKind.Interface, isExported: true, ...HANDLERS },
      { kind: StructureKind.Interface, isExported: true, ...PARTS },
      { kind: StructureKind.TypeAlias, isExported: true, ...TYPE },
      { kind: StructureKind.Function, isExported: true, ...REGISTER },
    ],
  });
  const [, ...blocks] = printed.split("\n\n");
  expect(blocks.join("\n\n").replace(/\s+/g, " ")).toBe(expected.getFullText().replace(/\s+/g, " "));
  expect(printed).toContain("  /**\n   * Several\n   *\n   * lines,\n");
});
