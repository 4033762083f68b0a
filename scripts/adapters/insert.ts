import { Node, SyntaxKind } from "ts-morph";
import type { ImplementationBody } from "./implementations.js";

/** Text to insert at an offset of a file. */
export interface Insertion {
  at: number;
  text: string;
}

/** A member to add to an object literal or a class. */
export interface NewMember {
  name: string;
  /** Source lines, indented by two spaces per level, without a trailing comma. */
  lines: string[];
  /** Name of the export to import from the new adapter `name`, if the member registers one. */
  exportName?: string;
}

/**
 * Places members at the end of an object literal or class, in the style of the text around them. If the last member has a
 * comment and no comma after it, the comma is inserted before the comment, so that the comment stays with its member.
 */
export function placeMembers(body: ImplementationBody, added: readonly NewMember[]): Insertion[] {
  const text = body.getSourceFile().getFullText();
  const isObject = Node.isObjectLiteralExpression(body);
  const brace = body.getFirstChildByKindOrThrow(SyntaxKind.OpenBraceToken);
  const nodes = brace
    .getNextSiblingIfKindOrThrow(SyntaxKind.SyntaxList)
    .getChildren()
    .filter((node) => !Node.isCommentNode(node));
  const members = nodes.filter((node) => node.getKind() !== SyntaxKind.CommaToken);
  const lastNodeEnd = nodes.at(-1)?.getEnd() ?? brace.getEnd();
  const closeBrace = body.getLastChildByKindOrThrow(SyntaxKind.CloseBraceToken);
  const braceOnOwnLine = isFirstOnLine(closeBrace);

  const lineBreak = detectLineBreak(text);
  const baseIndent = readIndent(braceOnOwnLine ? closeBrace : brace);
  const sibling = members.findLast(isFirstOnLine);
  const indent = sibling ? readIndent(sibling) : baseIndent + detectIndentStep(text);
  const step =
    indent.startsWith(baseIndent) && indent !== baseIndent
      ? indent.slice(baseIndent.length)
      : detectIndentStep(text);
  // Blank lines as between the last two members. With fewer members: between methods, but not in objects.
  const [previous, last] = members.slice(-2);
  const hasBlankLines =
    previous && last ? /\n[ \t]*\r?\n/.test(text.slice(previous.getEnd(), last.getStart())) : !isObject;

  const needsComma = isObject && members.length > 0 && members.at(-1) === nodes.at(-1);
  const inserted = added
    .map(({ lines }) => lines.map((line) => indent + reindent(line, step)).join(lineBreak))
    .join((isObject ? "," : "") + (hasBlankLines ? lineBreak + lineBreak : lineBreak));
  const end = isObject && !needsComma ? "," : "";
  const separator = hasBlankLines && members.length > 0 ? lineBreak : "";
  if (braceOnOwnLine) {
    const at = closeBrace.getStartLinePos();
    const hasSeparator = /\n[ \t]*\r?\n$/.test(text.slice(0, at));
    const comma = needsComma ? [{ at: lastNodeEnd, text: "," }] : [];
    return [...comma, { at, text: (hasSeparator ? "" : separator) + inserted + end + lineBreak }];
  }
  const afterComments = lastNodeEnd + text.slice(lastNodeEnd, closeBrace.getStart()).trimEnd().length;
  // The white space before the brace stays, so it counts as indentation of the brace's new line.
  const rest = text.slice(afterComments, closeBrace.getStart());
  const closing = baseIndent.endsWith(rest)
    ? baseIndent.slice(0, baseIndent.length - rest.length)
    : baseIndent;
  const comma = needsComma ? "," : "";
  return [{ at: afterComments, text: comma + lineBreak + separator + inserted + end + lineBreak + closing }];
}

/** Detects the most frequent line break of a text. */
export function detectLineBreak(text: string): string {
  return text.split("\r\n").length - 1 > (text.split("\n").length - 1) / 2 ? "\r\n" : "\n";
}

/** Detects the white space of one indentation level. */
function detectIndentStep(text: string): string {
  // Lines that start with a star are inside comments.
  const indents = [...text.matchAll(/^(\t+| {2,})[^\s*]/gm)].map(([, indent = ""]) => indent);
  const spaces = indents.filter((indent) => indent.startsWith(" "));
  if (indents.length > 2 * spaces.length) return "\t";
  return " ".repeat(spaces.length > 0 ? Math.min(8, ...spaces.map(({ length }) => length)) : 2);
}

function readIndent(node: Node): string {
  return /^[ \t]*/.exec(readLineBefore(node))?.[0] ?? "";
}

function isFirstOnLine(node: Node): boolean {
  return readLineBefore(node).trim() === "";
}

function readLineBefore(node: Node): string {
  return node.getSourceFile().getFullText().slice(node.getStartLinePos(), node.getStart());
}

/** Replaces the generator's indentation of two spaces per level. */
function reindent(line: string, step: string): string {
  return line.replace(/^(?: {2})+/, (spaces) => step.repeat(spaces.length / 2));
}
