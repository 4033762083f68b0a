import path from "node:path";
import { expect, it } from "vitest";
import { slowPattern } from "../../../../scripts/load/checks/slow-pattern.js";
import { loadDocument } from "../../../../scripts/load/load.js";
import { SourceText } from "../../../../scripts/load/text/source-text.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import { createFolder, EMPTY } from "../documents.js";

const listWarnings = async (schemas: string): Promise<string[]> => {
  const folder = await createFolder({ "openapi.yaml": `${EMPTY}components:\n  schemas:\n${schemas}` });
  const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
  return warnings.map(({ position, message }) => `${position?.line}:${position?.col} ${message}`);
};

const listLimitWarnings = async (schemas: string): Promise<string[]> =>
  (await listWarnings(schemas)).filter((warning) => warning.includes("Correct one of them."));

it("warns about limits that contradict each other", async () => {
  const schemas = `
    Number: {type: integer, minimum: 2, maximum: 1}
    Text: {type: string, minLength: 2, maxLength: 1}
    List: {type: array, items: {}, minItems: 2, maxItems: 1}
    Contains: {type: array, contains: {}, minContains: 2, maxContains: 1}
    Object: {type: object, minProperties: 2, maxProperties: 1}
    Equal: {type: integer, minimum: 2, maximum: 2}
    Named: {properties: {minimum: {}, maximum: {}}, example: {minimum: 2, maximum: 1}}
`;
  const describe = (lower: string, upper: string): string =>
    `\`${lower}\` is greater than \`${upper}\`. Correct one of them.`;
  expect(await listLimitWarnings(schemas)).toEqual([
    `7:29 ${describe("minimum", "maximum")}`,
    `8:26 ${describe("minLength", "maxLength")}`,
    `9:36 ${describe("minItems", "maxItems")}`,
    `10:43 ${describe("minContains", "maxContains")}`,
    `11:28 ${describe("minProperties", "maxProperties")}`,
  ]);
});

it("warns about exclusive limits that leave no number", async () => {
  const schemas = `
    A: {type: number, exclusiveMinimum: 2, maximum: 1}
    B: {type: number, exclusiveMinimum: 2, maximum: 2}
    C: {type: number, minimum: 2, exclusiveMaximum: 1}
    D: {type: number, minimum: 2, exclusiveMaximum: 2}
    E: {type: number, exclusiveMinimum: 2, exclusiveMaximum: 2}
    Possible: {type: number, exclusiveMinimum: 1, minimum: 1, maximum: 2}
    Flag: {type: number, minimum: 2, exclusiveMinimum: false, maximum: 2}
`;
  expect(await listLimitWarnings(schemas)).toEqual([
    "7:23 `exclusiveMinimum` is greater than `maximum`. Correct one of them.",
    "8:23 `exclusiveMinimum` is equal to `maximum`. Correct one of them.",
    "9:23 `minimum` is greater than `exclusiveMaximum`. Correct one of them.",
    "10:23 `minimum` is equal to `exclusiveMaximum`. Correct one of them.",
    "11:23 `exclusiveMinimum` is equal to `exclusiveMaximum`. Correct one of them.",
  ]);
});

it("warns about formats that are misspelt, but not about formats of the author's own", async () => {
  const schemas = ["DateTime", "UUID", "e-mail"].map(
    (format, index) => `    A${index}: {format: ${format}}\n`,
  );
  const own = ["phone", "url", "dates", "time", "uint64"].map(
    (format, index) => `    B${index}: {format: ${format}}\n`,
  );
  const describe = (format: string, known: string): string =>
    `The format "${format}" is unknown and has no effect. Did you mean \`${known}\`?`;
  expect(await listWarnings([...schemas, ...own, "    C: {example: {format: datetime}}"].join(""))).toEqual([
    `6:10 ${describe("DateTime", "date-time")}`,
    `7:10 ${describe("UUID", "uuid")}`,
    `8:10 ${describe("e-mail", "email")}`,
  ]);
});

it("warns about patterns between slashes", async () => {
  const patterns = ["/^a$/", "/^a+/i", "a$/gi", "^/a/$", "/a/", "^\\$/"];
  const schemas = patterns.map((pattern, index) => `    A${index}: {pattern: '${pattern}'}\n`);
  const warning = "No text matches this pattern. Remove the slashes around it, and the flags after them.";
  expect(await listWarnings(schemas.join(""))).toEqual([6, 7, 8].map((line) => `${line}:10 ${warning}`));
});

it("examines patterns in linear time", async () => {
  const patterns = ["(", "[", "\\p{", "(a+)+", "(?<a", "x{1"].map((piece) => piece.repeat(100_000));
  await expectCpuTimeBelow(2000, () => {
    for (const pattern of patterns) slowPattern({ pattern }, "", new SourceText("", ""));
  });
});

