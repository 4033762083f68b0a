import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatDiagnosticIn } from "../../../scripts/print-diagnostics.js";
import { expectCpuTimeBelow } from "../../support/cpu-time.js";
import { runCommand, tryToGenerate } from "./generate.js";

const HEAD = 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\n';
const EMPTY = `${HEAD}paths: {}\n`;
const JSON_HEAD = '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{}';

/** Creates a document whose operation has a schema in its request and response. */
const createWithBody = (schema: string, more = ""): string =>
  `${HEAD}paths:\n  /a:\n    post:\n      requestBody: {content: {application/json: {schema: ${schema}}}}\n` +
  `      responses: {"200": {description: ok, content: {application/json: {schema: ${schema}}}}}\n${more}`;
/** Creates a document whose operation has a parameter with a schema. */
const createWithParameter = (style: string, schema: string, more = ""): string =>
  `${HEAD}paths: {/a: {get: {parameters: [{name: q, in: query, style: ${style}, schema: ${schema}}], ` +
  `responses: {"200": {description: ok}}}}}\n${more}`;
const createLines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("");
const A = '{$ref: "#/components/schemas/A"}';
const S0 = '{$ref: "#/components/schemas/S0"}';
/** Creates schemas that are unions of all of them, with further keywords. */
const createMutualUnions = (count: number, printKeywords = (_index: number): string => ""): string => {
  const references = Array.from({ length: count }, (_, index) => `{$ref: "#/components/schemas/S${index}"}`);
  return `components:\n  schemas:\n${createLines(count, (index) => `    S${index}: {${printKeywords(index)}oneOf: [${references.join(", ")}]}\n`)}`;
};
/** Creates schemas that each refer to the next. */
const createChain = (
  length: number,
  schema: (next: string, index: number) => string,
  last = "{type: string}",
): string =>
  `components:\n  schemas:\n${createLines(length, (index) => `    S${index}: ${schema(`{$ref: "#/components/schemas/S${index + 1}"}`, index)}\n`)}    S${length}: ${last}\n`;
/** Creates schemas that each refer to the next, directly or through another schema with a `$dynamicAnchor`. */
const createScopes = (count: number, createLast: (index: number) => string): string =>
  `components:\n  schemas:\n${createLines(
    count,
    (i) =>
      `    S${i}: {$id: "http://a/${i}", anyOf: [{$ref: "http://a/d${i}"}, {$ref: "http://a/${i + 1}"}]}\n` +
      `    D${i}: {$id: "http://a/d${i}", $dynamicAnchor: n${i}, properties: {next: {$ref: "http://a/${i + 1}"}}}\n`,
  )}    S${count}: {$id: "http://a/${count}", properties: {${Array.from({ length: count }, (_, i) => createLast(i)).join(", ")}}}\n`;
const repeat = (text: string, count = 30): string => Array.from({ length: count }, () => text).join(", ");
const LONG_TEXT = "word ".repeat(4_000);

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "page-service-limits-")));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the printed errors for a document. */
async function getErrors(text: string | Buffer, name: string): Promise<string[]> {
  const spec = path.join(folder, name);
  writeFileSync(spec, text);
  const { errors } = await tryToGenerate(spec);
  return errors.map((error) => formatDiagnosticIn(folder, error));
}

