import { compiler } from "../compiler.js";
import type { Implementation } from "./find.js";
import { indentAt, indentUnitOf, isFirstOnLine, lineEndingOf, lineStartOf } from "./layout.js";

/** Text to put into a file; nothing is taken out. */
export interface Splice {
  at: number;
  text: string;
}

/** Where the members of an object literal or class are in the text. */
interface Block {
  open: number;
  /** Offset of the closing brace. */
  close: number;
  /** End of the last member and of the comma after it; end of the opening brace when there are none. */
  contentEnd: number;
  members: { start: number; end: number }[];
  commas: boolean;
  trailingComma: boolean;
}

/**
 * Adds stubs at the end of an object literal or class, in the style of the text around them. This is one
 * insertion, but for a last member that has a comment and no comma after it: the comma goes before
 * the comment and the stub behind it, so that the comment stays with its member.
 */
export function insertStubs(text: string, body: Implementation["body"], stubs: string[][]): Splice[] {
  const block = blockOf(body);
  const eol = lineEndingOf(text);
  const ownLine = isFirstOnLine(text, block.close);
  const base = indentAt(text, ownLine ? block.close : block.open);
  const indent = memberIndent(text, block) ?? base + indentUnitOf(text);
  const unit = indent.startsWith(base) && indent !== base ? indent.slice(base.length) : indentUnitOf(text);
  const blankLines = hasBlankLines(text, block);

  const needsComma = block.commas && block.members.length > 0 && !block.trailingComma;
  const texts = stubs.map((lines, index) => {
    const comma = block.commas && (index < stubs.length - 1 || !needsComma) ? "," : "";
    return lines.map((line) => indent + reindent(line, unit)).join(eol) + comma;
  });
  const inserted = texts.join(blankLines ? eol + eol : eol);

  const tail = text.slice(block.contentEnd, block.close);
  const hasComment = tail.trim() !== "";
  const afterComments = block.contentEnd + tail.trimEnd().length;
  const firstGap = blankLines && block.members.length > 0 ? eol : "";

  if (ownLine && (hasComment || !needsComma)) {
    const at = lineStartOf(text, block.close);
    const gap = /\n[ \t]*\r?\n$/.test(text.slice(0, at)) ? "" : firstGap;
    const stub = { at, text: gap + inserted + eol };
    return needsComma ? [{ at: block.contentEnd, text: "," }, stub] : [stub];
  }
  const start = (needsComma ? "," : "") + eol + firstGap;
  if (ownLine) return [{ at: block.contentEnd, text: start + inserted }];
  // The white space before the brace stays, so it counts as indentation of the brace's new line.
  const rest = text.slice(afterComments, block.close);
  const closing = base.endsWith(rest) ? base.slice(0, base.length - rest.length) : base;
  return [{ at: afterComments, text: start + inserted + eol + closing }];
}

/** Puts the splices into the text. */
export function applySplices(text: string, splices: Splice[]): string {
  let result = "";
  let done = 0;
  for (const { at, text: inserted } of [...splices].sort((one, other) => one.at - other.at)) {
    result += text.slice(done, at) + inserted;
    done = at;
  }
  return result + text.slice(done);
}

function blockOf(body: Implementation["body"]): Block {
  const list = compiler.isObjectLiteralExpression(body) ? body.properties : body.members;
  const members = list.map((member) => ({ start: member.getStart(), end: member.getEnd() }));
  const trailingComma = list.hasTrailingComma ?? false;
  const lastEnd = members.at(-1)?.end;
  return {
    // A list of nodes begins right behind its opening brace.
    open: list.pos - 1,
    close: body.getEnd() - 1,
    contentEnd: trailingComma ? list.end : (lastEnd ?? list.pos),
    members,
    commas: compiler.isObjectLiteralExpression(body),
    trailingComma,
  };
}

function memberIndent(text: string, block: Block): string | undefined {
  const member = block.members.findLast(({ start }) => isFirstOnLine(text, start));
  return member && indentAt(text, member.start);
}

/** Whether there is a blank line before the last member; where there is no example, as is usual. */
function hasBlankLines(text: string, block: Block): boolean {
  const [previous, last] = block.members.slice(-2);
  if (!previous || !last) return !block.commas;
  return /\n[ \t]*\r?\n/.test(text.slice(previous.end, last.start));
}

function reindent(line: string, unit: string): string {
  return line.replace(/^(?: {2})+/, (spaces) => unit.repeat(spaces.length / 2));
}
