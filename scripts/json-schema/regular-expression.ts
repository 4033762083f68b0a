/** Creates a regular expression; undefined if it is invalid, or if only some of the supported versions of Node.js accept it. */
export function tryCompile(source: string, flags: string): RegExp | undefined {
  if (hasNewerSyntax(source)) return undefined;
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}

/** Describes why `tryCompile` with the flag `u` refuses a source, such as `unterminated group`. */
export function describeSyntaxError(source: string): string {
  if (hasNewerSyntax(source)) return "its groups need a newer Node.js";
  try {
    RegExp(source, "u");
    return "";
  } catch (error) {
    // `Invalid regular expression: /(a/u: Unterminated group`
    const message = String(error);
    const reason = message.slice(message.lastIndexOf(":") + 1).trim();
    return reason.slice(0, 1).toLowerCase() + reason.slice(1);
  }
}

/** Whether a pattern has groups with flags or several groups with the same name, which ECMAScript allows since 2025. */
function hasNewerSyntax(source: string): boolean {
  // Without escapes and classes, whose brackets and parentheses are text.
  const groups = source.replace(/\\[^]|\[(?:\\[^]|[^\]\\])*\]?/g, "");
  const names = [...groups.matchAll(/\(\?<([^(=!>][^(>]*)>/g)].map(([, name]) => name);
  return new Set(names).size < names.length || /\(\?(?!:)[ims]*(?:-[ims]*)?:/.test(groups);
}
