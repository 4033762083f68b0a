/** Global variable that a payload sets if it ever runs as code. */
export const CANARY = "__pwned";
const RUN = `globalThis.${CANARY} = 1`;

/** Texts that become code, or change what stands around them, where they are pasted instead of encoded. */
export const PAYLOADS: Readonly<Record<string, string>> = {
  "double quote": `"; ${RUN}; //`,
  "single quote": `'; ${RUN}; //`,
  backtick: `\`; ${RUN}; //`,
  template: `\`\${${RUN}}\` \${${RUN}}`,
  "escaped quote": `\\"; ${RUN}; //`,
  "backslash at the end": `"+(${RUN})+"\\`,
  "comment end": `*/ ${RUN}; /*`,
  "comment end with something invisible inside": `*\u200b/ ${RUN}; /* *\u0000/ ${RUN}; /* *\u202e/ ${RUN}; /*`,
  "comment end that removal makes": `**//*/ ${RUN}; /**`,
  "line feed": `a\n${RUN};\nb`,
  "carriage return": `a\r${RUN};\r\n${RUN};\rb`,
  "line separators": `a\u2028${RUN};\u2029${RUN};\u0085b`,
  "direction and zero width": `\u202e"\u2066; ${RUN}\u200d //\u200f\ufeff`,
  "control characters": `\u0000"; ${RUN}; //\u0008\u007f\u009b`,
  "terminal sequences": `\u001b[2J\u001b]0;owned\u0007\u001b[8m\u009b31m"; ${RUN}`,
  script: `</script><script>${RUN}</script><img src=x onerror="${RUN}">`,
  "Markdown link": `[a](javascript:${RUN}) <svg onload=${RUN}> ![b](x" onerror="${RUN})`,
  "regular expression": `/.source,(${RUN}),/x/giu.test("`,
  "end of a list": `"]; ${RUN}; const x = ["`,
  "end of a block": `}; ${RUN}; ({`,
  "end of a call": `"), (${RUN}), ("`,
  "computed key": `[(${RUN})]`,
  "a number": `1; ${RUN}`,
  "a getter": `get x() { return (${RUN}); }`,
  "replacement patterns": `$& $1 $\` $' $$ "; ${RUN}`,
  directives: `/// <reference path="/etc/passwd" />\n// @ts-nocheck\n//# sourceMappingURL=data:,${RUN}`,
  "half a pair": `\ud800"; ${RUN}; //\udc00`,
  __proto__: "__proto__",
  constructor: "constructor",
  prototype: "prototype",
  toString: "toString",
  "very long": `${"x".repeat(5_000)}"; ${RUN}; //`,
};
