import { YAMLException } from "js-yaml";
import { describe, expect, it } from "vitest";
import { SourceText } from "../../../../scripts/load/text/source-text.js";
import { createSyntaxDiagnostic } from "../../../../scripts/load/text/syntax-error.js";
import { parseYaml } from "../../../../scripts/load/text/parse-yaml.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import { EMPTY, HEAD, listDiagnostics } from "../documents.js";

/** Parses a file with a syntax error, and returns the location and message of the diagnostic. */
function explain(text: string, file = "/api.yaml"): string {
  const source = new SourceText(file, text);
  try {
    parseYaml(source);
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    const { message, position } = createSyntaxDiagnostic(error, source);
    return `${position?.line}:${position?.col} ${message}`;
  }
  return "no error";
}

describe("finds the cause of a syntax error", () => {
  it.each([
    ["see: this", "contains a colon with a space after it"],
    ["It's: here", "contains a colon with a space after it"],
    ["@handle", 'begins with "@"'],
    ["`code` text", 'begins with "`"'],
    ["%d things", 'begins with "%"'],
    ["*important* text", 'begins with "*"'],
    ["!important", 'begins with "!"'],
    ["- dash", 'begins with "-"'],
    ["[deprecated] use b", 'begins with "["'],
    ["*important", 'begins with "*"'],
  ])("a text that needs quotes: %s", (value, reason) => {
    const problem = `This text needs quotes, because it ${reason}.`;
    expect(explain(`a:\n  b: ${value}\n  c: 1\n`)).toBe(`2:6 ${problem}`);
  });

  it.each([
    ["a:\n  key value\n  b: {}\n", "2:3 This line has no colon. Write `key: value`."],
    ["a:\n  key:value\n  b: {}\n", "2:6 A space is missing after this colon. Add it."],
    ["a:\n  b: 1\n  key:value\nc: 1\n", "3:6 A space is missing after this colon. Add it."],
    ["a:\n  - b: 1\n    key value\n  - b: 2\n", "3:5 This line has no colon. Write `key: value`."],
    [
      "a:\n  b: |\n    text\n    more\n  key value\n  c: 1\n",
      "5:3 This line has no colon. Write `key: value`.",
    ],
    [
      "a:\n  b: |\n    text\n\n    more\n  key:value\n\n  c: 1\n",
      "6:6 A space is missing after this colon. Add it.",
    ],
    ['a:\n  b: "^\\d+$"\n', "2:9 In double quotes, a backslash begins an escape sequence. Write it twice."],
    ['a: "C:\\users"\n', "1:9 In double quotes, a backslash begins an escape sequence. Write it twice."],
    ["a: 1\n<<<<<<< HEAD\nb: 1\n=======\nb: 2\n>>>>>>> x\n", "2:1 This is a merge conflict. Resolve it."],
    ["a: <<<<<<< b\nc: [1\n", "2:4 This `[` is not closed. Add the `]`."],
    [
      "# one\n---\na: 1\n---\nb: 2\n",
      "4:1 A file can contain only one document. Move this one to its own file.",
    ],
    [
      "---\na: 1\n...\n# b\nb: 2\n",
      "5:1 A file can contain only one document. Move this one to its own file.",
    ],
    [
      "--- {a: 1}\n---\n--- {b: 1}\n",
      "3:1 A file can contain only one document. Move this one to its own file.",
    ],
    ["a: 1\nb: {c: {{ d }}}\n", "2:9 A key must be text. Put templates such as `{{ name }}` in quotes."],
    ["[a]: 1\n", "1:1 A key must be text. Put templates such as `{{ name }}` in quotes."],
    ["content:\n  */*:\n    schema: {}\n", "2:3 This key needs quotes."],
    ["content:\n  */*: {}\n", "2:3 This key needs quotes."],
    ["a:\n  b: |\n  text\n  c: 1\n", "3:3 Indent this text deeper than the key above, to which it belongs."],
    ["a:\n\tb: 1\n", "2:1 YAML allows no tabs here. Indent with spaces."],
    ["a: [\n\t1\n]\n", "2:2 YAML allows no tabs here. Indent with spaces."],
    ["a: {b: 1,\tc: 2}\n", "1:11 YAML allows no tabs here. Indent with spaces."],
    ['{\n  "a": "1"\n  "b": 2\n}', "3:3 A comma or a colon is missing here. Add it."],
    [
      '{"a": {"b": 1}}}',
      "1:16 The document has ended before this. Remove it, or the bracket that closes the document too early.",
    ],
    ["a: [1, 2]]\n", "1:10 This `]` closes nothing. Remove it."],
    ["a:\n  b: {}}\n", "2:8 This `}` closes nothing. Remove it."],
    ["a:\n  -b: 1\n    c: 2\n", "2:3 A space is missing after this dash. Add it."],
    [
      "a:\n  b: 1\n\u00a0 c: 1\n  d: 1\n",
      "3:1 This is not an ordinary space, although it looks like one. Indent with ordinary spaces.",
    ],
    ["a: &text 1\nb: *txt\n", '2:4 No anchor above has the name "txt". Did you mean "text"?'],
    ["a: { <<: [*text] }\n", '1:11 No anchor above has the name "text". Write &text before its value.'],
    ["a:\n  - &text 1\n  - *txt\n", '3:5 No anchor above has the name "txt". Did you mean "text"?'],
  ])("in %j", (text, problem) => {
    expect(explain(text)).toBe(problem);
  });

  it("a comment in JSON, which YAML would read as a part of the next key", () => {
    const problem = "JSON has no comments. Remove this one.";
    expect(explain('{\n  "a": "http://a.test", // c\n  "b": 1\n}', "/api.json")).toBe(`2:25 ${problem}`);
    expect(explain('{ /* c */ "b": 1 }', "/api.json")).toBe(`1:3 ${problem}`);
    expect(explain('// c\n{ "b": 1 }', "/api.json")).toBe(`1:1 ${problem}`);
    expect(explain('{ "a": "// text", }', "/api.json")).toBe("no error");
    expect(explain('{ "a": "\\\n// text", }', "/api.json")).toBe("no error");
  });

  it.each(["'the train's list'", '"quoted" text'])("a quote inside a quoted text: %s", (value) => {
    expect(explain(`a:\n  b: ${value}\n  c: 1\n`)).toBe(
      "2:6 More text follows the end of this quoted text. Quote all of it, and write a quote inside it twice.",
    );
  });

  it.each([
    ["a:\n  b: 1\n   c: 2\n", "3:4", "2", 3],
    ["a:\n  b: 1\n   c: 2 # note: text\n", "3:4", "2", 3],
    ["a:\n   b: 1\n  c: 2\n", "3:3", "0 or 3", 2],
    ["a:\n  b:\n  c:\n      d: 1\n    e: 2\n", "5:5", "2 or 6", 4],
    ["a: 1\n  # comment\n\n b: 2\n", "4:2", "0", 1],
    ["a:\n  b: some\n    text\n   c: 2\n", "4:4", "2 or 4", 3],
    ["a:\n  b:\n    - c: 1\n  - c: 2\n", "4:3", "4", 2],
    ["a:\n  b:\n    - { c: { d: 1 } }\n  - { c: { d: 2 } }\n", "4:3", "4", 2],
  ])("an indentation that fits no line above, in %j", (text, location, allowed, actual) => {
    const problem = `Indent this line by ${allowed} spaces, as lines above it, not by ${actual}.`;
    expect(explain(text)).toBe(`${location} ${problem}`);
  });

  it.each([
    ["a:\n  b:\n     c: 1\n    d: 2\ne:\n  f: 3\n", "3:6", 4, 4, 5],
    ["a:\n  b:\n     c:\n       d: 1\n    e: 2\n", "3:6", 4, 5, 5],
    ["a:\n  b:\n   c: 1\n    d: 2\ne:\n  f: 3\n", "3:4", 4, 4, 3],
    ["a:\n  b:\n   c:\n     d: 1\n    e: 2\n", "3:4", 4, 5, 3],
  ])("an unusual indentation of the line before, in %j", (text, location, correct, other, actual) => {
    const problem = `Indent this line by ${correct} spaces, as line ${other}, not by ${actual}.`;
    expect(explain(text)).toBe(`${location} ${problem}`);
  });

  it.each([
    ["a:\n  b:\n     c: 1\n     d: 2\n    e: 3\nf:\n  g: 4\n", "5:5", "2 or 5", 4],
    ["a:\n  b:\n    -  c: 1\n      d: 2\n", "4:7", "4 or 7", 6],
    ["a:\n  b:\n     c: 1\n    d: 2\n# e:\n  f: 3\n", "4:5", "2 or 5", 4],
  ])("an indentation that may be usual, but fits no line above, in %j", (text, location, allowed, actual) => {
    const problem = `Indent this line by ${allowed} spaces, as lines above it, not by ${actual}.`;
    expect(explain(text)).toBe(`${location} ${problem}`);
  });

  it.each([
    ["a:\n    b: 1\n    c: 2\n  - b: 3\n", "4:3", 2],
    ["a:\n  b: 1\n  - c: 2\n", "3:3", 2],
    ["a:\n  - b: 1\n    c: 2\n  d: 3\n", "4:3", 2],
  ])("a list whose items do not all begin with a dash, in %j", (text, location, other) => {
    const problem = `Only one of this line and line ${other} is an item of a list. Begin both with "- ", or neither.`;
    expect(explain(text)).toBe(`${location} ${problem}`);
  });

  it("in the text itself, if it looks like nothing else", () => {
    const problem = "bad indentation of a sequence entry. Correct the text here.";
    expect(explain("- - a: 1\n  b: 2\n")).toBe(`2:3 This is not valid YAML or JSON: ${problem}`);
  });
});

