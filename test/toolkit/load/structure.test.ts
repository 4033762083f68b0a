import path from "node:path";
import { describe, expect, it, test } from "vitest";
import { type Diagnostic, DiagnosticError } from "../../../scripts/diagnostic.js";
import { loadDocument } from "../../../scripts/load/load.js";
import { findCauses, type ValidationError } from "../../../scripts/load/structure/validation-errors.js";
import { suggestName } from "../../../scripts/text.js";
import { createFolder, EMPTY, HEAD, listDiagnostics } from "./documents.js";

/** Returns the problems of a minimal 3.0 document with additional members. */
async function diagnose(members: object): Promise<Diagnostic[]> {
  const document = { openapi: "3.0.3", info: { title: "a", version: "1" }, paths: {}, ...members };
  const folder = await createFolder({ "openapi.json": JSON.stringify(document) });
  return loadDocument(path.join(folder, "openapi.json")).then(
    ({ warnings }) => warnings,
    (error: unknown) => {
      if (error instanceof DiagnosticError) return error.diagnostics;
      throw error;
    },
  );
}

/** Lists each problem as `error` or `warning` and its pointer. */
async function listProblems(members: object): Promise<string[]> {
  const found = await diagnose(members);
  return found.map(({ severity, position }) => `${severity} ${position?.pointer}`);
}

function withOperation(members: object): object {
  return { paths: { "/a": { get: { responses: { "200": { description: "ok" } }, ...members } } } };
}
function withSchema(members: unknown): object {
  return { components: { schemas: { A: members } } };
}

