import { expect, test } from "vitest";
import { breakLongLines } from "../../../scripts/code/break-lines.js";

const long = (length: number): string => "x".repeat(length);

test.each<[string, string]>([
  ["a line that fits", `const a = { b: "${long(90)}" };`],
  ["a comment", `  // { a, ${long(120)} }\n  * { b, ${long(120)} }\n/** { c, ${long(120)} } */`],
  ["a string", `  description: "{ a, ${long(120)} }",`],
  ["an indexed access, which is not a list", `  body: Types["${long(60)}"]["${long(60)}"];`],
  ["empty brackets", `  ${long(120)}: {},`],
  ["brackets that close on another line", `  f(${long(120)},`],
])("does not change %s", (_, code) => {
  expect(breakLongLines(code)).toBe(code);
});

test.each<[string, string, string[]]>([
  [
    "an object with a list",
    `  a: { id: "a, {", list: ["${long(50)}", "${long(50)}"], empty: [] },`,
    [
      "  a: {",
      '    id: "a, {",',
      "    list: [",
      `      "${long(50)}",`,
      `      "${long(50)}",`,
      "    ],",
      "    empty: [],",
      "  },",
    ],
  ],
  [
    "a list that fits, in an object that does not",
    `  a: { one: ["${long(40)}", 2], two: { b: "${long(50)}" } },`,
    ["  a: {", `    one: ["${long(40)}", 2],`, `    two: { b: "${long(50)}" },`, "  },"],
  ],
  [
    "an object with members of 110 and 111 characters",
    `  a: { b: [${long(97)}, 2], c: [${long(98)}, 2] },`,
    ["  a: {", `    b: [${long(97)}, 2],`, "    c: [", `      ${long(98)},`, "      2,", "    ],", "  },"],
  ],
  [
    "a member of a union",
    `  | { status: 200; body: Types["${long(40)}"]["content"]["${long(40)}"] }`,
    ["  | {", "      status: 200;", `      body: Types["${long(40)}"]["content"]["${long(40)}"];`, "    }"],
  ],
  [
    "parameters with type arguments and an arrow function",
    `f(one: Map<string, number>, two: (a: string, b: string) => void, three: ${long(60)}): void;`,
    [
      "f(",
      "  one: Map<string, number>,",
      "  two: (a: string, b: string) => void,",
      `  three: ${long(60)}`,
      "): void;",
    ],
  ],
  [
    "a union in parentheses after empty brackets",
    `type A = {} & ({ a: "${long(50)}" } | { b: "${long(50)}" });`,
    ["type A = {} & (", `  { a: "${long(50)}" } |`, `  { b: "${long(50)}" }`, ");"],
  ],
  [
    "an object as the last argument",
    `  return f(one, g(), { a: "${long(50)}", b: "${long(50)}" });`,
    ["  return f(one, g(), {", `    a: "${long(50)}",`, `    b: "${long(50)}",`, "  });"],
  ],
  [
    "a quote in a string",
    `  a: { b: "\\"}", c: "\\\\", d: "${long(90)}" },`,
    ["  a: {", '    b: "\\"}",', '    c: "\\\\",', `    d: "${long(90)}",`, "  },"],
  ],
  [
    "brackets and quotes in a template literal",
    `  | { contentType: \`a"({,;\\\`/\${string}\`; body: Types["${long(40)}"]["${long(40)}"] }`,
    [
      "  | {",
      '      contentType: `a"({,;\\`/${string}`;',
      `      body: Types["${long(40)}"]["${long(40)}"];`,
      "    }",
    ],
  ],
])("is broken: %s", (_, code, lines) => {
  expect(breakLongLines(code).split("\n")).toEqual(lines);
  expect(breakLongLines(lines.join("\n")).split("\n")).toEqual(lines);
});
