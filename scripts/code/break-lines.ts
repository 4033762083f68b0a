/** Maximum length of a line of generated code, in UTF-16 code units. Longer lines are broken at brackets. */
const MAX_LINE_LENGTH = 110;
const COMMENT_LINE = /^\s*(?:\/\/|\/?\*)/;

// Comparing code units is faster than comparing strings, and generated code can have several megabytes.
const [OPEN_BRACE, OPEN_BRACKET, OPEN_PARENTHESIS] = [0x7b, 0x5b, 0x28];
const [CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PARENTHESIS] = [0x7d, 0x5d, 0x29];
const [LESS, GREATER, BAR, COMMA, SEMICOLON] = [0x3c, 0x3e, 0x7c, 0x2c, 0x3b];
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** Offsets of a pair of brackets in a line, and of the separators at which its content can be broken. */
interface BracketPair {
  open: number;
  close: number;
  separators: number[];
}

/**
 * Breaks long lines of generated code: each member between the first outermost brackets gets its own line, which is
 * broken in turn if it is too long. Changes only white space, and adds a separator after the last member. Strings must
 * have double quotes, and comments must be on separate lines.
 */
export function breakLongLines(code: string): string {
  if (!hasLongLine(code)) return code;
  return code
    .split("\n")
    .map((line) => (line.length <= MAX_LINE_LENGTH || COMMENT_LINE.test(line) ? line : breakLine(line)))
    .join("\n");
}

function hasLongLine(code: string): boolean {
  for (let start = 0; start < code.length;) {
    const next = code.indexOf("\n", start);
    const end = next === -1 ? code.length : next;
    if (end - start > MAX_LINE_LENGTH) return true;
    start = end + 1;
  }
  return false;
}

function breakLine(line: string): string {
  if (line.length <= MAX_LINE_LENGTH) return line;
  // The members of a union start with a bar.
  const indent = " ".repeat(/^ *(?:\| )?/.exec(line)?.[0].length ?? 0);
  const pair = findBreakablePair(line);
  if (!pair) return line;
  const { open, close, separators } = pair;
  const ends = [...separators.map((at) => at + 1), close];
  const members = ends.map((end, index) => line.slice(index === 0 ? open + 1 : ends[index - 1], end).trim());
  const last = members.pop() ?? "";
  const separator = line.charAt(separators[0] ?? close);
  const lastWithSeparator = separators.length > 0 && line.charAt(open) !== "(" ? last + separator : last;
  return [
    line.slice(0, open + 1),
    ...[...members, ...(last === "" ? [] : [lastWithSeparator])].map((member) =>
      breakLine(`${indent}  ${member}`),
    ),
    breakLine(indent + line.slice(close)),
  ].join("\n");
}

/**
 * Finds the first outermost brackets that can be broken. Skips empty brackets, and parentheses or square brackets around a
 * single value that contains no braces or parentheses.
 */
function findBreakablePair(line: string): BracketPair | undefined {
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charCodeAt(at);
    if (character === QUOTE) at = findStringEnd(line, at);
    else if (isOpening(character)) {
      const pair = matchBracket(line, at);
      if (!pair) return undefined;
      const content = line.slice(at + 1, pair.close);
      const isSingleValue = character !== OPEN_BRACE && pair.separators.length === 0 && !/[{(]/.test(content);
      if (!isSingleValue && content.trim() !== "") return findLastObjectArgument(line, pair) ?? pair;
      at = pair.close;
    }
  }
  return undefined;
}

/** Finds an object literal that is the last of several arguments. It is broken instead of the argument list. */
function findLastObjectArgument(
  line: string,
  { open, close, separators }: BracketPair,
): BracketPair | undefined {
  const last = separators.at(-1);
  if (last === undefined || line.charCodeAt(open) !== OPEN_PARENTHESIS || line.charCodeAt(last) !== COMMA) {
    return undefined;
  }
  const start = last + 1 + (/^ */.exec(line.slice(last + 1))?.[0].length ?? 0);
  if (line.charCodeAt(start) !== OPEN_BRACE) return undefined;
  const pair = matchBracket(line, start);
  return pair?.close === close - 1 ? pair : undefined;
}

/** Finds the closing bracket for the opening one at an offset; undefined if it is on another line. */
function matchBracket(line: string, open: number): BracketPair | undefined {
  const separators: number[] = [];
  const bars: number[] = [];
  let depth = 0;
  for (let at = open; at < line.length; at += 1) {
    const character = line.charCodeAt(at);
    if (character === QUOTE) at = findStringEnd(line, at);
    else if (isOpening(character) || (character === LESS && isTypeArguments(line, at))) depth += 1;
    // After `=` or a space, the character is part of an arrow or a comparison.
    else if (character === GREATER && !"= ".includes(line.charAt(at - 1))) depth -= 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET || character === CLOSE_PARENTHESIS) {
      depth -= 1;
      if (depth === 0) {
        // Parentheses without commas may contain a union, which is broken at its bars.
        const isUnion = separators.length === 0 && line.charCodeAt(open) === OPEN_PARENTHESIS;
        return { open, close: at, separators: isUnion ? bars : separators };
      }
    } else if (depth === 1 && (character === COMMA || character === SEMICOLON)) separators.push(at);
    else if (depth === 1 && character === BAR) bars.push(at);
  }
  return undefined;
}

function isOpening(character: number): boolean {
  return character === OPEN_BRACE || character === OPEN_BRACKET || character === OPEN_PARENTHESIS;
}

/** Whether a `<` opens type arguments: unlike a comparison, it follows a name without a space. */
function isTypeArguments(line: string, at: number): boolean {
  return /\w/.test(line.charAt(at - 1));
}

/** Finds the offset of the quote that ends a string. */
function findStringEnd(line: string, start: number): number {
  let at = start + 1;
  while (at < line.length && line.charCodeAt(at) !== QUOTE) at += line.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