describe("a violation of the structure of OpenAPI", () => {
  it("is not reported below a key of `content` that is not a media type, which the model reports", async () => {
    const listBodyProblems = (content: object): Promise<string[]> =>
      listProblems({ openapi: "3.1.0", ...withOperation({ requestBody: { content } }) });
    expect(await listBodyProblems({ schema: { type: "string" } })).toEqual([]);
    expect(await listBodyProblems({ "a/b": { type: "string" } })).toEqual([
      "warning /paths/~1a/get/requestBody/content/a~1b/type",
    ]);
    expect(await listProblems(withSchema({ properties: { content: { items: { a: "" } } } }))).toEqual([
      "warning /components/schemas/A/properties/content/items/a",
    ]);
  });

  it("is not reported for missing responses, which the model reports, but for their misspelt name", async () => {
    expect(await listProblems({ paths: { "/a": { get: {} } } })).toEqual([]);
    expect(await listProblems({ paths: { "/a": { get: { response: {} } } } })).toEqual([
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
    ["a format that is a number", withSchema({ format: 1 }), "/components/schemas/A/format"],
    ["a pattern that is a number", withSchema({ pattern: 0 }), "/components/schemas/A/pattern"],
    ["xml that is text", withSchema({ xml: "a" }), "/components/schemas/A/xml"],
    ["documentation without a URL", withSchema({ externalDocs: {} }), "/components/schemas/A/externalDocs"],
    ["a bound of 3.1 in 3.0", withSchema({ exclusiveMinimum: 0 }), "/components/schemas/A/exclusiveMinimum"],
    [
      "an empty composition",
      { openapi: "3.1.0", ...withSchema({ allOf: [] }) },
      "/components/schemas/A/allOf",
    ],
    ["an empty list of items", withSchema({ type: "array", items: [] }), "/components/schemas/A/items"],
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
    expect(await listProblems(members)).toEqual([`warning ${pointer}`]);
  });

  it.each<[string, object, string]>([
    ["an unknown type", withSchema({ type: "file" }), "/components/schemas/A/type"],
    ["an empty list of types", withSchema({ type: [] }), "/components/schemas/A/type"],
    [
      "a reference in place of a list",
      withSchema({ allOf: { $ref: "#/components/schemas/A/not" }, not: {} }),
      "/components/schemas/A/allOf",
    ],
    [
      "a property named type",
      withSchema({ properties: { type: [] } }),
      "/components/schemas/A/properties/type",
    ],
    ["a server without a value", { servers: [null] }, "/servers/0"],
    [
      "a misspelled schema",
      withOperation({ parameters: [{ name: "a", in: "query", schemax: {} }] }),
      "/paths/~1a/get/parameters/0/schemax",
    ],
    [
      "`required` in a property that is called links",
      withSchema({ properties: { links: { required: true } } }),
      "/components/schemas/A/properties/links/required",
    ],
    [
      "`required` in the property",
      withSchema({ properties: { "x-a": { required: true } } }),
      "/components/schemas/A/properties/x-a/required",
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
    expect(await listProblems(members)).toEqual([`error ${pointer}`]);
  });
});

it("the message about an invalid component name lists the allowed characters", async () => {
  const found = await diagnose({ openapi: "3.1.0", components: { schemas: { a: {}, "a b": {} } } });
  expect(found.map(({ position }) => position?.pointer)).toEqual(["/components/schemas/a b"]);
  expect(found.map(({ message }) => message)).toEqual([
    'The name "a b" is not allowed here. Use letters, digits, `.`, `-` and `_`.',
  ]);
});

it("the message about a wrong type names the kind of the value", async () => {
  const getMessage = async (properties: unknown): Promise<string | undefined> =>
    (await diagnose(withSchema({ properties })))[0]?.message;
  expect(await getMessage([])).toBe("`properties` must be an object, not an empty list.");
  expect(await getMessage([1])).toBe("`properties` must be an object, not a list.");
  expect(await getMessage("a")).toBe('`properties` must be an object, not "a".');
  expect(await getMessage({ $ref: "#/components/schemas/A" })).toBe(
    "`properties` cannot be a reference. Write its members, which can be references.",
  );
});

it.each<[object, string]>([
  [{ "/a": null }, "`/a` has no value. Write its members below it, indented deeper, or remove it."],
  [
    { "/a": { get: { operationId: null, responses: { default: { description: "" } } } } },
    "`operationId` must be text, not null.",
  ],
])("the message about a key without a value says how to write one: %j", async (paths, expected) => {
  expect((await diagnose({ paths }))[0]?.message).toBe(expected);
});

it.each<[object, string]>([
  [
    { properties: { a: { required: true } } },
    "`required` must be a list, not true. It belongs to the object, and lists the names of its required properties.",
  ],
  [{ minimum: "1.5" }, '`minimum` must be a number, not "1.5". Write it without quotes.'],
  [{ uniqueItems: "true" }, '`uniqueItems` must be true or false, not "true". Write it without quotes.'],
  [{ uniqueItems: "yes" }, '`uniqueItems` must be true or false, not "yes".'],
  [
    { properties: { a: { required: false } } },
    "`required` must be a list, not false. It belongs to the object, and lists the names of its required properties.",
  ],
  [{ properties: { a: "text" } }, '`a` must be an object, not "text".'],
  [{ properties: { a: "string" } }, '`a` must be an object, not "string". Write `{ type: string }`.'],
  [
    { discriminator: "kind" },
    '`discriminator` must be an object, not "kind". Write `{ propertyName: kind }`.',
  ],
  [
    { properties: [{ a: { type: "string" } }] },
    "`properties` must be an object, not a list. Write its entries as members of one object.",
  ],
  [{ properties: [{ a: {}, b: {} }] }, "`properties` must be an object, not a list."],
  [{ items: [{ type: "string" }] }, "`items` must be an object, not a list."],
  [{ description: 5 }, "`description` must be text, not 5. Put it in quotes."],
])("the message about the type of a value of %j says what to write", async (schema, expected) => {
  expect((await diagnose(withSchema(schema)))[0]?.message).toBe(expected);
});

it.each([
  ["Date", "Write `type: string` with `format: date`."],
  ["datetime", "Write `type: string` with `format: date-time`."],
  ["binary", "Write `type: string` with `format: binary`."],
  ["list", "Did you mean `array`?"],
  ["any", "Remove `type` to allow any value."],
  ["Order", 'Write `$ref: "#/components/schemas/Order"` instead of `type`.'],
  ["#/components/schemas/Order", 'Write `$ref: "#/components/schemas/Order"` instead of `type`.'],
  ["String", "Did you mean `string`?"],
])("the message about the type %s says what to write", async (type, remedy) => {
  const [problem] = await diagnose({ openapi: "3.1.0", ...withSchema({ type }) });
  expect(problem?.message).toBe(
    `\`type\` must be one of \`array\`, \`boolean\`, \`integer\`, \`null\`, \`number\`, \`object\`, \`string\`, not "${type}". ${remedy}`,
  );
});

it("the message about properties that exclude each other names them", async () => {
  const parameter = { name: "a", in: "query", schema: {}, example: 1, examples: { b: { value: 2 } } };
  const [problem] = await diagnose(withOperation({ parameters: [parameter] }));
  expect(problem?.message).toBe("`example` and `examples` exclude each other. Keep one.");
});

const withParameter = (members: object): object => ({
  paths: {
    "/{id}": { get: { parameters: [{ schema: {}, ...members }], responses: { 200: { description: "ok" } } } },
  },
});
const withContent = (content: object): object =>
  withOperation({ responses: { 200: { description: "ok", ...content } } });

it.each<[object, string[]]>([
  [{ info: {} }, ["warning The properties `title`, `version` are missing here. Add them."]],
  [
    withOperation({ parameters: [{ schema: {} }] }),
    ["error The properties `in`, `name` are missing here. Add them."],
  ],
  [{ components: { securitySchemes: { A: {} } } }, ["warning The property `type` is missing here. Add it."]],
])("missing properties of one object are one problem: %j", async (members, expected) => {
  for (const openapi of ["3.0.3", "3.1.0", "3.2.0"]) {
    const found = await diagnose({ openapi, ...members });
    expect(found.map(({ severity, message }) => `${severity} ${message}`)).toEqual(expected);
  }
});

it.each<[object, string]>([
  [withSchema({ required: "a" }), '`required` must be a list, not "a". Put it in square brackets.'],
  [withSchema({ required: null }), "`required` must be a list, not null."],
  [
    withSchema({ allOf: { $ref: "#/components/schemas/B" } }),
    "`allOf` must be a list, not a reference. Put it in square brackets.",
  ],
  [withSchema({ allOf: { A: {} } }), "`allOf` must be a list, not an object. Write a list of its entries."],
  [withSchema({ allOf: [] }), "`allOf` must not be empty. Add an entry or remove it."],
  [
    withSchema({ not: "type:string" }),
    '`not` must be an object or true or false, not "type:string". Write a space after the colon.',
  ],
  [
    { components: { securitySchemes: { A: { type: "bearer" } } } },
    '`type` must be one of `apiKey`, `http`, `mutualTLS`, `oauth2`, `openIdConnect`, not "bearer". Write `type: http` with `scheme: bearer`.',
  ],
  [
    withSchema({ externalDocs: "https://a.example" }),
    '`externalDocs` must be an object, not "https://a.example". Write `{ url: https://a.example }`.',
  ],
  [
    withSchema({ properties: { security: { items: "string" } } }),
    '`items` must be an object or true or false, not "string". Write `{ type: string }`.',
  ],
  [
    withParameter({ name: "id", in: "path", required: true, style: 5 }),
    "`style` must be one of `matrix`, `label`, `simple`, not 5.",
  ],
  [{ security: ["token"] }, '`security[0]` must be an object, not "token". Write `token: []`.'],
  [withSchema({ a: { type: "string" } }), "Property `a` is not expected here. Write it in `properties`."],
  [withSchema({ a: { b: "string" } }), "Property `a` is not expected here."],
  [
    withSchema({ type: "file" }),
    '`type` must be one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`, not "file". Write `type: string` with `format: binary`.',
  ],
  [withSchema({ type: ["string", "string"] }), "`type` lists an item twice. Remove one."],
  [
    { openapi: "3.1.0", ...withSchema({ items: [{}] }) },
    "`items` must be an object or true or false, not a list. For a tuple, write `prefixItems`.",
  ],
  [
    { servers: ["https://a.example"] },
    '`servers[0]` must be an object, not "https://a.example". Write `{ url: https://a.example }`.',
  ],
  [withSchema({ type: [] }), "`type` must not be empty. Add an entry or remove it."],
  [
    { securityDefinitions: {} },
    "Property `securityDefinitions` is not expected here. Move the schemes to `components.securitySchemes`.",
  ],
  [{ schemas: {} }, "Property `schemas` is not expected here. Write it in `components`."],
  [{ requestBodies: {} }, "Property `requestBodies` is not expected here. Write it in `components`."],
  [
    withOperation({ produces: ["a/b"] }),
    "Property `produces` is not expected here. Write each media type as a key of `content` in the responses.",
  ],
  [withOperation({ body: {} }), "Property `body` is not expected here. Describe it in `requestBody`."],
  [
    withOperation({ parameters: [{ name: "a", in: "query", schema: {}, examples: ["b"] }] }),
    "`examples` must be an object, not a list. Give each example a name, and write it in `value` below the name.",
  ],
  [
    withOperation({ parameters: [{ name: "a", in: "query", schema: {}, examples: { b: "c" } }] }),
    '`b` must be an object, not "c". Write it in `value`.',
  ],
  [
    withOperation({ parameters: [{ name: "a", in: "query", schema: {}, examples: { b: { c: 1 } } }] }),
    "Property `c` is not expected here. Write it in `value`.",
  ],
  [
    withSchema({ type: "date" }),
    '`type` must be one of `array`, `boolean`, `integer`, `null`, `number`, `object`, `string`, not "date". Write `type: string` with `format: date`.',
  ],
])("the message about a value in a wrong form says what to write: %j", async (members, expected) => {
  const found = await diagnose({ openapi: "3.1.0", ...members });
  expect(found.map(({ message }) => message)).toContain(expected);
});

const OPTIONAL = "warning A path parameter is always required. Write `required: true`.";

it.each<[string, object, string[]]>([
  ["3.0.3", withParameter({ name: "id", in: "path" }), [OPTIONAL]],
  ["3.0.3", withParameter({ name: "id", in: "path", required: false }), [OPTIONAL]],
  ["3.1.0", withParameter({ name: "id", in: "path", required: false }), [OPTIONAL]],
  [
    "3.1.0",
    withParameter({ name: "a", in: "body" }),
    ['error A parameter cannot be in "body". Describe the body in `requestBody`.'],
  ],
  [
    "3.1.0",
    withContent({ schema: {} }),
    ["warning Property `schema` is not expected here. Write it in `content`, below a media type."],
  ],
  [
    "3.0.3",
    withOperation({ requestBody: { schema: {} } }),
    ["error Property `schema` is not expected here. Write it in `content`, below a media type."],
  ],
  [
    "3.1.0",
    { components: { requestBodies: { A: { schema: {}, content: {} } } } },
    ["warning Property `schema` is not expected here. Write it in `content`, below a media type."],
  ],
  [
    "3.0.3",
    withOperation({ parameters: [{ name: "a", in: "query", type: "string" }] }),
    ["error One of these properties is missing here: `schema`, `content`. Write `type` in `schema`."],
  ],
  [
    "3.1.0",
    withOperation({ parameters: [{ name: "a", in: "query", shema: {} }] }),
    ["error One of these properties is missing here: `schema`, `content`. Did you mean `schema` by `shema`?"],
  ],
  [
    "3.1.0",
    withContent({ content: { "a/b": { itemSchema: {} } } }),
    ["warning Property `itemSchema` requires OpenAPI 3.2. Set `openapi` to 3.2.0."],
  ],
  ["3.2.0", withContent({ content: { "a/b": { itemSchema: {} } } }), []],
  [
    "3.0.3",
    withSchema({ const: 1 }),
    ["warning Property `const` requires OpenAPI 3.1. Set `openapi` to 3.1.0."],
  ],
  ...["$anchor", "$dynamicRef", "minContains"].map((name): [string, object, string[]] => [
    "3.0.3",
    withSchema({ [name]: 1 }),
    [`warning Property \`${name}\` requires OpenAPI 3.1. Set \`openapi\` to 3.1.0.`],
  ]),
  [
    "3.1.0",
    { paths: { "/a": { query: { responses: { 200: { description: "ok" } } } } } },
    ["warning Property `query` requires OpenAPI 3.2. Set `openapi` to 3.2.0."],
  ],
  [
    "3.1.0",
    { $self: "https://example.test/" },
    ["warning Property `$self` requires OpenAPI 3.2. Set `openapi` to 3.2.0."],
  ],
  [
    "3.0.3",
    withSchema({ type: ["string", "null"] }),
    [expect.stringMatching(/, not a list\. .* For a type with null, write `nullable: true`\.$/)],
  ],
  [
    "3.0.3",
    withSchema({ type: "null" }),
    [expect.stringMatching(/, not "null"\. In OpenAPI 3\.0, write `nullable: true` beside a type\.$/)],
  ],
  [
    "3.0.3",
    withSchema({ exclusiveMaximum: 5 }),
    [
      "warning `exclusiveMaximum` must be true or false, not 5. Write `maximum: 5` and `exclusiveMaximum: true`.",
    ],
  ],
  [
    "3.1.0",
    withSchema({ exclusiveMinimum: true }),
    ["warning `exclusiveMinimum` must be a number, not true. Write the limit here instead of in `minimum`."],
  ],
  [
    "3.1.0",
    withSchema({ examples: { a: 1 } }),
    ["warning `examples` must be a list, not an object. In a schema, it lists values without names."],
  ],
  ["3.1.0", withSchema({ type: null }), [expect.stringMatching(/, not null\. Write "null" in quotes\.$/)]],
])(
  "the message about a mistake of another version says what %s requires: %j",
  async (openapi, members, expected) => {
    const found = await diagnose({ openapi, ...members });
    expect(found.map(({ severity, message }) => `${severity} ${message}`)).toEqual(expected);
  },
);

it("generates code as if members that are ignored were missing or empty, and reports them all", async () => {
  const schemas = {
    A: { type: "object", required: null, properties: null, allOf: [], description: 5 },
    B: { type: "string", pattern: 0, format: 1 },
    C: { type: "object", properties: { pattern: { type: "integer" }, required: { allOf: [{ anyOf: [] }] } } },
    D: null,
  };
  const document = {
    openapi: "3.1.0",
    info: { title: "a", version: "1" },
    paths: { "/a": null },
    components: { schemas },
  };
  const folder = await createFolder({ "openapi.json": JSON.stringify(document) });
  const loaded = await loadDocument(path.join(folder, "openapi.json"));
  expect(
    loaded.warnings.map(({ position }) => position?.pointer.replace("/components/schemas/", "")).sort(),
  ).toEqual([
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

it("the message about a method in upper case says how to write it", async () => {
  const paths = { "/a": { GET: { responses: { 200: { description: "ok" } } } } };
  for (const openapi of ["3.0.3", "3.1.0"])
    expect((await diagnose({ openapi, paths }))[0]?.message).toBe(
      "Property `GET` is not expected here. Write `get` in lower case.",
    );
});

it("the message about a member of an operation beside it says where it belongs", async () => {
  const paths = { "/a": { get: {}, responses: { 200: { description: "ok" } } } };
  expect((await diagnose({ openapi: "3.1.0", paths })).map(({ message }) => message)).toEqual([
    "Property `responses` is not expected here. Indent it deeper, so that it belongs to an operation such as `get`.",
  ]);
});

it("reports only the missing location of a parameter, which decides about its style", async () => {
  const parameters = [{ name: "a", style: "form", schema: {} }];
  for (const openapi of ["3.0.3", "3.1.0", "3.2.0"])
    expect(await listProblems({ openapi, ...withOperation({ parameters }) })).toEqual([
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
  expect(await listProblems(members)).toEqual([]);
});

it("escapes a name that looks like an escape sequence in the JSON pointer", async () => {
  const members = withSchema({ properties: { "~1/": { type: "file" } } });
  expect(await listProblems(members)).toEqual(["error /components/schemas/A/properties/~01~1/type"]);
});

test.each([
  ["contnt", ["context", "content"], "content"],
  ["Content", ["content"], "content"],
  ["abcd", ["abxy"], "abxy"],
  ["abcd", ["axyz"], undefined],
  ["in", ["integer"], undefined],
  ["integer", ["in"], undefined],
  ["content", ["content", "context"], undefined],
  ["gte", ["put", "get"], "get"],
])("for %j among %j suggests %j", (mistyped, names, expected) => {
  expect(suggestName(mistyped, names)).toBe(expected);
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
