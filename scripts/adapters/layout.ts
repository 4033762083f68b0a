/** The line ending that most lines of a text have. */
export function lineEndingOf(text: string): string {
  const all = text.split("\n").length - 1;
  const withReturn = text.split("\r\n").length - 1;
  return withReturn > all / 2 ? "\r\n" : "\n";
}

/** One level of indentation as a text has it. */
export function indentUnitOf(text: string): string {
  let tabs = 0;
  let spaces = 0;
  let narrowest = 8;
  // Lines that start with a star are inside comments.
  for (const [, indent = ""] of text.matchAll(/^(\t+| {2,})[^\s*]/gm)) {
    if (indent.startsWith("\t")) {
      tabs += 1;
    } else {
      spaces += 1;
      narrowest = Math.min(narrowest, indent.length);
    }
  }
  if (tabs > spaces) return "\t";
  return spaces > 0 ? " ".repeat(narrowest) : "  ";
}

/** Offset of the start of the line that an offset is on. */
export function lineStartOf(text: string, offset: number): number {
  return offset === 0 ? 0 : text.lastIndexOf("\n", offset - 1) + 1;
}

/** The white space at the start of the line that an offset is on. */
export function indentAt(text: string, offset: number): string {
  return /^[ \t]*/.exec(text.slice(lineStartOf(text, offset), offset))?.[0] ?? "";
}

/** Whether nothing but white space stands before an offset on its line. */
export function isFirstOnLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(lineStartOf(text, offset), offset));
}
