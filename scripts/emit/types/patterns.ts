import type { Names } from "./type.js";

/** Signs that mean themselves in a regular expression. */
const PLAIN = /^(?:[A-Za-z0-9_ :;,@#%&=!<>~"'`/-]|\\[.\-/$^*+?()[\]{}|\\])*$/;

/**
 * The names that a pattern of `patternProperties` stands for, where a template of TypeScript can say it: a start, an
 * end, or all. Undefined for any other pattern.
 */
export function namesOfPattern(pattern: string): Names | undefined {
  if (/^\^?(?:\.[*+])?\$?$/.test(pattern)) return { prefix: "", suffix: "" };
  const start = /^\^(.*?)(?:\.[*+]\$?)?$/s.exec(pattern)?.[1];
  if (start !== undefined && start !== "" && PLAIN.test(start))
    return { prefix: unescape(start), suffix: "" };
  const end = /^(?:\^?\.[*+])?(.*)\$$/s.exec(pattern)?.[1];
  if (
    end !== undefined &&
    end !== "" &&
    !pattern.startsWith("^") === !end.startsWith("^") &&
    PLAIN.test(end)
  ) {
    return { prefix: "", suffix: unescape(end) };
  }
  return undefined;
}

function unescape(text: string): string {
  return text.replace(/\\(.)/g, "$1");
}
