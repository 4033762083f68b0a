import { mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatDiagnostic } from "../../../scripts/diagnostic.js";
import { command, tryToGenerate } from "./generate.js";

const HEAD = 'openapi: 3.1.0\ninfo: {title: a, version: "1"}\n';
const EMPTY = `${HEAD}paths: {}\n`;
const JSON_HEAD = '{"openapi":"3.1.0","info":{"title":"t","version":"1"},"paths":{}';

/** A document whose operation has a schema in its request and its answer. */
const withBody = (schema: string, more = ""): string =>
  `${HEAD}paths:\n  /a:\n    post:\n      requestBody: {content: {application/json: {schema: ${schema}}}}\n` +
  `      responses: {"200": {description: ok, content: {application/json: {schema: ${schema}}}}}\n${more}`;
/** A document whose operation has a parameter of the schema. */
const withParameter = (style: string, schema: string, more = ""): string =>
  `${HEAD}paths: {/a: {get: {parameters: [{name: q, in: query, style: ${style}, schema: ${schema}}], ` +
  `responses: {"200": {description: ok}}}}}\n${more}`;
const lines = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join("");
const A = '{$ref: "#/components/schemas/A"}';
const S0 = '{$ref: "#/components/schemas/S0"}';
/** Schemas that each lead to the next. */
const chain = (length: number, schema: (next: string) => string, last = "{type: string}"): string =>
  `components:\n  schemas:\n${lines(length, (index) => `    S${index}: ${schema(`{$ref: "#/components/schemas/S${index + 1}"}`)}\n`)}    S${length}: ${last}\n`;
const fan = (text: string, count = 30): string => Array.from({ length: count }, () => text).join(", ");

