import type ts from "typescript";
import { printStringLiteral } from "../../code/encode.js";
import { typescript } from "../../typescript.js";

/** Indentation of one level in the output of the compiler's printer. */
export const INDENT = "    ";

// Destructured once, because each access to a member of the compiler's namespace object calls a getter, which took half of
// the instructions of `printNode`.
const {
  getSyntheticLeadingComments,
  isIdentifier,
  isIndexedAccessTypeNode,
  isIndexSignatureDeclaration,
  isLiteralTypeNode,
  isNumericLiteral,
  isPropertySignature,
  isStringLiteral,
  isTypeLiteralNode,
  isTypeReferenceNode,
  tokenToString,
} = typescript;
const printer = typescript.createPrinter({ newLine: typescript.NewLineKind.LineFeed });
const file = typescript.createSourceFile("types.ts", "", typescript.ScriptTarget.ESNext);

/**
 * Prints a type or a member exactly as the compiler's printer does, but faster. Passes the kinds of nodes that are rare
 * in operations on to the compiler. Unlike the compiler, it does not escape letters beyond ASCII, and indents the lines of
 * an identifier that is in fact the text of a type.
 */
export function printNode(node: ts.Node, depth = 0): string {
  if (isPropertySignature(node)) {
    const type = node.type ? printNode(node.type, depth) : "unknown";
    return `${printComments(node, depth)}${printNode(node.name)}${node.questionToken ? "?" : ""}: ${type};`;
  }
  if (isIdentifier(node))
    return node.text.includes("\n") ? node.text.replaceAll("\n", `\n${INDENT.repeat(depth)}`) : node.text;
  if (isTypeReferenceNode(node) && !node.typeArguments) return printNode(node.typeName, depth);
  if (isStringLiteral(node)) return printStringLiteral(node.text);
  if (isNumericLiteral(node)) return node.text;
  if (isLiteralTypeNode(node)) return printNode(node.literal);
  if (isIndexedAccessTypeNode(node)) return `${printNode(node.objectType)}[${printNode(node.indexType)}]`;
  if (isTypeLiteralNode(node)) {
    const start = `\n${INDENT.repeat(depth)}`;
    const members = node.members.map((member) => start + INDENT + printNode(member, depth + 1));
    return members.length === 0 ? "{}" : `{${members.join("")}${start}}`;
  }
  if (isIndexSignatureDeclaration(node)) {
    const keys = node.parameters.map(
      ({ name, type }) => `${printNode(name)}: ${type ? printNode(type) : "string"}`,
    );
    return `[${keys.join(", ")}]: ${printNode(node.type, depth)};`;
  }
  return tokenToString(node.kind) ?? printer.printNode(typescript.EmitHint.Unspecified, node, file);
}

/** Prints the comments before a member, and the indentation of the line after them. */
function printComments(node: ts.Node, depth: number): string {
  const start = `\n${INDENT.repeat(depth)}`;
  const texts = getSyntheticLeadingComments(node) ?? [];
  return texts
    .map(({ text }) =>
      `/*${text}*/\n`
        .split(LINE_BREAK)
        .map((line) => line.trimEnd())
        .join(start),
    )
    .join("");
}

const LINE_BREAK = /\r\n|[\n\r\u2028\u2029]/;