describe("refuses exhausting and invalid documents with a located message", () => {
  test.each<[string, string | Buffer, RegExp, string?]>([
    [
      "aliases that expand to billions",
      `${EMPTY}x-0: &a0 [1, 1]\n${createLines(40, (i) => `x-${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)}`,
      /:\d+:1 {2}error {2}YAML aliases make this stand for/,
    ],
    [
      "merge keys that expand to billions",
      `${EMPTY}x-0: &a0 {a: 1}\n${createLines(40, (i) => `x-${i + 1}: &a${i + 1} {<<: [*a${i}], b${i}: *a${i}, c${i}: *a${i}}\n`)}`,
      /YAML aliases make this stand for|merge keys/,
    ],
    [
      "thousands of wide merges",
      `${EMPTY}x-0: &a {${createLines(5000, (i) => `k${i}: 1, `)}z: 1}\n${createLines(3000, (i) => `x-m${i}: {<<: *a}\n`)}`,
      /merge keys exceeded/,
    ],
    [
      "deep YAML lists",
      `${EMPTY}x-a: ${"[".repeat(100_000)}${"]".repeat(100_000)}\n`,
      /:4:\d+ .*Nested deeper/,
    ],
    [
      "deep YAML objects",
      `${EMPTY}x-a: ${"{a: ".repeat(100_000)}1${"}".repeat(100_000)}\n`,
      /:4:\d+ .*Nested deeper/,
    ],
    ["unclosed brackets", `${EMPTY}x-a: ${"[".repeat(1_000_000)}`, /:4:\d+ .*Nested deeper/],
    ["a row of dashes", `${EMPTY}x-a:\n  ${"- ".repeat(100_000)}1\n`, /:5:\d+ .*Nested deeper/],
    [
      "deep JSON lists",
      `${JSON_HEAD},"x":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
      /Nested deeper/,
      "a.json",
    ],
    [
      "deep JSON objects",
      `${JSON_HEAD},"x":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
      /Nested deeper/,
      "a.json",
    ],
    [
      "deep schemas",
      createWithBody(`${"{properties: {a: ".repeat(1000)}{}${"}}".repeat(1000)}`),
      /Nested deeper/,
    ],
    [
      "a $ref to itself",
      createWithBody(A, `components: {schemas: {A: ${A}}}\n`),
      /^openapi\.yaml:8:34 .*leads back to itself.*$/,
    ],
    [
      "a cycle of $refs",
      createWithBody(A, `components: {schemas: {A: {$ref: "#/components/schemas/B"}, B: ${A}}}\n`),
      /^openapi\.yaml:8:34 .*leads back to itself.*$/,
    ],
    [
      "a cycle of path items",
      `${HEAD}paths: {/a: {$ref: "#/paths/~1b"}, /b: {$ref: "#/paths/~1a"}}\n`,
      /itself/,
    ],
    [
      "a cycle of parameters",
      `${HEAD}paths: {/a: {get: {parameters: [{$ref: "#/components/parameters/P"}], responses: {}}}}\n` +
        'components: {parameters: {P: {$ref: "#/components/parameters/P"}}}\n',
      /itself/,
    ],
    [
      "a cycle of responses",
      `${HEAD}paths: {/a: {get: {responses: {"200": {$ref: "#/components/responses/P"}}}}}\n` +
        'components: {responses: {P: {$ref: "#/components/responses/P"}}}\n',
      /itself/,
    ],
    [
      "a $ref to its parent",
      createWithBody('{$ref: "#/paths/~1a/post/requestBody/content/application~1json/schema"}'),
      /itself/,
    ],
    ["a $ref to the whole document", createWithBody('{$ref: "#"}'), /:6:\d+ .*names the whole document/],
    ["an empty $ref", createWithBody('{$ref: ""}'), /:6:\d+ .*names the whole document/],
    [
      "a $ref to a prototype",
      createWithBody('{$ref: "#/components/schemas/constructor"}', "components: {schemas: {}}\n"),
      /contains `__proto__`/,
    ],
    [
      "a percent-encoded $ref to a prototype in another file",
      createWithBody('{$ref: "other.yaml#/%5F_proto__"}'),
      /contains `__proto__`/,
    ],
    [
      "anchors with millions of dynamic scopes",
      createWithBody(
        '{$ref: "http://a/0"}',
        createScopes(20, (i) => `r${i}: {$dynamicRef: "http://a/d${i}#n${i}"}`),
      ),
      /:\d+:\d+ .*more than 100 combinations of \$dynamicAnchors apply to it/,
    ],
    [
      "readOnly properties with millions of variants",
      createWithBody(
        S0,
        createChain(
          20,
          (next, i) =>
            `{anyOf: [{properties: {p${i}: {readOnly: true}}, allOf: [${next}]}, {properties: {p${i}: {}}, allOf: [${next}]}]}`,
          `{required: [${createLines(20, (i) => `p${i}, `)}]}`,
        ),
      ),
      /:\d+:\d+ .*more than 64 combinations of readOnly/,
    ],
    [
      "schemas that all extend each other",
      createWithBody(
        S0,
        `components:\n  schemas:\n${createLines(20, (i) => `    S${i}: {allOf: [${createLines(20, (j) => (i === j ? "" : `{$ref: "#/components/schemas/S${j}"}, `))}{}]}\n`)}`,
      ),
      /:\d+:\d+ .*a cycle of allOf, or \$dynamicRefs with several targets, would repeat the types/,
    ],
    [
      "a cycle of hundreds of schemas that extend each other",
      createWithBody(
        S0,
        createChain(800, (next) => `{allOf: [${next}]}`, `{allOf: [${S0}]}`),
      ),
      /:\d+:\d+ .*a cycle of allOf, or \$dynamicRefs with several targets, would repeat the types/,
    ],
    [
      "a chain of hundreds of discriminators",
      createWithBody(
        S0,
        createChain(
          400,
          (next, i) => `{allOf: [${next}], discriminator: {propertyName: k${i}}, properties: {k${i}: {}}}`,
        ),
      ),
      /:\d+:\d+ .*a discriminator selects it, and it extends more than 64 schemas/,
    ],
    [
      "unions with discriminators that are branches of each other",
      createWithBody(
        S0,
        createMutualUnions(60, (i) => `discriminator: {propertyName: k${i}}, `),
      ),
      /:\d+:\d+ .*59 other schemas with discriminators are branches of each other, instead of at most 24/,
    ],
    [
      "unions that are branches of each other",
      createWithBody(S0, createMutualUnions(11)),
      /:\d+:\d+ .*it and other schemas refer to each other in millions of ways/,
    ],
    [
      "generic types with millions of parts",
      createWithBody(
        '{$id: "http://a/root", $defs: {t: {$dynamicAnchor: t, type: string}}, $ref: "http://a/0"}',
        `components:\n  schemas:\n${createLines(20, (i) => `    S${i}: {$id: "http://a/${i}", properties: {a: {$ref: "http://a/${i + 1}"}, b: {$ref: "http://a/${i + 1}"}}}\n`)}` +
          '    S20: {$id: "http://a/20", properties: {v: {$dynamicRef: "#t"}}, $defs: {t: {$dynamicAnchor: t}}}\n',
      ),
      /:\d+:\d+ .*a cycle of allOf, or \$dynamicRefs with several targets, would repeat the types/,
    ],
    ["UTF-16", Buffer.from(`\ufeff${EMPTY}`, "utf16le"), /is UTF-16 text\. Save it as UTF-8/],
    ["UTF-16 with the high byte first", Buffer.from(`\ufeff${EMPTY}`, "utf16le").swap16(), /is UTF-16 text/],
    ["UTF-16 without a byte order mark", Buffer.from(EMPTY, "utf16le"), /is UTF-16 text/],
    [
      "bytes that are not text",
      Buffer.concat([Buffer.from(`${EMPTY}x: `), Buffer.from([0xff, 0xfe])]),
      /:4:1 .*not UTF-8 text\. Save the file as UTF-8/,
    ],
    ["a duplicate key in JSON", `${JSON_HEAD},"paths":{"/a":{}}}`, /:1:\d+ .*`paths` occurs twice/, "a.json"],
    [
      "a function",
      `${EMPTY}x: !!js/function 'function () { globalThis.__pwned = 1 }'\n`,
      /:4:\d+ .*unknown scalar tag/,
    ],
    ["a custom tag", `${EMPTY}x: !evil {a: 1}\n`, /:4:\d+ .*unknown mapping tag/],
    ["bytes", `${EMPTY}x: !!binary aGVsbG8=\n`, /not a JSON value|tag/],
    ["a set", `${EMPTY}x: !!set {a, b}\n`, /not a JSON value|tag/],
    ["no number", createWithBody("{type: number, minimum: .nan}"), /:6:\d+ .*NaN is not a JSON number/],
    ["an infinite number", `${JSON_HEAD},"x":1e400}`, /:1:\d+ .*Infinity is not a JSON number/, "a.json"],
    [
      "null as the document",
      `${HEAD}paths: {/a: null, /b: {get: null}, /c: {get: []}}\n`,
      /:3:\d+ .*has no value/,
    ],
    ["lists as keys", `${EMPTY}? [1, 2]\n: 1\n`, /:4:3 .*key must be text/],
  ])("%s", async (_, text, message, name = "openapi.yaml") => {
    const found = await getErrors(text, name);
    expect(found.join("\n")).toMatch(message);
    for (const line of found) {
      expect(line.length).toBeLessThan(3_000);
      expect(line).toMatch(/^(openapi\.yaml|a\.json):\d+:\d+ {2}error {2}/);
    }
    expect(readdirSync(folder).filter((entry) => !/^(openapi\.yaml|a\.json)$/.test(entry))).toEqual([]);
  });
});

const SLOW_PATTERN =
  "Some short texts take minutes to match this pattern, because it repeats a group that matches the same text in several ways, as in (a+)+ or (\\w|\\d)+. Remove a repetition or an alternative.";

describe("generates code for unusual documents within a time limit, with these warnings only", () => {
  test.each<[string, string, string[]?]>([
    [
      "a description of megabytes",
      createWithBody(`{type: string, description: "${"ab ".repeat(1_000_000)}"}`),
    ],
    [
      "a pattern of 100,000 groups",
      createWithBody(`{type: string, pattern: "${"(a|b)*".repeat(100_000)}"}`),
      [
        `openapi.yaml:6:73  warning  The pattern "${"(a|b)*".repeat(9)}(a|b)… is not checked, because it is not an ECMAScript regular ` +
          "expression: too many captures.  at #/paths/~1a/post/requestBody/content/application~1json/schema/pattern",
      ],
    ],
    ["a key of a million characters", `${EMPTY}x-${"k".repeat(1_000_000)}: 1\n`],
    [
      "a cycle of allOf",
      createWithBody(
        A,
        `components: {schemas: {A: {allOf: [{$ref: "#/components/schemas/B"}]}, B: {allOf: [${A}]}}}\n`,
      ),
    ],
    [
      "a chain of thousands of schemas",
      createWithBody(
        S0,
        createChain(2000, (next) => `{properties: {a: ${next}}}`),
      ),
    ],
    [
      "a cycle of oneOf",
      createWithBody(
        A,
        `components: {schemas: {A: {oneOf: [{$ref: "#/components/schemas/B"}, {type: string}]}, B: {anyOf: [${A}]}}}\n`,
      ),
    ],
    ["10 unions of each other", createWithBody(S0, createMutualUnions(10))],
    ["not itself", createWithBody(A, `components: {schemas: {A: {not: ${A}}}}\n`)],
    [
      "a recursive discriminator",
      createWithBody(
        A,
        `components: {schemas: {A: {discriminator: {propertyName: k, mapping: {a: "#/components/schemas/A"}}, oneOf: [${A}, {type: string}]}}}\n`,
      ),
    ],
    [
      "each schema twice in the next, as properties",
      createWithBody(
        S0,
        createChain(60, (next) => `{properties: {a: ${next}, b: ${next}}}`),
      ),
    ],
    [
      "each schema twice in the next, with allOf",
      createWithBody(
        S0,
        createChain(
          60,
          (next) => `{allOf: [${next}, ${next}]}`,
          "{properties: {a: {type: string, readOnly: true}}}",
        ),
      ),
    ],
    [
      "each schema twice in the next, with a readOnly property that the last one requires",
      createWithBody(
        S0,
        createChain(
          60,
          (next) => `{properties: {a: {type: string, readOnly: true}}, allOf: [${next}, ${next}]}`,
          "{type: object, required: [a]}",
        ),
      ),
    ],
    [
      "each schema twice in the next, with oneOf",
      createWithBody(
        S0,
        createChain(
          60,
          (next) => `{oneOf: [${next}, ${next}]}`,
          "{properties: {a: {type: string, readOnly: true}}}",
        ),
      ),
    ],
    [
      "a parameter with thirty copies of itself",
      createWithParameter("form", A, `components: {schemas: {A: {anyOf: [${repeat(A)}, {type: string}]}}}\n`),
    ],
    [
      "a parameter of thirty properties like itself",
      createWithParameter(
        "deepObject",
        A,
        `components: {schemas: {A: {type: object, properties: {${createLines(30, (i) => `p${i}: ${A}, `)}z: {}}}}}\n`,
      ),
    ],
    [
      "a pattern with exponential time",
      createWithBody(`{type: string, pattern: "^(a+)+$", default: "${"a".repeat(60)}!"}`),
      [
        `6:73  warning  ${SLOW_PATTERN}  at #/paths/~1a/post/requestBody/content/application~1json/schema/pattern`,
        `7:96  warning  ${SLOW_PATTERN}  at #/paths/~1a/post/responses/200/content/application~1json/schema/pattern`,
      ].map((warning) => `openapi.yaml:${warning}`),
    ],
    [
      "a pattern of nested loops for a parameter",
      createWithParameter(
        "form",
        `{type: [string, integer], pattern: "^${"(".repeat(20)}[0-9]+${")+".repeat(20)}x$"}`,
      ),
      [`openapi.yaml:3:101  warning  ${SLOW_PATTERN}  at #/paths/~1a/get/parameters/0/schema/pattern`],
    ],
    [
      "a pattern of a hundred loops for a parameter",
      createWithParameter("form", `{type: [string, integer], pattern: "^${"[0-9]*".repeat(100)}x$"}`),
    ],
    [
      "a pattern of 10,000 groups",
      createWithBody(`{type: string, pattern: "${"(".repeat(10_000)}a${")".repeat(10_000)}"}`),
    ],
    ["eighty levels of items", createWithBody(`${"{type: array, items: ".repeat(80)}{}${"}".repeat(80)}`)],
    [
      "20,000 values of an enum",
      createWithBody(`{type: string, enum: [${createLines(20_000, (i) => `v${i}, `)}z]}`),
    ],
    [
      "500 operations of 500 tags",
      `${HEAD}paths:\n${createLines(500, (i) => `  /p${i}: {get: {tags: [t${i}], responses: {"200": {description: ok}}}}\n`)}`,
    ],
    [
      "5,000 security schemes that are declared under other names",
      `${EMPTY}security:\n${createLines(5_000, (i) => `  - {securityScheme${i}x: []}\n`)}components:\n  securitySchemes:\n${createLines(
        5_000,
        (i) => `    securityScheme${i}: {type: http, scheme: basic}\n`,
      )}`,
    ],
    [
      "anchors that no $dynamicRef names",
      createWithBody(
        '{$ref: "http://a/0"}',
        createScopes(20, (i) => `r${i}: {}`),
      ),
    ],
    [
      "a long response of hundreds of operations",
      `${HEAD}paths:\n${createLines(500, (i) => `  /p${i}: {get: {responses: {"200": {$ref: "#/components/responses/R"}}}}\n`)}` +
        `components: {responses: {R: {description: ${LONG_TEXT}, content: {text/plain: {schema: {enum: [${LONG_TEXT}]}}}}}}\n`,
    ],
    [
      "aliases that repeat a document tenfold",
      `${EMPTY}x-a: &a {text: ${LONG_TEXT}}\nx-b: [${repeat("*a", 100)}]\n`,
    ],
    ["a byte order mark", `\ufeff${EMPTY}`],
    ["negative zero", createWithBody("{type: number, minimum: -0, enum: [-0, 1]}")],
    ["numbers in other notations", createWithBody("{type: number, enum: [0x10, 0o17, 1e3]}")],
  ])("%s", async (_, text, warnings = []) => {
    const spec = path.join(folder, "openapi.yaml");
    writeFileSync(spec, text);
    const found = await tryToGenerate(spec);
    expect(found.errors).toEqual([]);
    expect(found.warnings.map((warning) => formatDiagnosticIn(folder, warning))).toEqual(warnings);
  });
});