let folder: string;
beforeAll(() => {
  folder = realpathSync(mkdtempSync(path.join(tmpdir(), "page-service-limits-")));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Errors as the command prints them, for a document of this text. */
async function refusal(text: string | Buffer, name: string): Promise<string[]> {
  const spec = path.join(folder, name);
  writeFileSync(spec, text);
  const { errors } = await tryToGenerate(spec);
  return errors.map((error) => formatDiagnostic(error, folder));
}

describe("a document that would take all time or memory, or is none, ends in a message with its place", () => {
  test.each<[string, string | Buffer, RegExp, string?]>([
    [
      "aliases that stand for billions",
      `${EMPTY}x-0: &a0 [1, 1]\n${lines(40, (i) => `x-${i + 1}: &a${i + 1} [*a${i}, *a${i}]\n`)}`,
      /:\d+:1 {2}error {2}YAML aliases make this stand for/,
    ],
    [
      "merge keys that stand for billions",
      `${EMPTY}x-0: &a0 {a: 1}\n${lines(40, (i) => `x-${i + 1}: &a${i + 1} {<<: [*a${i}], b${i}: *a${i}, c${i}: *a${i}}\n`)}`,
      /YAML aliases make this stand for|merge keys/,
    ],
    [
      "thousands of wide merges",
      `${EMPTY}x-0: &a {${lines(5000, (i) => `k${i}: 1, `)}z: 1}\n${lines(3000, (i) => `x-m${i}: {<<: *a}\n`)}`,
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
    ["brackets that nobody closes", `${EMPTY}x-a: ${"[".repeat(1_000_000)}`, /:4:\d+ .*Nested deeper/],
    ["dashes in a row", `${EMPTY}x-a:\n  ${"- ".repeat(100_000)}1\n`, /:5:\d+ .*Nested deeper/],
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
    ["deep schemas", withBody(`${"{properties: {a: ".repeat(1000)}{}${"}}".repeat(1000)}`), /Nested deeper/],
    ["a $ref to itself", withBody(A, `components: {schemas: {A: ${A}}}\n`), /:7:\d+ .*leads back to itself/],
    [
      "$refs to one another",
      withBody(A, `components: {schemas: {A: {$ref: "#/components/schemas/B"}, B: ${A}}}\n`),
      /:7:\d+ .*leads back to itself/,
    ],
    [
      "path items in a circle",
      `${HEAD}paths: {/a: {$ref: "#/paths/~1b"}, /b: {$ref: "#/paths/~1a"}}\n`,
      /itself/,
    ],
    [
      "parameters in a circle",
      `${HEAD}paths: {/a: {get: {parameters: [{$ref: "#/components/parameters/P"}], responses: {}}}}\n` +
        'components: {parameters: {P: {$ref: "#/components/parameters/P"}}}\n',
      /itself/,
    ],
    [
      "responses in a circle",
      `${HEAD}paths: {/a: {get: {responses: {"200": {$ref: "#/components/responses/P"}}}}}\n` +
        'components: {responses: {P: {$ref: "#/components/responses/P"}}}\n',
      /itself/,
    ],
    [
      "a $ref to what is around it",
      withBody('{$ref: "#/paths/~1a/post/requestBody/content/application~1json/schema"}'),
      /itself/,
    ],
    ["a $ref to the whole document", withBody('{$ref: "#"}'), /:6:\d+ .*names the whole document/],
    [
      "a $ref to a prototype",
      withBody('{$ref: "#/components/schemas/constructor"}', "components: {schemas: {}}\n"),
      /prototype/,
    ],
    [
      "a percent-encoded $ref to a prototype in another file",
      withBody('{$ref: "other.yaml#/%5F_proto__"}'),
      /names a JavaScript prototype/,
    ],
    [
      "a pattern of 100,000 groups",
      withBody(`{type: string, pattern: "${"(a|b)*".repeat(100_000)}"}`),
      /pattern|error/,
    ],
    ["UTF-16", Buffer.from(`\ufeff${EMPTY}`, "utf16le"), /is not UTF-8 text\. Save it as UTF-8/],
    [
      "bytes that are no text",
      Buffer.concat([Buffer.from(`${EMPTY}x: `), Buffer.from([0xff, 0xfe])]),
      /is not UTF-8/,
    ],
    ["a key twice", `${EMPTY}paths: {}\n`, /:4:1 .*duplicated mapping key/],
    ["a key twice in JSON", `${JSON_HEAD},"paths":{"/a":{}}}`, /:1:\d+ .*duplicated mapping key/, "a.json"],
    ["tabs", `${HEAD}paths:\n\t/a: {}\n`, /:4:1 .*tab characters/],
    [
      "a function",
      `${EMPTY}x: !!js/function 'function () { globalThis.__pwned = 1 }'\n`,
      /:4:\d+ .*unknown scalar tag/,
    ],
    ["a tag of its own", `${EMPTY}x: !evil {a: 1}\n`, /:4:\d+ .*unknown mapping tag/],
    ["bytes", `${EMPTY}x: !!binary aGVsbG8=\n`, /not a JSON value|tag/],
    ["a set", `${EMPTY}x: !!set {a, b}\n`, /not a JSON value|tag/],
    ["no number", withBody("{type: number, minimum: .nan}"), /:6:\d+ .*NaN is not a JSON number/],
    ["a number without end", `${JSON_HEAD},"x":1e400}`, /:1:\d+ .*Infinity is not a JSON number/, "a.json"],
    ["nothing", "", /:1:1 .*The document is empty/],
    ["a list", "- a\n", /:1:1 .*is not an object/],
    ["a version that is a number", "openapi: 3\ninfo: {}\n", /:1:1 .*version must be text/],
    ["Swagger 2.0", "swagger: '2.0'\n", /:1:1 .*Swagger 2\.0 is not supported\. Convert/],
    ["two documents", `${EMPTY}---\n${EMPTY}`, /single document/],
    [
      "null in place of everything",
      `${HEAD}paths: {/a: null, /b: {get: null}, /c: {get: []}}\n`,
      /:3:\d+ .*null/,
    ],
    ["lists as keys", `${EMPTY}? [1, 2]\n: 1\n`, /:\d+:\d+ .*complex keys/],
  ])("%s", { timeout: 20_000 }, async (_, text, message, name = "openapi.yaml") => {
    const found = await refusal(text, name);
    expect(found.join("\n")).toMatch(message);
    for (const line of found) {
      expect(line.length).toBeLessThan(3_000);
      // A file that is not text has no lines to name.
      if (!/is not UTF-8/.test(line)) expect(line).toMatch(/^(openapi\.yaml|a\.json):\d+:\d+ {2}error {2}/);
    }
    expect(readdirSync(folder).filter((entry) => !/^(openapi\.yaml|a\.json)$/.test(entry))).toEqual([]);
  });
});

describe("a document that is only unusual is generated from, soon", () => {
  test.each<[string, string, string?]>([
    ["a description of megabytes", withBody(`{type: string, description: "${"ab ".repeat(1_000_000)}"}`)],
    ["a key of a million characters", `${EMPTY}x-${"k".repeat(1_000_000)}: 1\n`],
    [
      "allOf in a circle",
      withBody(
        A,
        `components: {schemas: {A: {allOf: [{$ref: "#/components/schemas/B"}]}, B: {allOf: [${A}]}}}\n`,
      ),
    ],
    [
      "a chain of thousands of schemas",
      withBody(
        S0,
        chain(2000, (next) => `{properties: {a: ${next}}}`),
      ),
    ],
    [
      "oneOf in a circle",
      withBody(
        A,
        `components: {schemas: {A: {oneOf: [{$ref: "#/components/schemas/B"}, {type: string}]}, B: {anyOf: [${A}]}}}\n`,
      ),
    ],
    ["not itself", withBody(A, `components: {schemas: {A: {not: ${A}}}}\n`)],
    [
      "a discriminator that leads back",
      withBody(
        A,
        `components: {schemas: {A: {discriminator: {propertyName: k, mapping: {a: "#/components/schemas/A"}}, oneOf: [${A}, {type: string}]}}}\n`,
      ),
    ],
    [
      "each schema twice in the next, as properties",
      withBody(
        S0,
        chain(60, (next) => `{properties: {a: ${next}, b: ${next}}}`),
      ),
    ],
    [
      "each schema twice in the next, with allOf",
      withBody(
        S0,
        chain(
          60,
          (next) => `{allOf: [${next}, ${next}]}`,
          "{properties: {a: {type: string, readOnly: true}}}",
        ),
      ),
    ],
    [
      "each schema twice in the next, with a readOnly property that the last one requires",
      withBody(
        S0,
        chain(
          60,
          (next) => `{properties: {a: {type: string, readOnly: true}}, allOf: [${next}, ${next}]}`,
          "{type: object, required: [a]}",
        ),
      ),
    ],
    [
      "each schema twice in the next, with oneOf",
      withBody(
        S0,
        chain(
          60,
          (next) => `{oneOf: [${next}, ${next}]}`,
          "{properties: {a: {type: string, readOnly: true}}}",
        ),
      ),
    ],
    [
      "a parameter that is thirty times itself",
      withParameter("form", A, `components: {schemas: {A: {anyOf: [${fan(A)}, {type: string}]}}}\n`),
    ],
    [
      "a parameter of thirty properties like itself",
      withParameter(
        "deepObject",
        A,
        `components: {schemas: {A: {type: object, properties: {${lines(30, (i) => `p${i}: ${A}, `)}z: {}}}}}\n`,
      ),
    ],
    [
      "a pattern that takes years",
      withBody(`{type: string, pattern: "^(a+)+$", default: "${"a".repeat(60)}!"}`),
    ],
    [
      "a pattern of nested loops for a parameter",
      withParameter(
        "form",
        `{type: [string, integer], pattern: "^${"(".repeat(20)}[0-9]+${")+".repeat(20)}x$"}`,
      ),
    ],
    [
      "a pattern of a hundred loops for a parameter",
      withParameter("form", `{type: [string, integer], pattern: "^${"[0-9]*".repeat(100)}x$"}`),
    ],
    [
      "a pattern of 10,000 groups",
      withBody(`{type: string, pattern: "${"(".repeat(10_000)}a${")".repeat(10_000)}"}`),
    ],
    ["eighty levels of items", withBody(`${"{type: array, items: ".repeat(80)}{}${"}".repeat(80)}`)],
    ["20,000 values of an enum", withBody(`{type: string, enum: [${lines(20_000, (i) => `v${i}, `)}z]}`)],
    [
      "500 operations of 500 tags",
      `${HEAD}paths:\n${lines(500, (i) => `  /p${i}: {get: {tags: [t${i}], responses: {"200": {description: ok}}}}\n`)}`,
    ],
    ["a byte order mark", `\ufeff${EMPTY}`],
    ["a number that is less than nothing", withBody("{type: number, minimum: -0, enum: [-0, 1]}")],
    ["numbers in other notations", withBody("{type: number, enum: [0x10, 0o17, 1e3]}")],
  ])("%s", { timeout: 20_000 }, async (_, text, name = "openapi.yaml") => {
    expect(await refusal(text, name)).toEqual([]);
  });
});

test(
  "the command reports it once with its source line, and writes nothing",
  { timeout: 60_000 },
  async () => {
    const before = readdirSync(folder).sort();
    writeFileSync(path.join(folder, "openapi.yaml"), `${EMPTY}x-a: ${"[".repeat(100_000)}\n`);
    const args = ["--spec", "openapi.yaml", "--out", "out", "--adapters", "adapters"];
    const outcome = await command(folder, args, ["--max-old-space-size=300"]);
    expect(outcome).toMatchObject({ code: 2, stdout: "" });
    expect(outcome.stderr).toMatch(
      /^openapi\.yaml:4:\d+ {2}error {2}Nested deeper[^\n]*\n +4 \| [^\n]{100,200}\n +\| +\^\n$/,
    );
    expect(readdirSync(folder).sort()).toEqual([...new Set([...before, "openapi.yaml"])].sort());
  },
);
