import type { SyntaxMistake } from "./syntax-error-causes.js";

/** Matches a line with a value after a key or a `-`, for which YAML allows text without quotes. */
const VALUE = /^((?:\s*- +)+|\s*(?:- +)*(?:[^\s#'"[{-][^:]*|"[^"]*"):\s+)(\S.*)$/;
/** Matches a line with a key that begins with a character of YAML's syntax, such as the range of all media types. */
const SPECIAL_KEY = /^(\s*)[@`%*!&]\S*:(?:\s|$)/;
/** Matches text that begins with a quoted text, a list or an object, which nothing can follow. */
const TEXT_AFTER_VALUE = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]]*\]|\{[^}]*\})\s*[^\s#,]/;

/**
 * Finds a text that YAML reads as something else, because it has no quotes.
 *
 * @param line line of the syntax error, from 1
 * @returns the message and the location, from 1; undefined if there is none
 */
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
