import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, onTestFinished, test } from "vitest";
import { type Diagnostic, DiagnosticError } from "../../../scripts/diagnostic.js";
import { loadDocument } from "../../../scripts/load/load.js";
import { findCauses, type ValidationError } from "../../../scripts/load/structure/errors.js";
import { suggestName } from "../../../scripts/load/structure/suggest.js";

/** The problems of a document of 3.0 with these members besides the least. */
async function diagnose(members: object): Promise<Diagnostic[]> {
  const folder = await mkdtemp(path.join(tmpdir(), "load-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const document = { openapi: "3.0.3", info: { title: "a", version: "1" }, paths: {}, ...members };
  const file = path.join(folder, "openapi.json");
  await writeFile(file, JSON.stringify(document));
  return loadDocument(file).then(
    ({ warnings }) => warnings,
    (error: unknown) => {
      if (error instanceof DiagnosticError) return error.diagnostics;
      throw error;
    },
  );
}

/** `error` or `warning`, and the pointer, of each problem. */
async function problems(members: object): Promise<string[]> {
  const found = await diagnose(members);
  return found.map(({ severity, position }) => `${severity} ${position?.pointer}`);
}

function operation(members: object): object {
  return { paths: { "/a": { get: { responses: { "200": { description: "ok" } }, ...members } } } };
}
function schema(members: unknown): object {
  return { components: { schemas: { A: members } } };
}

describe("what breaks the structure of OpenAPI", () => {
  it.each<[string, object, string]>([
    ["an unknown property", { info: { title: "a", version: "1", logo: "b.png" } }, "/info/logo"],
    [
      "a style of another kind of parameter",
      operation({ parameters: [{ name: "a", in: "header", style: "form", schema: {} }] }),
      "/paths/~1a/get/parameters/0/style",
    ],
    [
      "alternatives that exclude each other",
      operation({
        parameters: [{ name: "a", in: "query", example: 1, examples: { b: { value: 2 } }, schema: {} }],
      }),
      "/paths/~1a/get/parameters/0",
    ],
    ["a version that is a number", { info: { title: "a", version: 1 } }, "/info/version"],
    ["a server", { servers: [{ url: "{a}", variables: { a: {} } }] }, "/servers/0/variables/a"],
    ["a server of an operation", operation({ servers: null }), "/paths/~1a/get/servers"],
    [
      "a security scheme",
      { components: { securitySchemes: { a: { type: "http" } } } },
      "/components/securitySchemes/a",
    ],
    ["a description without text", operation({ description: null }), "/paths/~1a/get/description"],
    [
      "a response without description",
      operation({ responses: { "200": {} } }),
      "/paths/~1a/get/responses/200",
    ],
    ["a list without items", operation({ parameters: null }), "/paths/~1a/get/parameters"],
    ["types of 3.1 in 3.0", schema({ type: ["string", "null"] }), "/components/schemas/A/type"],
    ["a boolean as a schema", schema(true), "/components/schemas/A"],
    [
      "a keyword of an earlier draft",
      { openapi: "3.1.0", ...schema({ $recursiveAnchor: true }) },
      "/components/schemas/A/$recursiveAnchor",
    ],
    [
      "a link",
      operation({ responses: { default: { description: "", links: { a: { parameters: 1 } } } } }),
      "/paths/~1a/get/responses/default/links/a/parameters",
    ],
    [
      "an example that is not there",
      operation({
        requestBody: { content: { "a/b": { examples: { e: { $ref: "#/components/examples/none" } } } } },
      }),
      "/paths/~1a/get/requestBody/content/a~1b/examples/e",
    ],
  ])("is a warning where the rest is clear: %s", async (_, members, pointer) => {
    expect(await problems(members)).toEqual([`warning ${pointer}`]);
  });

  it.each<[string, object, string]>([
    ["a type that is none", schema({ type: "file" }), "/components/schemas/A/type"],
    ["no type at all", schema({ type: [] }), "/components/schemas/A/type"],
    ["a property named type", schema({ properties: { type: [] } }), "/components/schemas/A/properties/type"],
    ["a server without a value", { servers: [null] }, "/servers/0"],
    [
      "a misspelled schema",
      operation({ parameters: [{ name: "a", in: "query", schemax: {} }] }),
      "/paths/~1a/get/parameters/0/schemax",
    ],
    [
      "a required property, said in the property",
      schema({ properties: { "x-a": { required: true } } }),
      "/components/schemas/A/properties/x-a/required",
    ],
    [
      "a property by the name of an extension, or of prose",
      schema({ properties: { servers: { type: "file" } } }),
      "/components/schemas/A/properties/servers/type",
    ],
    [
      "a parameter without a place",
      operation({ parameters: [{ name: "a", schema: {} }] }),
      "/paths/~1a/get/parameters/0",
    ],
    [
      "a parameter without schema",
      operation({ parameters: [{ name: "a", in: "query" }] }),
      "/paths/~1a/get/parameters/0",
    ],
    [
      "a reference to nowhere in the properties of an example, which is a schema",
      schema({ properties: { examples: { items: { $ref: "#/none" } } } }),
      "/components/schemas/A/properties/examples/items",
    ],
  ])("is an error where it is not: %s", async (_, members, pointer) => {
    expect(await problems(members)).toEqual([`error ${pointer}`]);
  });
});

it("the message about a component's name lists the characters that it can have", async () => {
  const found = await diagnose({ openapi: "3.1.0", components: { schemas: { "a b": {} } } });
  expect(found.map(({ message }) => message)).toEqual([
    'The name "a b" is not allowed here. Use letters, digits, `.`, `-` and `_`.',
  ]);
});

it("what looks like a reference in data is none", async () => {
  const data = { $ref: "#/nowhere" };
  const members = {
    ...schema({
      example: data,
      default: { a: data },
      enum: [data],
      properties: { example: { example: data } },
    }),
    "x-note": data,
    ...operation({
      requestBody: { content: { "a/b": { examples: { e: { value: data } } }, "a/c": { example: data } } },
    }),
  };
  expect(await problems(members)).toEqual([]);
});

it("a name that looks escaped is escaped in the JSON pointer", async () => {
  const members = schema({ properties: { "~1/": { type: "file" } } });
  expect(await problems(members)).toEqual(["error /components/schemas/A/properties/~01~1/type"]);
});

test.each([
  ["contnt", ["context", "content"], "content"],
  ["Content", ["content"], "content"],
  ["abcd", ["abxy"], "abxy"],
  ["abcd", ["axyz"], undefined],
  ["in", ["integer"], undefined],
  ["integer", ["in"], undefined],
])("in place of %j among %j is suggested: %j", (mistyped, names, expected) => {
  expect(suggestName(mistyped, names)).toBe(expected);
});

test("of alternatives that each lack one property, the one whose own properties are there is meant", () => {
  const lacks = (instancePath: string, missingProperty: string): ValidationError => ({
    instancePath,
    keyword: "required",
    params: { missingProperty },
  });
  const inside = lacks("/a/b", "x");
  const union = (...branches: ValidationError[][]): ValidationError => ({
    instancePath: "/a",
    keyword: "oneOf",
    params: {},
    branches,
  });
  expect(findCauses([union([lacks("/a", "y")], [inside])])).toEqual([inside]);
  const neither = union([lacks("/a", "y")], [lacks("/a", "z")]);
  expect(findCauses([neither])).toEqual([neither]);
});