test.each<[string, number, RegExp, (count: number) => string]>([
  [
    "entries of an object",
    20_000,
    /More than 20000 entries/,
    (n) => `${EMPTY}x-a: {${createLines(n, (i) => `a${i}: 1, `)}}\n`,
  ],
  [
    "nested aliases",
    198,
    /Nested deeper than 200 levels/,
    (n) => `${EMPTY}x-0: &a0 {}\n${createLines(n, (i) => `x-${i + 1}: &a${i + 1} {x: *a${i}}\n`)}`,
  ],
  [
    "nested lists of YAML",
    99,
    /Nested deeper than 100 levels/,
    (n) => `${EMPTY}x-a: ${"[".repeat(n)}${"]".repeat(n)}\n`,
  ],
  [
    "characters of an $id",
    10_000,
    /more than 10000 characters/,
    (n) => `${EMPTY}components: {schemas: {A: {$id: "${"https://a.test/".padEnd(n, "a")}"}}}\n`,
  ],
  [
    "references in a row",
    50,
    /through more than 50 others/,
    (n) => `${EMPTY}${createChain(n, (next) => next)}`,
  ],
  [
    "schemas that a schema with a discriminator extends",
    64,
    /extends more than 64 schemas/,
    (n) =>
      createWithBody(
        S0,
        createChain(
          n,
          (next, i) => `{allOf: [${next}], discriminator: {propertyName: k${i}}, properties: {k${i}: {}}}`,
        ),
      ),
  ],
  [
    "characters of a path",
    8_000,
    /This path has 8001 characters/,
    (n) => `${HEAD}paths: {${"/".padEnd(n, "a")}: {get: {responses: {"200": {description: ok}}}}}\n`,
  ],
])("%s: %j are allowed, and one more is refused", async (_, limit, message, create) => {
  expect(await getErrors(create(limit), "openapi.yaml")).toEqual([]);
  expect((await getErrors(create(limit + 1), "openapi.yaml")).join("\n")).toMatch(message);
});

