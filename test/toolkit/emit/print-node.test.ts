import type ts from "typescript";
import { expect, test } from "vitest";
import { typescript } from "../../../scripts/typescript.js";
import { printNode } from "../../../scripts/emit/types/print-node.js";

const { factory } = typescript;
const printer = typescript.createPrinter({ newLine: typescript.NewLineKind.LineFeed });
const file = typescript.createSourceFile("types.ts", "", typescript.ScriptTarget.ESNext);

const NAMES = ["id", "__proto", "text/plain", 'a "b"\\', "a'`b", "a\\b", "café", "\u2028", "😀", ""];
const COMMENTS = [
  "* One line. ",
  "*\n * Two\n *     lines\n *\n * @deprecated\n ",
  "*\n * a \r * b\u2028 * c  \n ",
];

/** Creates a literal in which the compiler does not escape letters beyond ASCII, as `printNode`. */
function createString(text: string): ts.StringLiteral {
  return typescript.setEmitFlags(factory.createStringLiteral(text), typescript.EmitFlags.NoAsciiEscaping);
}

function createProperty(name: string, type: ts.TypeNode, comment?: string): ts.PropertySignature {
  const question = factory.createToken(typescript.SyntaxKind.QuestionToken);
  const key = /^\w+$/.test(name) ? factory.createIdentifier(name) : createString(name);
  const member = factory.createPropertySignature(undefined, key, comment ? question : undefined, type);
  const kind = typescript.SyntaxKind.MultiLineCommentTrivia;
  return comment ? typescript.addSyntheticLeadingComment(member, kind, comment, true) : member;
}

const { NeverKeyword, StringKeyword, UnknownKeyword } = typescript.SyntaxKind;
const string = factory.createKeywordTypeNode(StringKeyword);
const anyName = factory.createIndexSignature(
  undefined,
  [factory.createParameterDeclaration(undefined, undefined, "name", undefined, string)],
  factory.createKeywordTypeNode(UnknownKeyword),
);
const types = [
  factory.createKeywordTypeNode(NeverKeyword),
  factory.createTypeReferenceNode("Omit", [string]),
  factory.createUnionTypeNode([string, factory.createLiteralTypeNode(factory.createNull())]),
  factory.createArrayTypeNode(string),
  factory.createTypeLiteralNode([]),
  factory.createTypeLiteralNode([anyName]),
  ...NAMES.map((name) =>
    factory.createIndexedAccessTypeNode(
      factory.createTypeReferenceNode("components"),
      factory.createLiteralTypeNode(createString(name)),
    ),
  ),
];

test("prints nodes like the compiler", () => {
  const members = types.flatMap((type, index) =>
    [undefined, ...COMMENTS].map((comment) =>
      createProperty(NAMES[index % NAMES.length] ?? "", type, comment),
    ),
  );
  const inner = factory.createTypeLiteralNode(members);
  for (const node of [
    ...members,
    createProperty("outer", factory.createTypeLiteralNode([createProperty("inner", inner)])),
  ]) {
    expect(printNode(node)).toBe(printer.printNode(typescript.EmitHint.Unspecified, node, file));
  }
});

test("the lines of a type that is given as text are indented", () => {
  const text = factory.createTypeReferenceNode("{\n    a: 1;\n}");
  expect(printNode(createProperty("inner", text))).toBe("inner: {\n    a: 1;\n};");
  expect(
    printNode(createProperty("outer", factory.createTypeLiteralNode([createProperty("inner", text)]))),
  ).toBe("outer: {\n    inner: {\n        a: 1;\n    };\n};");
});

test("prints strings without invisible characters, as the same value", () => {
  const text = 'größe "\u0000\u2028\u202e\ufeff';
  const printed = printNode(createString(text));
  expect(printed).toBe('"größe \\"\\u0000\\u2028\\u202e\\ufeff"');
  expect(JSON.parse(printed)).toBe(text);
});
