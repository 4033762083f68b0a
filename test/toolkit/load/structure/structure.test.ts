import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { loadDocument } from "../../../../scripts/load/load.js";
import { findCauses } from "../../../../scripts/load/structure/validation-errors.js";
import type { ValidationError } from "../../../../src/http/types.js";
import { createFolder, EMPTY, HEAD, listDiagnostics } from "../documents.js";
import { locateDiagnostics, withOperation, withSchema } from "./diagnose.js";

describe("a violation of the structure of OpenAPI", () => {
  it("is not reported below a key of `content` that is not a media type, which the model reports", async () => {
    const locateBodyDiagnostics = (content: object): Promise<string[]> =>
      locateDiagnostics({ openapi: "3.1.0", ...withOperation({ requestBody: { content } }) });
    expect(await locateBodyDiagnostics({ schema: { type: "string" } })).toEqual([]);
    expect(await locateBodyDiagnostics({ "a/b": { type: "string" } })).toEqual([
      "warning /paths/~1a/get/requestBody/content/a~1b/type",
    ]);
    expect(await locateDiagnostics(withSchema({ properties: { content: { items: { a: "" } } } }))).toEqual([
      "warning /components/schemas/A/properties/content/items/a",
    ]);
  });

  it("is not reported for missing responses, which the model reports, but for their misspelt name", async () => {
    expect(await locateDiagnostics({ paths: { "/a": { get: {} } } })).toEqual([]);
    expect(await locateDiagnostics({ paths: { "/a": { get: { response: {} } } } })).toEqual([
      "warning /paths/~1a/get/response",
    ]);
  });

  it.each<[string, object, string]>([
    ["an unknown property", { info: { title: "a", version: "1", logo: "b.png" } }, "/info/logo"],
    [
      "a style of another parameter location",
      withOperation({ parameters: [{ name: "a", in: "header", style: "form", schema: {} }] }),
      "/paths/~1a/get/parameters/0/style",
    ],
    [
      "the style of a path parameter in a query",
      withOperation({ parameters: [{ name: "a", in: "query", style: "label", schema: {} }] }),
      "/paths/~1a/get/parameters/0/style",
    ],
    [
      "mutually exclusive members",
      withOperation({
        parameters: [{ name: "a", in: "query", example: 1, examples: { b: { value: 2 } }, schema: {} }],
      }),
      "/paths/~1a/get/parameters/0",
    ],
    ["a version that is a number", { info: { title: "a", version: 1 } }, "/info/version"],
    ["a server", { servers: [{ url: "{a}", variables: { a: {} } }] }, "/servers/0/variables/a"],
    ["an invalid server of an operation", withOperation({ servers: null }), "/paths/~1a/get/servers"],
    [
      "a security scheme",
      { components: { securitySchemes: { a: { type: "http" } } } },
      "/components/securitySchemes/a",
    ],
    ["a description without text", withOperation({ description: null }), "/paths/~1a/get/description"],
    [
      "a response without description",
      withOperation({ responses: { "200": {} } }),
      "/paths/~1a/get/responses/200",
    ],
    ["a list without items", withOperation({ parameters: null }), "/paths/~1a/get/parameters"],
    ["types of 3.1 in 3.0", withSchema({ type: ["string", "null"] }), "/components/schemas/A/type"],
    ["the type null of 3.1 in 3.0", withSchema({ type: "null" }), "/components/schemas/A/type"],
    ["a boolean as a schema", withSchema(true), "/components/schemas/A"],
    [
      "a keyword of an earlier draft",
      { openapi: "3.1.0", ...withSchema({ $recursiveAnchor: true }) },
      "/components/schemas/A/$recursiveAnchor",
    ],
    [
      "an exclusive bound of 3.0 in 3.1",
      { openapi: "3.1.0", ...withSchema({ minimum: 1, exclusiveMinimum: true }) },
      "/components/schemas/A/exclusiveMinimum",
    ],
    [
      "a link",
      withOperation({ responses: { default: { description: "", links: { a: { parameters: 1 } } } } }),
      "/paths/~1a/get/responses/default/links/a/parameters",
    ],
    [
      "a missing example",
      withOperation({
        requestBody: { content: { "a/b": { examples: { e: { $ref: "#/components/examples/none" } } } } },
      }),
      "/paths/~1a/get/requestBody/content/a~1b/examples/e/$ref",
    ],
    ["a description that is a number", withOperation({ description: 5 }), "/paths/~1a/get/description"],
    ["a contact without a value", { info: { title: "a", version: "1", contact: null } }, "/info/contact"],
    ["components without a value", { components: null }, "/components"],
    [
      "components without a value, to which only an example refers",
      {
        components: null,
        ...withOperation({
          requestBody: { content: { "a/b": { examples: { e: { $ref: "#/components/examples/none" } } } } },
        }),
      },
      "/components",
    ],
    ["schemas without a value", { components: { schemas: null } }, "/components/schemas"],
    [
      "path items without a value",
      { openapi: "3.1.0", components: { pathItems: null } },
      "/components/pathItems",
    ],
    [
      "security schemes without a value",
      { components: { securitySchemes: null } },
      "/components/securitySchemes",
    ],
    [
      "a property without a value",
      withSchema({ properties: { pattern: null } }),
      "/components/schemas/A/properties/pattern",
    ],
    ["a path without a value", { paths: { "/a": null } }, "/paths/~1a"],
    ["a schema without a value", withSchema(null), "/components/schemas/A"],
    [
      "an operation of a callback without responses",
      withOperation({ callbacks: { c: { "{$url}": { post: {} } } } }),
      "/paths/~1a/get/callbacks/c/{$url}/post",
    ],
    ["properties without a value", withSchema({ properties: null }), "/components/schemas/A/properties"],
    ["`required` without a value", withSchema({ required: null }), "/components/schemas/A/required"],
    ...[true, false].map((required): [string, object, string] => [
      `\`required: ${required}\` in a property`,
      withSchema({ properties: { "x-a": { required } } }),
      "/components/schemas/A/properties/x-a/required",
    ]),
    ["a format that is a number", withSchema({ format: 1 }), "/components/schemas/A/format"],
    ["a pattern that is a number", withSchema({ pattern: 0 }), "/components/schemas/A/pattern"],
    [
      "dependencies of an earlier draft",
      { openapi: "3.1.0", ...withSchema({ dependencies: { a: 1 } }) },
      "/components/schemas/A/dependencies/a",
    ],
    ["xml that is text", withSchema({ xml: "a" }), "/components/schemas/A/xml"],
    ["documentation without a URL", withSchema({ externalDocs: {} }), "/components/schemas/A/externalDocs"],
    ["a bound of 3.1 in 3.0", withSchema({ exclusiveMinimum: 0 }), "/components/schemas/A/exclusiveMinimum"],
    [
      "an empty composition",
      { openapi: "3.1.0", ...withSchema({ allOf: [] }) },
      "/components/schemas/A/allOf",
    ],
    ["an empty list of items", withSchema({ type: "array", items: [] }), "/components/schemas/A/items"],
    ["paths that are an empty list", { paths: [] }, "/paths"],
    ["webhooks that are an empty list", { openapi: "3.1.0", webhooks: [] }, "/webhooks"],
    ["components that are an empty list", { components: [] }, "/components"],
    ["schemas that are an empty list", { components: { schemas: [] } }, "/components/schemas"],
    ["properties that are an empty list", withSchema({ properties: [] }), "/components/schemas/A/properties"],
    ["a schema that is an empty list", withSchema([]), "/components/schemas/A"],
    [
      "additional properties that are an empty list",
      withSchema({ additionalProperties: [] }),
      "/components/schemas/A/additionalProperties",
    ],
    [
      "patterns of properties that are an empty list",
      { openapi: "3.1.0", ...withSchema({ patternProperties: [] }) },
      "/components/schemas/A/patternProperties",
    ],
    [
      "a mapping that is an empty list",
      withSchema({ discriminator: { propertyName: "a", mapping: [] } }),
      "/components/schemas/A/discriminator/mapping",
    ],
    ["callbacks that are an empty list", withOperation({ callbacks: [] }), "/paths/~1a/get/callbacks"],
    [
      "a callback that is an empty list",
      withOperation({ callbacks: { c: [] } }),
      "/paths/~1a/get/callbacks/c",
    ],
    ...["headers", "links", "content"].map((member): [string, object, string] => [
      `${member} that are an empty list`,
      withOperation({ responses: { 200: { description: "", [member]: [] } } }),
      `/paths/~1a/get/responses/200/${member}`,
    ]),
    ...[[], null].map((value): [string, object, string] => [
      `a media type that is ${JSON.stringify(value)}`,
      withOperation({ requestBody: { content: { "a/b": value } } }),
      "/paths/~1a/get/requestBody/content/a~1b",
    ]),
    [
      "an encoding that is an empty list",
      withOperation({ requestBody: { content: { "a/b": { encoding: [] } } } }),
      "/paths/~1a/get/requestBody/content/a~1b/encoding",
    ],
    [
      "a security scheme of an unknown type",
      { components: { securitySchemes: { a: { type: "basic" } } } },
      "/components/securitySchemes/a/type",
    ],
    [
      "a header without a schema",
      withOperation({ responses: { 200: { description: "", headers: { "X-A": { description: "a" } } } } }),
      "/paths/~1a/get/responses/200/headers/X-A",
    ],
    [
      "a deprecated header without a schema",
      withOperation({ responses: { 200: { description: "", headers: { "X-A": { deprecated: true } } } } }),
      "/paths/~1a/get/responses/200/headers/X-A",
    ],
    [
      "a request body without content",
      withOperation({ requestBody: { description: "a" } }),
      "/paths/~1a/get/requestBody",
    ],
    [
      "an example that is text",
      withOperation({ requestBody: { content: { "a/b": { examples: { e: "a" } } } } }),
      "/paths/~1a/get/requestBody/content/a~1b/examples/e",
    ],
    [
      "an example that is an empty list",
      withOperation({ requestBody: { content: { "a/b": { examples: { e: [] } } } } }),
      "/paths/~1a/get/requestBody/content/a~1b/examples/e",
    ],
    [
      "a schema of a media type without a value",
      withOperation({ requestBody: { content: { "a/b": { schema: null } } } }),
      "/paths/~1a/get/requestBody/content/a~1b/schema",
    ],
    [
      "a discriminator value without a schema",
      withSchema({ discriminator: { propertyName: "a", mapping: { b: "#/components/schemas/B" } } }),
      "/components/schemas/A/discriminator/mapping/b",
    ],
  ])("is a warning if the meaning is clear: %s", async (_, members, pointer) => {
    expect(await locateDiagnostics(members)).toEqual([`warning ${pointer}`]);
  });

  it.each<[string, object, string]>([
    ["an unknown type", withSchema({ type: "file" }), "/components/schemas/A/type"],
    ["an operation that is an empty list", { paths: { "/a": { get: [] } } }, "/paths/~1a/get"],
    ["a `not` that is an empty list", withSchema({ not: [] }), "/components/schemas/A/not"],
    ["an empty list of types", withSchema({ type: [] }), "/components/schemas/A/type"],
    ["an empty object in place of a list", withSchema({ required: {} }), "/components/schemas/A/required"],
    [
      "a reference in place of a list",
      withSchema({ allOf: { $ref: "#/components/schemas/A/not" }, not: {} }),
      "/components/schemas/A/allOf",
    ],
    [
      "a property named type",
      withSchema({ properties: { type: [{}] } }),
      "/components/schemas/A/properties/type",
    ],
    ["a server without a value", { servers: [null] }, "/servers/0"],
    [
      "a misspelled schema",
      withOperation({ parameters: [{ name: "a", in: "query", schemax: {} }] }),
      "/paths/~1a/get/parameters/0/schemax",
    ],
    [
      "`required` of a schema that is called links",
      withSchema({ properties: { links: { items: { required: true } } } }),
      "/components/schemas/A/properties/links/items/required",
    ],
    [
      "a property named like an extension or a description",
      withSchema({ properties: { servers: { type: "file" } } }),
      "/components/schemas/A/properties/servers/type",
    ],
    [
      "a list of types as a property named type",
      withSchema({ properties: { type: ["string"] } }),
      "/components/schemas/A/properties/type",
    ],
    ["the tags of an operation that are not a list", withOperation({ tags: 5 }), "/paths/~1a/get/tags"],
    [
      "a parameter without a location",
      withOperation({ parameters: [{ name: "a", schema: {} }] }),
      "/paths/~1a/get/parameters/0",
    ],
    [
      "a parameter without schema",
      withOperation({ parameters: [{ name: "a", in: "query" }] }),
      "/paths/~1a/get/parameters/0",
    ],
    ["a response without a value", { components: { responses: { A: null } } }, "/components/responses/A"],
    ["an operation without a value", { paths: { "/a": { get: null } } }, "/paths/~1a/get"],
    [
      "parameters that are an object with numbers as keys",
      withOperation({ parameters: { 0: { name: "a", in: "query", schema: {} } } }),
      "/paths/~1a/get/parameters",
    ],
    ["an entry of a list without a value", withSchema({ allOf: [null] }), "/components/schemas/A/allOf/0"],
    [
      "a header with a misspelled schema",
      withOperation({ responses: { 200: { description: "", headers: { "X-A": { schemax: {} } } } } }),
      "/paths/~1a/get/responses/200/headers/X-A/schemax",
    ],
    [
      "an unresolved reference in the properties of a schema named example",
      withSchema({ properties: { examples: { items: { $ref: "#/none" } } } }),
      "/components/schemas/A/properties/examples/items/$ref",
    ],
  ])("is an error otherwise: %s", async (_, members, pointer) => {
    expect(await locateDiagnostics(members)).toEqual([`error ${pointer}`]);
  });
});