describe("loading reports one error", () => {
  it.each([
    [
      "YAML list",
      `${HEAD}paths:\n  /a:\n    get:\n      tags: [a, b\n      responses: {}\n  /b: {}\n`,
      "6:13 This `[`",
    ],
    ["YAML object", `${HEAD}paths:\n  /a:\n    get: {tags: [a], # don't {\n  /b: {}\n`, "5:10 This `{`"],
    ["last YAML list", `${EMPTY}tags: [{name: a}\n`, "4:7 This `[`"],
    ["long YAML list", `${EMPTY}tags: [\n${"  {name: a},\n".repeat(30)}`, "4:7 This `[`"],
    [
      "JSON list",
      '{"openapi": "3.1.0",\n"tags": [{"name": "]"},\n"paths": {"/a": {}},\n"info": {}}',
      "2:9 This `[`",
    ],
    ["JSON object", '{"openapi": "3.1.0",\n"paths": {"/a": {},\n"info": {}}\n', "1:1 This `{`"],
  ])("for a missing bracket in a %s", async (_, text, start) => {
    const found = await listDiagnostics(text, text.startsWith("{") ? "openapi.json" : "openapi.yaml");
    expect(found).toEqual([expect.stringContaining(start)]);
  });

  it("for other mistakes with closed brackets", async () => {
    for (const tag of ["{name: a}", "{name: a's}", String.raw`{name: '\'}`]) {
      expect(await listDiagnostics(`${EMPTY}tags: [${tag} {name: b}]\n`)).toEqual([
        expect.stringMatching(/^4:\d+ A comma or a colon is missing here/),
      ]);
    }
  });

  it.each([
    [
      "openapi: 3.1.0\ninfo:\n  version: '1'\n  title T\n  x-a: 1\n",
      "4:3 This line has no colon. Write `key: value`.",
    ],
    ["openapi: 3.1.0\ntags:\n  - name\ninfo\npaths: {}\n", "4:1 This line has no colon. Write `key: value`."],
    ['info:\n  title: T\n  version: "1\npaths: {}\n', "3:12 This quote is not closed. Close it."],
    ["info:\n  title: It's\n  version: '1\n", "3:12 This quote is not closed. Close it."],
  ])("for a missing colon or quote: %j", async (text, problem) => {
    expect(await listDiagnostics(text)).toEqual([problem]);
  });
});

