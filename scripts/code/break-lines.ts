/** Maximum length of a line of generated code, in UTF-16 code units. Longer lines are broken at brackets. */
export const MAX_LINE_LENGTH = 110;
/** Matches the lines of comments, which are not broken. */
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/;

/** Matches strings, template literals, and the characters and operators that can be brackets or separators. */
const TOKEN = /"(?:[^"\\]|\\.)*(?:"|$)|`(?:[^`\\]|\\.)*(?:`|$)|&&|\|\||[()[\]{}<>|,;]/g;

/** A pair of brackets in a line: its offsets, and those after which its content can be broken. */
interface BracketPair {
  open: number;
  close: number;
  breakOffsets: number[];
}

/**
 * Breaks long lines of generated code: puts each member between the first outermost brackets on its own line, and each
 * operand of a condition. Breaks these lines again if they are too long. Changes only white space, and adds a separator after
 * the last member.
 *
 * @param code must have strings with double quotes, template literals that contain no other ones, comments on separate lines, and
 *   no regular expressions with brackets or quotes. No separator follows a last member, and no rest element is one
 */
export function breakLongLines(code: string): string {
  return code.split("\n").map(breakLine).join("\n");
}

function breakLine(line: string): string {
  if (line.length <= MAX_LINE_LENGTH || COMMENT_LINE.test(line)) return line;
  // The members of a union start with a bar.
  const indent = " ".repeat(/^ *(?:\| )?/.exec(line)?.[0].length ?? 0);
  const pair = findBreakablePair(line);
  if (!pair) return line;
  const { open, close, breakOffsets } = pair;
  const ends = [...breakOffsets, close];
  const members = ends.map((end, index) => line.slice(index === 0 ? open + 1 : ends[index - 1], end).trim());
  const last = members.pop() ?? "";
  const separator = line.charAt((breakOffsets[0] ?? close) - 1);
  const lastWithSeparator = breakOffsets.length > 0 && line.charAt(open) !== "(" ? last + separator : last;
  return [
    line.slice(0, open + 1),
    ...[...members, lastWithSeparator].map((member) => breakLine(`${indent}  ${member}`)),
    breakLine(indent + line.slice(close)),
  ].join("\n");
}

/**
 * Finds the first outermost brackets that can be broken. Skips empty brackets, and parentheses or square brackets around a
 * single value that contains no braces or parentheses.
 */
function findBreakablePair(line: string): BracketPair | undefined {
  let end = 0;
  for (const { 0: token, index: at } of line.matchAll(TOKEN)) {
    if (at < end || !isOpening(token)) continue;
    const pair = parseBracketPair(line, at);
    if (!pair) return undefined;
    const content = line.slice(at + 1, pair.close);
    const isSingleValue = token !== "{" && pair.breakOffsets.length === 0 && !/[{(]/.test(content);
    if (!isSingleValue && content.trim() !== "") return findLastObjectArgument(line, pair) ?? pair;
    end = pair.close;
  }
  return undefined;
}

/** Finds an object literal that is the last of several arguments. It is broken instead of the argument list. */
function findLastObjectArgument(
  line: string,
  { open, close, breakOffsets }: BracketPair,
): BracketPair | undefined {
  const last = breakOffsets.at(-1);
  if (last === undefined || line.charAt(open) !== "(" || line.charAt(last - 1) !== ",") return undefined;
  const start = last + (/^ */.exec(line.slice(last))?.[0].length ?? 0);
  if (line.charAt(start) !== "{") return undefined;
  const pair = parseBracketPair(line, start);
  return pair?.close === close - 1 ? pair : undefined;
}

/** Parses the pair of brackets that opens at an offset; undefined if it closes on another line. */
function parseBracketPair(line: string, open: number): BracketPair | undefined {
  const separators: number[] = [];
  const operators: number[] = [];
  let depth = 0;
  for (const { 0: token, index } of line.slice(open).matchAll(TOKEN)) {
    const at = open + index;
    const before = line.charAt(at - 1);
    // Unlike a comparison, a `<` that opens type arguments follows a name without a space.
    if (isOpening(token) || (token === "<" && /\w/.test(before))) depth += 1;
    // After `=` or a space, the character is part of an arrow or a comparison.
    else if (token === ">" && !"= ".includes(before)) depth -= 1;
    else if (")]}".includes(token)) {
      depth -= 1;
      // Parentheses without commas may contain a union or a condition, which is broken at its operators.
      const breakAtOperators = separators.length === 0 && line.charAt(open) === "(";
      if (depth === 0) return { open, close: at, breakOffsets: breakAtOperators ? operators : separators };
    } else if (depth === 1 && (token === "," || token === ";")) separators.push(at + 1);
    else if (depth === 1 && /^[|&]/.test(token)) operators.push(at + token.length);
  }
  return undefined;
}

function isOpening(token: string): boolean {
  return token === "(" || token === "[" || token === "{";
}
