import type { NamePattern } from "./type.js";

/** Matches the source of a regular expression that has no special characters, except escaped ones. */
const LITERAL_SOURCE = /^(?:[A-Za-z0-9_ :;,@#%&=!<>~"'`/-]|\\[.\-/$^*+?()[\]{}|\\])*$/;

/**
 * Converts a regular expression of `patternProperties` to a prefix or a suffix, which a template literal type can express:
 * `^x-` to the prefix `x-`, and `_id$` to the suffix `_id`. Returns undefined for any other expression.
 */
export function parseNamePattern(pattern: string): NamePattern | undefined {
  // Expressions that match every name, such as `^.*$`. The difference between `*` and `+` is ignored.
  if (/^\^?(?:\.[*+])?\$?$/.test(pattern)) return { prefix: "", suffix: "" };
  const prefix = /^\^(.*?)(?:\.[*+]\$?)?$/s.exec(pattern)?.[1];
  if (prefix !== undefined && prefix !== "" && LITERAL_SOURCE.test(prefix))
    return { prefix: removeEscapes(prefix), suffix: "" };
  // A pattern that starts with `^` is rejected here, because the unescaped `^` is not literal.
  const suffix = /^(?:\.[*+])?(.*)\$$/s.exec(pattern)?.[1];
  if (suffix !== undefined && suffix !== "" && LITERAL_SOURCE.test(suffix))
    return { prefix: "", suffix: removeEscapes(suffix) };
  return undefined;
}

function removeEscapes(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
