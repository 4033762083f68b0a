const CLOSERS: Record<string, string> = { "[": "]", "{": "}" };
/** Lines above a syntax error in which its cause is looked for. */
const MAX_LINES = 50;
/** Characters in which a bracket must be closed to be looked at. */
const MAX_CHARACTERS = 1_000_000;

/**
 * Finds the `[` or `{` that is not closed, for a text of YAML or JSON with a syntax error. Parsers report that error
 * only where the text makes no sense any more.
 *
 * @param line line of the syntax error, from 1
 * @returns the offset of the bracket; undefined when all are closed
 */
export function findUnclosedBracket(text: string, line: number): number | undefined {
  const start = text.search(/\S/);
  // In JSON, and in YAML that is written like it, the first bracket holds everything.
  if (CLOSERS[text.charAt(start)] !== undefined) return unclosedFrom(text, start);
  const lines = text.split("\n", line);
  let offset = lines.join("\n").length;
  for (const each of lines.reverse().slice(0, MAX_LINES)) {
    offset -= each.length;
    // A bracket opens a list or an object only where a value begins.
    const [, before] = /^(\s*(?:- +)*(?:[^\s#'"[{][^#]*?:\s+|"[^"]*":\s+)?)[[{]/.exec(each) ?? [];
    const found = before === undefined ? undefined : unclosedFrom(text, offset + before.length);
    if (found !== undefined) return found;
    offset -= 1;
  }
  return undefined;
}

/**
 * Finds the quote that begins a value and is not closed on its line, for a text with a syntax error inside quotes.
 *
 * @param line line of the syntax error, from 1
 * @returns its line and column, from 1; undefined if there is none
 */
export function findUnclosedQuote(text: string, line: number): { line: number; col: number } | undefined {
  const lines = text.split("\n", line);
  for (const [index, each] of [...lines.entries()].reverse().slice(0, MAX_LINES)) {
    const [, before] = /^(\s*(?:- +)*(?:[^\s#'"[{][^#]*?:\s+)?)["']/.exec(each) ?? [];
    if (before !== undefined && endOfQuoted(each, before.length) === each.length)
      return { line: index + 1, col: before.length + 1 };
  }
  return undefined;
}

/**
 * Finds the first of the lines that form a key of several lines, because they have no colon.
 *
 * @param line line where the key ends, from 1
 * @returns its line and column, from 1
 */
export function findMissingColon(text: string, line: number): { line: number; col: number } | undefined {
  const lines = text.split("\n", line - 1);
  const first = lines.findLastIndex((each) => /:(?:\s|$)|^\s*(?:[-#]|$)/.test(each)) + 1;
  const start = lines[first]?.search(/\S/) ?? -1;
  return start === -1 ? undefined : { line: first + 1, col: start + 1 };
}

/** Follows a bracket to its end; returns the one inside, or itself, that is not closed. */
function unclosedFrom(text: string, start: number): number | undefined {
  const open: number[] = [];
  const end = Math.min(text.length, start + MAX_CHARACTERS);
  for (let at = start; at < end; at += 1) {
    const character = text.charAt(at);
    const before = text.charAt(at - 1);
    if (character === "#" && /\s/.test(before)) at = findEnd(text, at, "\n");
    // An apostrophe inside a word is none that quotes.
    else if (character === '"' || (character === "'" && /[\s[{,:]/.test(before))) {
      at = endOfQuoted(text, at);
    } else if (CLOSERS[character] !== undefined) open.push(at);
    else if (character === "]" || character === "}") {
      const opener = open.pop() ?? start;
      if (CLOSERS[text.charAt(opener)] !== character) return opener;
      if (open.length === 0) return undefined;
    }
  }
  return end === text.length ? open[0] : undefined;
}

function endOfQuoted(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (quote === '"' && text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
}

function findEnd(text: string, start: number, mark: string): number {
  const end = text.indexOf(mark, start);
  return end === -1 ? text.length : end;
}