it("generates code as if members that are ignored were missing or empty, and reports them all", async () => {
  const schemas = {
    A: { type: "object", required: null, properties: null, allOf: [], description: 5 },
    B: { type: "string", pattern: 0, format: 1 },
    C: { type: "object", properties: { pattern: { type: "integer" }, required: { allOf: [{ anyOf: [] }] } } },
    D: null,
  };
  const document = {
    openapi: "3.1.0",
    info: { title: "a", version: "1", license: null },
    paths: { "/a": null },
    components: { schemas },
  };
  const folder = await createFolder({ "openapi.json": JSON.stringify(document) });
  const loaded = await loadDocument(path.join(folder, "openapi.json"));
  expect(
    loaded.warnings.map(({ position }) => position?.pointer.replace("/components/schemas/", "")).sort(),
  ).toEqual([
    "/info/license",
    "/paths/~1a",
    "A/allOf",
    "A/description",
    "A/properties",
    "A/required",
    "B/format",
    "B/pattern",
    "C/properties/required/allOf/0/anyOf",
    "D",
  ]);
  expect(loaded.document["info"]).toEqual({ title: "a", version: "1" });
  expect(loaded.document["paths"]).toEqual({ "/a": {} });
  expect(loaded.document["components"]).toEqual({
    schemas: {
      A: { type: "object" },
      B: { type: "string" },
      C: { type: "object", properties: { pattern: { type: "integer" }, required: { allOf: [{}] } } },
      D: {},
    },
  });
});

