import { breakLongLines } from "../../../code/break-lines.js";

/** Lines of code; a nested block is indented by two spaces. */
export type Block = (string | Block)[];

export function printBlock(block: Block): string {
  return breakLongLines(listLines(block, "").join("\n"));
}

function listLines(block: Block, indent: string): string[] {
  return block.flatMap((line) =>
    typeof line === "string" ? [indent + line] : listLines(line, `${indent}  `),
  );
}

/** Wraps a block in an `if` statement. An empty block stays empty. */
export function wrapInIf(condition: string, block: Block): Block {
  return block.length === 0 ? [] : [`if (${condition}) {`, block, "}"];
}
