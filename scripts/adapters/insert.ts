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
  /** The source without a comma after it and with two spaces per level. */
  lines: string[];
  /** Name that the source imports from the file `name`. */
  exported?: string;
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

  const eol = detectLineBreak(text);
  const base = readIndent(braceOnOwnLine ? closeBrace : brace);
  const sibling = members.findLast(isFirstOnLine);
  const indent = sibling ? readIndent(sibling) : base + detectIndentStep(text);
  const step =
    indent.startsWith(base) && indent !== base ? indent.slice(base.length) : detectIndentStep(text);
  // As between the last two members; without two, as is usual.
  const [previous, last] = members.slice(-2);
  const hasBlankLines =
    previous && last ? /\n[ \t]*\r?\n/.test(text.slice(previous.getEnd(), last.getStart())) : !isObject;

  const needsComma = isObject && members.length > 0 && members.at(-1) === nodes.at(-1);
  const inserted = added
    .map(({ lines }) => lines.map((line) => indent + reindent(line, step)).join(eol))
    .join((isObject ? "," : "") + (hasBlankLines ? eol + eol : eol));
  const end = isObject && !needsComma ? "," : "";
  const separator = hasBlankLines && members.length > 0 ? eol : "";
  if (braceOnOwnLine) {
    const at = closeBrace.getStartLinePos();
    const hasSeparator = /\n[ \t]*\r?\n$/.test(text.slice(0, at));
    const comma = needsComma ? [{ at: lastNodeEnd, text: "," }] : [];
    return [...comma, { at, text: (hasSeparator ? "" : separator) + inserted + end + eol }];
  }
  const afterComments = lastNodeEnd + text.slice(lastNodeEnd, closeBrace.getStart()).trimEnd().length;
  // The white space before the brace stays, so it counts as indentation of the brace's new line.
  const rest = text.slice(afterComments, closeBrace.getStart());
  const closing = base.endsWith(rest) ? base.slice(0, base.length - rest.length) : base;
  const comma = needsComma ? "," : "";
  return [{ at: afterComments, text: comma + eol + separator + inserted + end + eol + closing }];
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
