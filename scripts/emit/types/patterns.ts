import type { NamePattern } from "./type.js";

/** Matches the source of a regular expression without special characters, except escaped ones. */
const LITERAL = /^(?:[A-Za-z0-9_ :;,@#%&=!<>~"'`/-]|\\[.\-/$^*+?()[\]{}|\\])*$/;

/**
 * Converts a regular expression of `patternProperties` to a prefix or suffix, which a template literal type can express.
 * Returns undefined for any other expression.
 */
export function parseNamePattern(pattern: string): NamePattern | undefined {
  if (/^\^?(?:\.[*+])?\$?$/.test(pattern)) return { prefix: "", suffix: "" };
  const prefix = /^\^(.*?)(?:\.[*+]\$?)?$/s.exec(pattern)?.[1];
  if (prefix !== undefined && prefix !== "" && LITERAL.test(prefix))
    return { prefix: unescape(prefix), suffix: "" };
  const suffix = /^(?:\^?\.[*+])?(.*)\$$/s.exec(pattern)?.[1];
  if (
    suffix !== undefined &&
    suffix !== "" &&
    !pattern.startsWith("^") === !suffix.startsWith("^") &&
    LITERAL.test(suffix)
  ) {
    return { prefix: "", suffix: unescape(suffix) };
  }
  return undefined;
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
