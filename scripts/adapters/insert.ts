import { Node, SyntaxKind } from "ts-morph";
import type { Implementation } from "./implementations.js";

/** Text to insert at an offset of a file. */
export interface Insertion {
  at: number;
  text: string;
}

/**
 * Places stubs at the end of an object literal or class, in the style of the text around them. If the last member has a
 * comment and no comma after it, the comma is inserted before the comment, so that the comment stays with its member.
 */
export function placeStubs(body: Implementation["body"], stubs: string[][]): Insertion[] {
  const text = body.getSourceFile().getFullText();
  const isObject = Node.isObjectLiteralExpression(body);
  const brace = body.getFirstChildByKindOrThrow(SyntaxKind.OpenBraceToken);
  const nodes = brace
    .getNextSiblingIfKindOrThrow(SyntaxKind.SyntaxList)
    .getChildren()
    .filter((node) => !Node.isCommentNode(node));
  const members = nodes.filter((node) => node.getKind() !== SyntaxKind.CommaToken);
  const lastNodeEnd = nodes.at(-1)?.getEnd() ?? brace.getEnd();
  const closeOffset = body.getEnd() - 1;

  const eol = lineBreak(text);
  const braceOnOwnLine = isFirstOnLine(text, closeOffset);
  const base = indentAt(text, braceOnOwnLine ? closeOffset : brace.getStart());
  const sibling = members.findLast((member) => isFirstOnLine(text, member.getStart()));
  const indent = sibling ? indentAt(text, sibling.getStart()) : base + indentStep(text);
  const step = indent.startsWith(base) && indent !== base ? indent.slice(base.length) : indentStep(text);
  const blankLines = hasBlankLines(text, members) ?? !isObject;

  const needsComma = isObject && members.length > 0 && members.at(-1) === nodes.at(-1);
  const lines = stubs.map((stub, index) => {
    const comma = isObject && (index < stubs.length - 1 || !needsComma) ? "," : "";
    return stub.map((line) => indent + reindent(line, step)).join(eol) + comma;
  });
  const inserted = lines.join(blankLines ? eol + eol : eol);

  const trailing = text.slice(lastNodeEnd, closeOffset);
  const separator = blankLines && members.length > 0 ? eol : "";
  const start = (needsComma ? "," : "") + eol + separator;
  if (braceOnOwnLine && (trailing.trim() !== "" || !needsComma)) {
    const at = lineStart(text, closeOffset);
    const hasSeparator = /\n[ \t]*\r?\n$/.test(text.slice(0, at));
    const stub = { at, text: (hasSeparator ? "" : separator) + inserted + eol };
    return needsComma ? [{ at: lastNodeEnd, text: "," }, stub] : [stub];
  }
  if (braceOnOwnLine) return [{ at: lastNodeEnd, text: start + inserted }];
  const afterComments = lastNodeEnd + trailing.trimEnd().length;
  // The white space before the brace stays, so it counts as indentation of the brace's new line.
  const rest = text.slice(afterComments, closeOffset);
  const closing = base.endsWith(rest) ? base.slice(0, base.length - rest.length) : base;
  return [{ at: afterComments, text: start + inserted + eol + closing }];
}

/** Detects the most frequent line break of a text. */
export function lineBreak(text: string): string {
  return countOccurrences(text, "\r\n") > countOccurrences(text, "\n") / 2 ? "\r\n" : "\n";
}

/** Whether a blank line separates the last two members; undefined without two members. */
function hasBlankLines(text: string, members: Node[]): boolean | undefined {
  const [previous, last] = members.slice(-2);
  return previous && last && /\n[ \t]*\r?\n/.test(text.slice(previous.getEnd(), last.getStart()));
}

/** Detects the white space of one indentation level. */
function indentStep(text: string): string {
  // Lines that start with a star are inside comments.
  const indents = [...text.matchAll(/^(\t+| {2,})[^\s*]/gm)].map(([, indent = ""]) => indent);
  const spaces = indents.filter((indent) => indent.startsWith(" "));
  if (indents.length > 2 * spaces.length) return "\t";
  return " ".repeat(spaces.length > 0 ? Math.min(8, ...spaces.map(({ length }) => length)) : 2);
}

function countOccurrences(text: string, searched: string): number {
  return text.split(searched).length - 1;
}

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStart(text, offset), offset))?.[0] ?? "";
}

function isFirstOnLine(text: string, offset: number): boolean {
  return text.slice(lineStart(text, offset), offset).trim() === "";
}

/** Replaces the generator's indentation of two spaces per level. */
function reindent(line: string, step: string): string {
  return line.replace(/^(?: {2})+/, (spaces) => step.repeat(spaces.length / 2));
}
