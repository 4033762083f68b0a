import { breakLongLines, MAX_LINE_LENGTH } from "../../../code/break-lines.js";

/** Lines of code; a nested block is indented by two spaces. */
export type Block = (string | Block)[];

/** Prints a block. Breaks long lines. */
export function printBlock(block: Block): string {
  const lines: string[] = [];
  addLines(block, "", lines);
  return lines.join("\n");
}

function addLines(block: Block, indent: string, lines: string[]): void {
  for (const line of block) {
    if (typeof line !== "string") addLines(line, `${indent}  `, lines);
    else lines.push(breakLineIfLong(indent + line));
  }
}

/** Wraps a block in an `if` statement. An empty block stays empty. */
export function wrapInIf(condition: string, block: Block): Block {
  return block.length === 0 ? [] : [`if (${condition}) {`, block, "}"];
}

/** Breaks a long line: an `if` statement at the operands of its condition, any other line at its brackets. */
function breakLineIfLong(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  const match = /^( *)if \((.*)\) \{$/.exec(line);
  if (!match) return breakLongLines(line);
  const [, indent = "", condition = ""] = match;
  const operands = splitOperands(condition).map((operand) => `${indent}  ${operand}`);
  return [`${indent}if (`, ...operands, `${indent}) {`].join("\n");
}

/** Splits a condition at its outermost `&&` and `||`. Each operand keeps the operator that follows it. */
function splitOperands(condition: string): string[] {
  const operands: string[] = [];
  let depth = 0;
  let start = 0;
  for (let index = 0; index < condition.length; index += 1) {
    const character = condition.charAt(index);
    if (character === '"') index = findStringEnd(condition, index);
    else if ("([{".includes(character)) depth += 1;
    else if (")]}".includes(character)) depth -= 1;
    else if (depth === 0 && /^ (?:&&|\|\|) /.test(condition.slice(index, index + 4))) {
      operands.push(condition.slice(start, index + 3));
      start = index + 4;
    }
  }
  return [...operands, condition.slice(start)];
}

/** Finds the closing quote of a string literal. Generated code has only double-quoted strings. */
function findStringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charAt(index) !== '"') index += text.charAt(index) === "\\" ? 2 : 1;
  return index;
}