test("thousands of media types of a response need linear time", async () => {
  const content = createLines(3_000, (i) => `application/x${i}+json: {schema: {type: object}}, `);
  const text = `${HEAD}paths: {/a: {get: {responses: {"200": {description: ok, content: {${content}}}}}}}\n`;
  // It takes 1 s instead of 15 s.
  await expectCpuTimeBelow(6_000, async () => expect(await getErrors(text, "openapi.yaml")).toEqual([]));
});

test("the command reports it once with its source line, and writes nothing", async () => {
  const before = readdirSync(folder).sort();
  writeFileSync(path.join(folder, "openapi.yaml"), `${EMPTY}x-a: ${"[".repeat(100_000)}\n`);
  const args = ["--spec", "openapi.yaml", "--out", "out", "--adapters", "adapters"];
  const outcome = await runCommand(folder, args, ["--max-old-space-size=300"]);
  expect(outcome).toMatchObject({ code: 2, stdout: "" });
  expect(outcome.stderr).toMatch(
    /^openapi\.yaml:4:\d+ {2}error {2}Nested deeper[^\n]*\n +4 \| [^\n]{100,200}\n +\| +\^\n$/,
  );
  expect(readdirSync(folder).sort()).toEqual([...new Set([...before, "openapi.yaml"])].sort());
});