it.each([
  ['{\n  "a": {\n    "b": {\n      "c": 1\n  },\n  "d": {}\n}\n', "3:10"],
  ['{\n  "a": [\n    1\n  ,\n  "d": [2\n  ]\n}\n', "2:8"],
  ['{\n  "a": { # }\n    "b": 1\n}\n', "2:8"],
  ['{\n  "a": {\n    "b": {\n      "c": 1\n    },\n    "d": {\n      "e": 1\n  }\n}\n', "6:10"],
  ['{\n  "a": {\n    "b": 1\n', "1:1"],
])("finds the unclosed bracket by the indentation of the others: %j", (text, location) => {
  expect(explain(text)).toMatch(new RegExp(`^${location} This .* is not closed`));
});

describe("explains the error of a hostile text in linear time", () => {
  // With a mistake these would take minutes.
  it.each([
    ["nested items", `${"-  ".repeat(40)}x\u2028y: z: w\n`],
    ["an unclosed bracket below very many dashes", `a: |\n  ${"- ".repeat(700_000)}\nb: [1\nc: 2\n`],
    ["two documents after very many blank lines", `${"\n".repeat(700_000)}a: 1\n---\nb: 2\n`],
  ])("%s", (_, text) => {
    expect(explain(text)).toMatch(/^\d+:\d+ /);
  });

  it("many quotes in a row in JSON", async () => {
    // It takes 20 ms instead of 8 s.
    await expectCpuTimeBelow(2000, () => explain(`a${'\\"'.repeat(60_000)}`, "/api.json"));
  });

  it("a long string in JSON", () => {
    const text = `{"a": "${"x".repeat(10_000_000)}",\n// comment\n"b": 1}`;
    expect(explain(text, "/api.json")).toMatch(/^2:1 /);
  });
});

describe("searches at most 50 lines for the cause of a syntax error", () => {
  it.each([
    ["a bracket", "[1", "# b\n"],
    ["a quote", '"1', "  b\n"],
  ])("%s", (_, value, line) => {
    const explainBelow = (lines: number): string => explain(`a: ${value}\n${line.repeat(lines)}c: d\n`);
    expect(explainBelow(48)).toMatch(/^1:4 /);
    expect(explainBelow(49)).not.toMatch(/^1:4 /);
  });
});

it("a message has at most 60 characters of a key that occurs twice", () => {
  const explainKey = (key: string): string => explain(`${key}: 1\n${key}: 2\n`);
  expect(explainKey("k".repeat(60))).toContain(`\`${"k".repeat(60)}\``);
  expect(explainKey("k".repeat(61))).toContain(`\`${"k".repeat(60)}\``);
});