it("reads empty lists as empty objects", async () => {
  const schemas = {
    A: [],
    B: { properties: [], additionalProperties: [] },
    C: { properties: { items: [] } },
  };
  const content = { "a/b": [], "a/c": { schema: [], encoding: [], examples: [] } };
  const responses = { 200: { description: "", headers: [], content } };
  const folder = await createFolder({
    "paths.json": JSON.stringify({ openapi: "3.0.3", info: { title: "a", version: "1" }, paths: [] }),
    "openapi.json": JSON.stringify({
      openapi: "3.0.3",
      info: { title: "a", version: "1" },
      paths: { "/a": { get: { responses } }, "/b": [] },
      components: { schemas },
    }),
  });
  const { document } = await loadDocument(path.join(folder, "openapi.json"));
  expect(document).toMatchObject({
    paths: {
      "/a": { get: { responses: { 200: { description: "", content: { "a/b": {}, "a/c": {} } } } } },
      "/b": {},
    },
    components: { schemas: { A: {}, B: { additionalProperties: {} }, C: { properties: { items: {} } } } },
  });
  expect(JSON.stringify(document)).not.toContain("[]");
  expect((await loadDocument(path.join(folder, "paths.json"))).document["paths"]).toEqual({});
});

it("reads numbers and Booleans in quotes, and lists of texts that PHP writes as objects, as what they stand for", async () => {
  const parameter = { name: "q", in: "query", required: "true", schema: { type: "string" } };
  const B = {
    type: "object",
    required: { 0: "a", 2: "b" },
    properties: {
      a: { type: "integer", minimum: "-1", maximum: "-2.5", nullable: "false" },
      b: { type: "string", maxLength: "3", readOnly: "true", deprecated: "true", enum: { 1: "x" } },
    },
  };
  const members = {
    ...withOperation({ parameters: [parameter], deprecated: "true", tags: { 1: "t" } }),
    components: { schemas: { B } },
  };
  const folder = await createFolder({
    "openapi.json": JSON.stringify({ openapi: "3.0.3", info: { title: "a", version: "1" }, ...members }),
  });
  const { document, warnings } = await loadDocument(path.join(folder, "openapi.json"));
  expect(document).toMatchObject({
    paths: {
      "/a": { get: { deprecated: true, tags: ["t"], parameters: [{ ...parameter, required: true }] } },
    },
    components: {
      schemas: {
        B: {
          required: ["a", "b"],
          properties: {
            a: { minimum: -1, maximum: -2.5, nullable: false },
            b: { maxLength: 3, readOnly: true, deprecated: true, enum: ["x"] },
          },
        },
      },
    },
  });
  expect(warnings).toHaveLength(11);
});

