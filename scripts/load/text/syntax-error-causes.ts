// Each function explains a syntax error by the text up to its line, and returns undefined if another mistake caused the error.
// Lines and columns count from 1.

import { suggestName } from "../../text.js";

/** A mistake in the text of a file. */
export interface SyntaxMistake {
  message: string;
  line: number;
  col: number;
}

/** Matches a line with a value after a key or a `-`, for which YAML allows text without quotes. */
const VALUE = /^(\s*(?:- +)+|\s*(?:- +)*(?:[^\s#'"[{-][^:]*|"[^"]*"):\s+)(\S.*)$/;
/** Matches a line with a key that begins with a character of YAML's syntax, such as the range of all media types. */
const SPECIAL_KEY = /^(\s*)[@`%*!&]\S*:(?:\s|$)/;
/** Matches text that begins with a quoted text, a list or an object, which nothing can follow. */
const TEXT_AFTER_VALUE = /^(?:"[^"\\]*(?:\\.[^"\\]*)*"|'(?:[^']|'')*'|\[[^\]]*\]+|\{[^}]*\}+)\s*[^\s#,\]}]/;

const CLOSERS: Record<string, string> = { "[": "]", "{": "}" };
/** Maximum number of lines above a syntax error that are searched for its cause. */
const MAX_SEARCHED_LINES = 50;
/** Maximum number of characters that are searched for the end of a bracket. */
const MAX_SEARCHED_CHARACTERS = 1_000_000;
/** Maximum number of characters before a line that count as indentation. */
const MAX_INDENT = 200;

/** Finds the offset of the unclosed `[` or `{` in YAML or JSON. Parsers report the error where the text becomes invalid. */
export function findUnclosedBracket(text: string, line: number): number | undefined {
  const start = text.search(/\S/);
  // In JSON, and in YAML in flow style, the first bracket contains everything.
  if (CLOSERS[text.charAt(start)] !== undefined) return findUnclosedFrom(text, start);
  const lines = text.split("\n", line);
  let offset = lines.join("\n").length;
  for (const each of lines.reverse().slice(0, MAX_SEARCHED_LINES)) {
    offset -= each.length;
    // A bracket opens a list or an object only where a value begins.
    const [, before] = /^(\s*(?:- +)*(?:(?!- )[^\s#'"[{][^#]*?:\s+|"[^"]*":\s+)?)[[{]/.exec(each) ?? [];
    const found = before === undefined ? undefined : findUnclosedFrom(text, offset + before.length);
    if (found !== undefined) return found;
    offset -= 1;
  }
  return undefined;
}

/** Finds the quote that begins a value and is not closed on its line, for a text with a syntax error inside quotes. */
export function findUnclosedQuote(text: string, line: number): { line: number; col: number } | undefined {
  const lines = text.split("\n", line);
  for (const [index, each] of [...lines.entries()].reverse().slice(0, MAX_SEARCHED_LINES)) {
    const [, before] = /^(\s*(?:- +)*(?:(?!- )[^\s#'"[{][^#]*?:\s+)?)["']/.exec(each) ?? [];
    if (before !== undefined && findQuotedEnd(each, before.length) === each.length)
      return { line: index + 1, col: before.length + 1 };
  }
  return undefined;
}

/**
 * Finds a line without a colon, or without a space after it, which YAML reads as the start of a key of several lines. `isFirstKey`
 * allows only the first key of an object.
 */
export function findMissingColon(text: string, line: number, isFirstKey = false): SyntaxMistake | undefined {
  const lines = text.split("\n", line - 1);
  while (lines.at(-1)?.trim() === "") lines.pop();
  // The line above has a key with a colon, an item, a comment or nothing.
  const above = lines.findLastIndex((each) => /:(?:\s|$)|^\s*(?:[-#]|$)/.test(each));
  // Deeper lines between it and the key belong to its value.
  const depth = (lines.at(-1) ?? "").search(/\S/);
  const index = lines.findIndex((each, at) => at > above && each.search(/\S/) <= depth);
  const keyLine = lines[index];
  if (keyLine === undefined || (isFirstKey && !/:\s*$/.test(lines[above] ?? ""))) return undefined;
  const location = { line: index + 1, col: keyLine.search(/\S/) + 1 };
  if (index === above + 1 && /[|>][-+\d]*\s*$/.test(lines[above] ?? ""))
    return { message: "Indent this text deeper than the key above, to which it belongs.", ...location };
  const [before] = /^\s*[\w$-]+:(?=\S)/.exec(keyLine) ?? [];
  return before === undefined
    ? { message: "This line has no colon. Write `key: value`.", ...location }
    : { message: "A space is missing after this colon. Add it.", ...location, col: before.length };
}

/**
 * Finds a reference to an anchor that is not declared above it, in a merge key or with a name similar to that of an anchor. Otherwise it
 * is probably a text that needs quotes.
 * @param offset offset of the name
 */
export function describeUnknownAlias(text: string, offset: number): string | undefined {
  const [name] = /^[\w.-]+(?=[ \t]*(?:[\n,\]}#]|$))/.exec(text.slice(offset)) ?? [];
  if (name === undefined) return undefined;
  const textBefore = text.slice(0, offset);
  const anchors = [...textBefore.matchAll(/(?:^|[\s[,])&([\w.-]+)(?=\s)/g)].map(([, anchor = ""]) => anchor);
  const suggestion = suggestName(name, anchors);
  if (suggestion === undefined && !/<<:.*$/.test(textBefore)) return undefined;
  const remedy =
    suggestion === undefined ? `Write &${name} before its value.` : `Did you mean "${suggestion}"?`;
  return `No anchor above has the name "${name}". ${remedy}`;
}

/** Finds a line with another space than that of ASCII before its text, or without a space after its dash. */
export function findWrongSpace(text: string, line: number): SyntaxMistake | undefined {
  const lines = text.split("\n", line);
  for (const [index, each] of [...lines.entries()].slice(-2)) {
    const [, space] = /^( *)[^\S \t\r]/.exec(each) ?? [];
    if (space !== undefined) {
      const message =
        "This is not an ordinary space, although it looks like one. Indent with ordinary spaces.";
      return { message, line: index + 1, col: space.length + 1 };
    }
    const [, dash] = /^( *-)[A-Za-z]\S*:(?:\s|$)/.exec(each) ?? [];
    if (dash !== undefined)
      return { message: "A space is missing after this dash. Add it.", line: index + 1, col: dash.length };
  }
  return undefined;
}

/** Explains why the indentation of a line does not fit the lines above it. */
export function explainIndentation(text: string, line: number): SyntaxMistake | undefined {
  const lines = text.split("\n", line);
  const [, space = "", dash] = /^(\s*)(- )?/.exec(lines.pop() ?? "") ?? [];
  const indent = space.length;
  const levels = collectLevels(lines);
  const depths = [...levels.keys()];
  const [lower, outer] = depths.filter((depth) => depth < indent);
  const upper = depths.findLast((depth) => depth > indent);
  const above = upper === undefined ? undefined : levels.get(upper);
  // An item beside the key of an object belongs to the deeper list above it.
  const isMoreOfList = dash !== undefined && above?.isItem === true && levels.get(indent)?.isItem === false;
  const other = isMoreOfList ? above : (levels.get(indent) ?? (dash === undefined ? undefined : above));
  if (other && other.isItem !== (dash !== undefined)) {
    const message = `Only one of this line and line ${other.line} is an item of a list. Begin both with "- ", or neither.`;
    return { message, line, col: indent + 1 };
  }
  if (!isMoreOfList && levels.has(indent)) return undefined;
  // The line above is wrong if it is alone in its object, and only this line has the indentation that is usual in the text.
  const usual = dash === undefined ? findUsualIndent(text) : undefined;
  for (const [depth, parent] of [
    [upper, lower],
    [lower, outer],
  ]) {
    const level = depth === undefined ? undefined : levels.get(depth);
    if (!level?.isSingleKey || depth === undefined || parent === undefined) continue;
    if (indent - parent === usual && depth - parent !== usual) {
      const message = `Indent this line by ${indent} spaces, as line ${line}, not by ${depth}.`;
      return { message, line: level.line, col: depth + 1 };
    }
  }
  const allowed = (isMoreOfList ? [upper] : [lower, upper]).filter((depth) => depth !== undefined);
  if (allowed.length === 0) return undefined;
  const message = `Indent this line by ${allowed.join(" or ")} spaces, as lines above it, not by ${indent}.`;
  return { message, line, col: indent + 1 };
}

/** An object or a list above a line with a syntax error. */
interface Level {
  line: number;
  isItem: boolean;
  /** Whether it has a single key, which begins a line. */
  isSingleKey: boolean;
}

/** Collects the objects and lists that the last line can belong to, and those just closed, by indentation, deepest first. */
function collectLevels(lines: readonly string[]): Map<number, Level> {
  const levels = new Map<number, Level>();
  let limit = Number.MAX_SAFE_INTEGER;
  for (const [index, each] of [...lines.entries()].reverse()) {
    const [, space, dash] = /^(\s*)(- +)?[^\s#]/.exec(each) ?? [];
    const level = space?.length ?? Infinity;
    if (level > limit) continue;
    const keyLevel = level + (dash?.length ?? 0);
    const isSingleKey = dash === undefined && !levels.has(keyLevel);
    if (keyLevel <= limit) levels.set(keyLevel, { line: index + 1, isItem: false, isSingleKey });
    if (dash !== undefined) levels.set(level, { line: index + 1, isItem: true, isSingleKey: false });
    limit = level;
  }
  return levels;
}

/** Finds the most frequent number of spaces by which a key is indented deeper than the key that contains it. */
function findUsualIndent(text: string): number | undefined {
  const counts = new Map<number, number>();
  for (const [, , { length } = ""] of text.matchAll(/^( *)[^\s#-].*:(?=\n\1( +)[^\s#-])/gm))
    counts.set(length, (counts.get(length) ?? 0) + 1);
  const [most, next] = [...counts].sort(([, one], [, other]) => other - one);
  return most?.[1] === next?.[1] ? undefined : most?.[0];
}

/** Finds a text that YAML reads as something else, because it has no quotes. */
export function findUnquotedText(text: string, line: number): SyntaxMistake | undefined {
  const lines = text.split("\n", line);
  // The parser takes a special key for an alias or a tag, and stops at the line after it.
  const keyLine = lines.findLastIndex((each, index) => index >= line - 2 && SPECIAL_KEY.test(each));
  const [, indent] = SPECIAL_KEY.exec(lines[keyLine] ?? "") ?? [];
  if (indent !== undefined)
    return { message: "This key needs quotes.", line: keyLine + 1, col: indent.length + 1 };
  const [, before, value] = VALUE.exec(lines.at(-1) ?? "") ?? [];
  if (before === undefined || value === undefined) return undefined;
  const message = describeSpecialText(value.replace(/\s#.*/, ""), !before.includes(":"));
  return message === undefined ? undefined : { message, line, col: before.length + 1 };
}

function describeSpecialText(value: string, isItem: boolean): string | undefined {
  if (TEXT_AFTER_VALUE.test(value) && /^["']/.test(value))
    return "More text follows the end of this quoted text. Quote all of it, and write a quote inside it twice.";
  if (/^(?:[@`%*!]|- )/.test(value) || TEXT_AFTER_VALUE.test(value))
    return `This text needs quotes, because it begins with "${value.charAt(0)}".`;
  // The colon of an item follows its first key.
  return !isItem && /^[^[{"'|>&#].*:(?:\s|$)/.test(value)
    ? "This text needs quotes, because it contains a colon with a space after it."
    : undefined;
}

/**
 * Finds the unclosed bracket among the one at `start` and those inside it; undefined if all are closed. It is one whose counterpart
 * begins a line with less indentation, which belongs to a bracket around it.
 */
function findUnclosedFrom(text: string, start: number): number | undefined {
  const openBrackets: number[] = [];
  const indents = new Map<number, number>();
  let misindented: number | undefined;
  let [lineStart, indent] = [start, 0];
  const end = Math.min(text.length, start + MAX_SEARCHED_CHARACTERS);
  for (let at = start; at < end; at += 1) {
    const character = text.charAt(at);
    const before = text.charAt(at - 1);
    if (character === "\n") [lineStart, indent] = [at + 1, text.slice(at + 1, at + MAX_INDENT).search(/\S/)];
    else if (character === "#" && /\s/.test(before)) at = findLineEnd(text, at) - 1;
    // An apostrophe inside a word does not start a string.
    else if (character === '"' || (character === "'" && /[\s[{,:]/.test(before))) {
      at = findQuotedEnd(text, at);
    } else if (CLOSERS[character] !== undefined) {
      openBrackets.push(at);
      indents.set(at, indent);
    } else if (character === "]" || character === "}") {
      const opener = openBrackets.pop() ?? start;
      if (CLOSERS[text.charAt(opener)] !== character) return opener;
      if (at === lineStart + indent && indent < (indents.get(opener) ?? 0)) misindented ??= opener;
      if (openBrackets.length === 0) return undefined;
    }
  }
  return end === text.length ? (misindented ?? openBrackets[0]) : undefined;
}

function findQuotedEnd(text: string, start: number): number {
  const quote = text.charAt(start);
  for (let at = start + 1; at < text.length; at += 1) {
    if (quote === '"' && text.charAt(at) === "\\") at += 1;
    else if (text.charAt(at) === quote) return at;
  }
  return text.length;
}

function findLineEnd(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end === -1 ? text.length : end;
}