it("warns about patterns that take exponential time", async () => {
  const slow = [
    "^(a+)+$",
    "^(?:a*)*$",
    "^[a-z]+(-?[a-z]+)*$",
    "^(\\w+\\s?)+$",
    "^(?<n>\\p{L}+|\\d)+?$",
    "^((ab){2,})*$",
    "^((a+)b?){1,}$",
    `^${"(".repeat(10)}a+${")".repeat(10)}+$`,
    "^((?!b)[^)]+)+$",
  ];
  const fast = [
    // Each repetition of the group has a character that the inner repetition does not match.
    "^[a-z0-9]+(-[a-z0-9]+)*$",
    "^(a+b)+$",
    "^([a-z]+\\.)+[a-z]+$",
    // Nothing that follows can fail.
    "^(a+)+",
    "^(a+)?(b+){3}(c{4})*(\\(d+\\))+[(e+)+]$",
    "^(a+)(b+)(?=c+)c*$",
    // Nested too deeply to examine.
    `^${"(".repeat(11)}a+${")".repeat(11)}+$`,
  ];
  const schemas = [...slow, ...fast].map((pattern, index) => `    A${index}: {pattern: '${pattern}'}\n`);
  const limited = ["maxLength: 16, pattern: '^(a+)+$'", "maxLength: 17, pattern: '^(a+)+$'"];
  const message =
    "Some short texts take minutes to match this pattern, because it repeats a group that matches the same text in several ways, as in (a+)+ or (\\w|\\d)+. Remove a repetition or an alternative.";
  expect(await listWarnings(schemas.join(""))).toEqual(slow.map((_, index) => `${6 + index}:10 ${message}`));
  expect(await listWarnings(limited.map((each, index) => `    A${index}: {${each}}\n`).join(""))).toEqual([
    `7:25 ${message}`,
  ]);
});

it("warns about patterns that repeat alternatives with the same character", async () => {
  const slow = ["^(\\w|\\d)+$", "^(?:[a-z]|[a-z0-9]|-)*$", "^(.|_)+$", "^(a|a)*b$", "^([^,]|\\s){2,}$"];
  const fast = [
    "^(\\w|-)+$",
    "^(a|ab)*c$",
    "^((ab)|(cd))+$",
    "^([a-z]|[0-9])*$",
    // Every text matches, so the alternatives are never tried in turn.
    "^(.|\\s)*$",
    "^(.|\\n)*$",
    "^(\\w|\\d)$",
    "^[(\\w|\\d)+]$",
    "^\\((\\w|\\d)\\)+$",
    "(\\w|\\d)+",
  ];
  const schemas = [...slow, ...fast].map((pattern, index) => `    A${index}: {pattern: '${pattern}'}\n`);
  const message =
    "Some short texts take minutes to match this pattern, because it repeats a group that matches the same text in several ways, as in (a+)+ or (\\w|\\d)+. Remove a repetition or an alternative.";
  expect(await listWarnings(schemas.join(""))).toEqual(slow.map((_, index) => `${6 + index}:10 ${message}`));
});

it.each(["3.0.3", "3.1.0", "3.2.0"])("removes lists without entries in OpenAPI %s", async (openapi) => {
  const lists = { allOf: [], anyOf: [], enum: [], oneOf: [], prefixItems: [] };
  const schemas = { A: { type: "string", ...lists }, B: { example: lists } };
  const document = { openapi, info: { title: "a", version: "1" }, paths: {}, components: { schemas } };
  const folder = await createFolder({ "openapi.json": JSON.stringify(document) });
  const loaded = await loadDocument(path.join(folder, "openapi.json"));
  expect(loaded.warnings.map(({ position, message }) => `${position?.pointer} ${message}`).sort()).toEqual(
    Object.keys(lists).map(
      (name) => `/components/schemas/A/${name} \`${name}\` must not be empty. Add an entry or remove it.`,
    ),
  );
  expect(loaded.document["components"]).toEqual({
    schemas: { A: { type: "string" }, B: { example: lists } },
  });
});

it("moves `required: true` of a property to the object", async () => {
  const properties = {
    a: { type: "string", required: true },
    "b/c": { $ref: "#/components/schemas/B", required: true },
    d: { type: "string", required: false },
    required: { type: "boolean" },
  };
  const schemas = { A: { required: ["a"], properties }, B: { properties: { e: { required: true } } } };
  const folder = await createFolder({
    "openapi.json": JSON.stringify({
      openapi: "3.0.3",
      info: { title: "a", version: "1" },
      paths: {},
      components: { schemas },
    }),
  });
  const { document, warnings } = await loadDocument(path.join(folder, "openapi.json"));
  expect(warnings.map(({ position }) => position?.pointer.replace("/components/schemas/", ""))).toEqual([
    "A/properties/a/required",
    "A/properties/b~1c/required",
    "A/properties/d/required",
    "B/properties/e/required",
  ]);
  expect(document["components"]).toEqual({
    schemas: {
      A: {
        required: ["a", "b/c"],
        properties: {
          a: { type: "string" },
          "b/c": { $ref: "#/components/schemas/B" },
          d: { type: "string" },
          required: { type: "boolean" },
        },
      },
      B: { required: ["e"], properties: { e: {} } },
    },
  });
});

it("warns about a schema with several YAML aliases once", async () => {
  const schemas = "    A: &a {format: datetime}\n    B: {properties: {a: *a, b: *a}}\n";
  expect(await listWarnings(schemas)).toEqual([expect.stringMatching(/^6:12 The format "datetime"/)]);
});

it("takes the examples of a file that is a schema for data", async () => {
  const folder = await createFolder({
    "openapi.yaml": `${EMPTY}components: {schemas: {A: {$ref: a.yaml}}}\n`,
    "a.yaml": "examples: [{schema: {format: datetime}}]\nformat: uuid4\n",
  });
  const { warnings } = await loadDocument(path.join(folder, "openapi.yaml"));
  expect(warnings.filter(({ message }) => message.includes("datetime"))).toEqual([]);
});