it("reports only the missing location of a parameter, which decides about its style", async () => {
  const parameters = [{ name: "a", style: "form", schema: {} }];
  for (const openapi of ["3.0.3", "3.1.0", "3.2.0"])
    expect(await locateDiagnostics({ openapi, ...withOperation({ parameters }) })).toEqual([
      "error /paths/~1a/get/parameters/0",
    ]);
});

it("ignores `$ref` in data", async () => {
  const data = { $ref: "#/nowhere" };
  const members = {
    ...withSchema({
      example: data,
      default: { a: data },
      enum: [data],
      properties: { example: { example: data }, headers: { example: data } },
    }),
    "x-note": data,
    ...withOperation({
      requestBody: { content: { "a/b": { examples: { e: { value: data } } }, "a/c": { example: data } } },
    }),
  };
  expect(await locateDiagnostics(members)).toEqual([]);
});

it("escapes a name that looks like an escape sequence in the JSON pointer", async () => {
  const members = withSchema({ properties: { "~1/": { type: "file" } } });
  expect(await locateDiagnostics(members)).toEqual(["error /components/schemas/A/properties/~01~1/type"]);
});

test("reports the alternative whose properties are present if each lacks one property", () => {
  const lacks = (instancePath: string, missingProperty: string): ValidationError => ({
    instancePath,
    keyword: "required",
    params: { missingProperty },
  });
  const inside = [lacks("/a/b", "x"), lacks("/a/b", "y")];
  const deeper = [lacks("/a/b/c", "x"), lacks("/a/b/c", "y")];
  const union = (...branches: ValidationError[][]): ValidationError => ({
    instancePath: "/a",
    keyword: "oneOf",
    params: {},
    branches,
  });
  expect(findCauses([union([lacks("/a", "y")], inside)])).toEqual(inside);
  expect(findCauses([union(inside, deeper)])).toEqual(deeper);
  const text: ValidationError = { instancePath: "/a", keyword: "type", params: { type: "string" } };
  const two = [lacks("/a", "y"), lacks("/a", "z")];
  expect(findCauses([union([text], two)])).toEqual(two);
  const neither = union([lacks("/a", "y")], [lacks("/a", "z")]);
  expect(findCauses([neither])).toEqual([neither]);
});

it("reports a missing property at the key of the object", async () => {
  expect(await listDiagnostics(`${EMPTY}components: {parameters: {A: {name: a, schema: {}}}}\n`)).toEqual([
    "4:27 The property `in` is missing here. Add it.",
  ]);
});

it("reports one error for a misspelled required property, and one for a schema that matches no alternative", async () => {
  const operation = "{responses: {default: {description: ok}}, requestBody: {contnt: {}}}";
  const schemas = '{A: {type: strin}, B: {items: {allOf: [{properties: {a: {maximum: "1"}}}]}}}';
  expect(
    await listDiagnostics(`${HEAD}paths: {/a: {post: ${operation}}}\ncomponents: {schemas: ${schemas}}\n`),
  ).toEqual([
    "3:76 Property `contnt` is not expected here. Did you mean `content`?",
    '4:34 `type` must be one of `array`, `boolean`, `integer`, `number`, `object`, `string`, not "strin". Did you mean `string`?',
    '4:89 `maximum` must be a number, not "1". Write it without quotes.',
  ]);
});
