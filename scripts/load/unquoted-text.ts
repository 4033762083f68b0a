/** Matches a line with a value after a key or a `-`, for which YAML allows text without quotes. */
const VALUE = /^((?:\s*- +)+|\s*(?:- +)*(?:[^\s#'"[{-][^:]*|"[^"]*"):\s+)(\S.*)$/;
/** Matches text that begins with a quoted text, a list or an object, which nothing can follow. */
const TEXT_AFTER_VALUE = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|\[[^\]]*\]|\{[^}]*\})\s*[^\s#,]/;

/**
 * Finds a text that YAML reads as something else, because it has no quotes.
 *
 * @param line line of the syntax error, from 1
 * @returns the message and the location, from 1; undefined if the line has no such text
 */
export function findUnquotedText(
  text: string,
  line: number,
): { message: string; line: number; col: number } | undefined {
  const [, before, value] = VALUE.exec(text.split("\n", line).at(-1) ?? "") ?? [];
  if (before === undefined || value === undefined) return undefined;
  const reason = describeSpecialText(value.replace(/\s#.*/, ""));
  return reason === undefined
    ? undefined
    : { message: `This text needs quotes, because it ${reason}.`, line, col: before.length + 1 };
}

function describeSpecialText(value: string): string | undefined {
  if (/^(?:[@`%*!]|- )/.test(value) || TEXT_AFTER_VALUE.test(value))
    return `begins with "${value.charAt(0)}"`;
  return /^[^[{"'|>&#].*:(?:\s|$)/.test(value) ? "contains a colon with a space after it" : undefined;
}
