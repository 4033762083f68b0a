/** Longer lines are broken at brackets. The line width of the project. */
const WIDTH = 110;

// Characters are compared by their code: documents have megabytes of them.
const [OPEN_BRACE, OPEN_BRACKET, OPEN_PARENTHESIS] = [0x7b, 0x5b, 0x28];
const [CLOSE_BRACE, CLOSE_BRACKET, CLOSE_PARENTHESIS] = [0x7d, 0x5d, 0x29];
const [LESS, GREATER, BAR, COMMA, SEMICOLON] = [0x3c, 0x3e, 0x7c, 0x2c, 0x3b];
const [QUOTE, BACKSLASH] = [0x22, 0x5c];

/** A pair of brackets in a line, and the separators at which its content can be broken. */
interface Group {
  open: number;
  close: number;
  separators: number[];
}

/**
 * Breaks long lines of generated code recursively: each member between the first outermost brackets gets its own line.
 * Strings must have double quotes, and comments must be on separate lines. Changes only white space, and adds a separator
 * after the last member.
 */
export function breakLongLines(code: string): string {
  if (!hasLongLine(code)) return code;
  return code
    .split("\n")
    .map((line) => (line.length <= WIDTH || COMMENT.test(line) ? line : breakLine(line)))
    .join("\n");
}

const COMMENT = /^\s*(?:\/\/|\/?\*)/;

function hasLongLine(code: string): boolean {
  for (let start = 0; start < code.length;) {
    const next = code.indexOf("\n", start);
    const end = next === -1 ? code.length : next;
    if (end - start > WIDTH) return true;
    start = end + 1;
  }
  return false;
}

function breakLine(line: string): string {
  if (line.length <= WIDTH) return line;
  // A member of a union stands behind its bar.
  const indent = " ".repeat(/^ *(?:\| )?/.exec(line)?.[0].length ?? 0);
  const group = breakableGroup(line);
  if (!group) return line;
  const { open, close, separators } = group;
  const ends = [...separators.map((at) => at + 1), close];
  const members = ends.map((end, index) => line.slice(index === 0 ? open + 1 : ends[index - 1], end).trim());
  const last = members.pop() ?? "";
  const separator = line.charAt(separators[0] ?? close);
  const ended = separators.length > 0 && line.charAt(open) !== "(" ? last + separator : last;
  return [
    line.slice(0, open + 1),
    ...[...members, ...(last === "" ? [] : [ended])].map((member) => breakLine(`${indent}  ${member}`)),
    breakLine(indent + line.slice(close)),
  ].join("\n");
}

/** The first outermost brackets that can be broken: not empty ones, or those around a single plain value. */
function breakableGroup(line: string): Group | undefined {
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charCodeAt(at);
    if (character === QUOTE) at = endOfString(line, at);
    else if (isOpening(character)) {
      const group = groupAt(line, at);
      if (!group) return undefined;
      const inside = line.slice(at + 1, group.close);
      const plain = character !== OPEN_BRACE && group.separators.length === 0 && !/[{(]/.test(inside);
      if (!plain && inside.trim() !== "") return finalObject(line, group) ?? group;
      at = group.close;
    }
  }
  return undefined;
}

/** The object that is the last of several arguments: it is broken instead of the arguments. */
function finalObject(line: string, { open, close, separators }: Group): Group | undefined {
  const last = separators.at(-1);
  if (last === undefined || line.charCodeAt(open) !== OPEN_PARENTHESIS || line.charCodeAt(last) !== COMMA) {
    return undefined;
  }
  const start = last + 1 + (/^ */.exec(line.slice(last + 1))?.[0].length ?? 0);
  if (line.charCodeAt(start) !== OPEN_BRACE) return undefined;
  const group = groupAt(line, start);
  return group?.close === close - 1 ? group : undefined;
}

/** The group that opens at an offset; undefined when it is closed on another line. */
function groupAt(line: string, open: number): Group | undefined {
  const separators: number[] = [];
  const alternatives: number[] = [];
  let depth = 0;
  for (let at = open; at < line.length; at += 1) {
    const character = line.charCodeAt(at);
    if (character === QUOTE) at = endOfString(line, at);
    else if (isOpening(character) || (character === LESS && isTypeArguments(line, at))) depth += 1;
    else if (character === GREATER && !"= ".includes(line.charAt(at - 1))) depth -= 1;
    else if (character === CLOSE_BRACE || character === CLOSE_BRACKET || character === CLOSE_PARENTHESIS) {
      depth -= 1;
      if (depth === 0) {
        const union = separators.length === 0 && line.charCodeAt(open) === OPEN_PARENTHESIS;
        return { open, close: at, separators: union ? alternatives : separators };
      }
    } else if (depth === 1 && (character === COMMA || character === SEMICOLON)) separators.push(at);
    else if (depth === 1 && character === BAR) alternatives.push(at);
  }
  return undefined;
}

function isOpening(character: number): boolean {
  return character === OPEN_BRACE || character === OPEN_BRACKET || character === OPEN_PARENTHESIS;
}

/** Whether type arguments begin here: unlike a comparison they follow a name without a space. */
function isTypeArguments(line: string, at: number): boolean {
  return /\w/.test(line.charAt(at - 1));
}

/** Offset of the quote that ends the string. */
function endOfString(line: string, start: number): number {
  let at = start + 1;
  while (at < line.length && line.charCodeAt(at) !== QUOTE) at += line.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at;
}
