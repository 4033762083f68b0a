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
  const parts = brace
    .getNextSiblingIfKindOrThrow(SyntaxKind.SyntaxList)
    .getChildren()
    .filter((part) => !Node.isCommentNode(part));
  const members = parts.filter((part) => part.getKind() !== SyntaxKind.CommaToken);
  const contentEnd = parts.at(-1)?.getEnd() ?? brace.getEnd();
  const close = body.getEnd() - 1;

  const eol = lineBreak(text);
  const closesOwnLine = isFirstOnLine(text, close);
  const base = indentAt(text, closesOwnLine ? close : brace.getStart());
  const example = members.findLast((member) => isFirstOnLine(text, member.getStart()));
  const indent = example ? indentAt(text, example.getStart()) : base + indentUnit(text);
  const unit = indent.startsWith(base) && indent !== base ? indent.slice(base.length) : indentUnit(text);
  const blankLines = hasBlankLines(text, members) ?? !isObject;

  const needsComma = isObject && members.length > 0 && members.at(-1) === parts.at(-1);
  const lines = stubs.map((stub, index) => {
    const comma = isObject && (index < stubs.length - 1 || !needsComma) ? "," : "";
    return stub.map((line) => indent + reindent(line, unit)).join(eol) + comma;
  });
  const inserted = lines.join(blankLines ? eol + eol : eol);

  const tail = text.slice(contentEnd, close);
  const gap = blankLines && members.length > 0 ? eol : "";
  const start = (needsComma ? "," : "") + eol + gap;
  if (closesOwnLine && (tail.trim() !== "" || !needsComma)) {
    const at = lineStart(text, close);
    const hasGap = /\n[ \t]*\r?\n$/.test(text.slice(0, at));
    const stub = { at, text: (hasGap ? "" : gap) + inserted + eol };
    return needsComma ? [{ at: contentEnd, text: "," }, stub] : [stub];
  }
  if (closesOwnLine) return [{ at: contentEnd, text: start + inserted }];
  const afterComments = contentEnd + tail.trimEnd().length;
  // The white space before the brace stays, so it counts as indentation of the brace's new line.
  const rest = text.slice(afterComments, close);
  const closing = base.endsWith(rest) ? base.slice(0, base.length - rest.length) : base;
  return [{ at: afterComments, text: start + inserted + eol + closing }];
}

/** The line break that most lines of a text end with. */
export function lineBreak(text: string): string {
  return count(text, "\r\n") > count(text, "\n") / 2 ? "\r\n" : "\n";
}

/** Whether a blank line separates the last two members; undefined without two members. */
function hasBlankLines(text: string, members: Node[]): boolean | undefined {
  const [previous, last] = members.slice(-2);
  return previous && last && /\n[ \t]*\r?\n/.test(text.slice(previous.getEnd(), last.getStart()));
}

/** One level of indentation in a text. */
function indentUnit(text: string): string {
  // Lines that start with a star are inside comments.
  const indents = [...text.matchAll(/^(\t+| {2,})[^\s*]/gm)].map(([, indent = ""]) => indent);
  const spaces = indents.filter((indent) => indent.startsWith(" "));
  if (indents.length > 2 * spaces.length) return "\t";
  return " ".repeat(spaces.length > 0 ? Math.min(8, ...spaces.map(({ length }) => length)) : 2);
}

function count(text: string, part: string): number {
  return text.split(part).length - 1;
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

function reindent(line: string, unit: string): string {
  return line.replace(/^(?: {2})+/, (spaces) => unit.repeat(spaces.length / 2));
}
