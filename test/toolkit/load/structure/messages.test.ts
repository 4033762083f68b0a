import { expect, it } from "vitest";
import { diagnose, withOperation, withSchema } from "./diagnose.js";

it("the message about an invalid component name lists the allowed characters", async () => {
  const found = await diagnose({ openapi: "3.1.0", components: { schemas: { a: {}, "a b": {} } } });
  expect(found.map(({ position }) => position?.pointer)).toEqual(["/components/schemas/a b"]);
  expect(found.map(({ message }) => message)).toEqual([
    'The name "a b" is not allowed here. Use letters, digits, `.`, `-` and `_`.',
  ]);
});

it("the message about an invalid name of a method lists no characters", async () => {
  const paths = { "/a": { additionalOperations: { "A B": {} } } };
  const found = await diagnose({ openapi: "3.2.0", paths });
  expect(found.map(({ message }) => message)).toEqual(['The name "A B" is not allowed here.']);
});

it.each([
  ["minLength", "a whole number"],
  ["minimum", "a number"],
  ["title", "text"],
  ["deprecated", "true or false"],
  ["required", "a list"],
])("the message about a wrong type of `%s` names the expected one: %s", async (keyword, expected) => {
  const [found] = await diagnose(withSchema({ [keyword]: null }));
  expect(found?.message).toBe(`\`${keyword}\` must be ${expected}, not null.`);
});

it("the message about a wrong type names the kind of the value", async () => {
  const getMessage = async (properties: unknown): Promise<string | undefined> =>
    (await diagnose(withSchema({ properties })))[0]?.message;
  expect(await getMessage([])).toBe("`properties` must be an object, not an empty list. Write `{}`.");
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
  [
    { properties: { a: {}, required: ["a"] } },
    "`required` must be an object, not a list. Write it beside `properties`, not in it.",
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
  ["dict", "Did you mean `object`?"],
  ["list", "Did you mean `array`?"],
  ["any", "Remove `type` to allow any value."],
  ["Order", 'Write `$ref: "#/components/schemas/Order"` instead of `type`.'],
  ["#/components/schemas/Order", 'Write `$ref: "#/components/schemas/Order"` instead of `type`.'],
  ["String", "Did you mean `string`?"],
  ["Order[]", 'Write `type: array` with `items: { $ref: "#/components/schemas/Order" }`.'],
  ["List<Order>", 'Write `type: array` with `items: { $ref: "#/components/schemas/Order" }`.'],
  ["Array<String>", "Write `type: array` with `items: { type: string }`."],
  ["Strnig[]", "Write `type: array` with `items: { type: string }`."],
  ["integer[]", "Write `type: array` with `items: { type: integer }`."],
  ["Date[]", "Write `type: array` with `items`."],
])("the message about the type %s says what to write", async (type, remedy) => {
  const [problem] = await diagnose({ openapi: "3.1.0", ...withSchema({ type }) });
  expect(problem?.message).toBe(
    `\`type\` must be one of \`array\`, \`boolean\`, \`integer\`, \`null\`, \`number\`, \`object\`, \`string\`, not "${type}". ${remedy}`,
  );
});

it.each([
  ["`example` and `examples`", { schema: {}, example: 1, examples: { b: { value: 2 } } }],
  ["`schema` and `content`", { schema: {}, content: { "a/b": {} } }],
  ["`value` and `externalValue`", { schema: {}, examples: { b: { value: 2, externalValue: "b.json" } } }],
])("the message about properties that exclude each other names them: %s", async (names, members) => {
  const parameters = [{ name: "a", in: "query", ...members }];
  const found = await diagnose({ openapi: "3.1.0", ...withOperation({ parameters }) });
  expect(found.map(({ message }) => message)).toContain(`${names} exclude each other. Keep one.`);
});

it.each([
  ["basePath", "Write it in the `url` of an entry in `servers`."],
  ["collectionFormat", "Write `style` and `explode` instead."],
  ["consumes", "Write each media type as a key of `content` in `requestBody`."],
  ["definitions", "Move the schemas to `components.schemas`."],
  ["host", "Write it in the `url` of an entry in `servers`."],
  ["schemes", "Write them in the `url` of the entries in `servers`."],
])("the message about `%s` of Swagger 2.0 says what to write", async (name, remedy) => {
  const [problem] = await diagnose({ openapi: "3.1.0", [name]: "a" });
  expect(problem?.message).toBe(`Property \`${name}\` is not expected here. ${remedy}`);
});

it.each<[object, string]>([
  [withSchema({ minLength: -1 }), "`minLength` must be at least 0."],
  [withSchema({ multipleOf: 0 }), "`multipleOf` must be more than 0."],
  [
    withOperation({ parameters: [{ name: "a", in: "query", content: { "a/b": {}, "c/d": {} } }] }),
    "`content` must have only one entry.",
  ],
  [
    withOperation({ parameters: [{ name: "a", in: "query", content: {} }] }),
    "`content` must not be empty. Add an entry or remove it.",
  ],
])("the message about a limit says which values are allowed: %j", async (members, expected) => {
  const found = await diagnose({ openapi: "3.1.0", ...members });
  expect(found.map(({ message }) => message)).toContain(expected);
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
  ...["bearer", "basic"].map((type): [object, string] => [
    { components: { securitySchemes: { A: { type } } } },
    `\`type\` must be one of \`apiKey\`, \`http\`, \`mutualTLS\`, \`oauth2\`, \`openIdConnect\`, not "${type}". Write \`type: http\` with \`scheme: ${type}\`.`,
  ]),
  [
    withSchema({ externalDocs: "https://a.example" }),
    '`externalDocs` must be an object, not "https://a.example". Write `{ url: https://a.example }`.',
  ],
  [withSchema({ externalDocs: "a b" }), '`externalDocs` must be an object, not "a b".'],
  [
    withSchema({ properties: { security: { items: "string" } } }),
    '`items` must be an object or true or false, not "string". Write `{ type: string }`.',
  ],
  [
    withParameter({ name: "id", in: "path", required: true, style: 5 }),
    "`style` must be one of `matrix`, `label`, `simple`, not 5.",
  ],
  [{ security: [{ a: [] }, "token"] }, '`security[1]` must be an object, not "token". Write `token: []`.'],
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
    withSchema({ prefixItems: [], additionalItems: false }),
    "Property `additionalItems` is not expected here. Did you mean `items`?",
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
  ["3.0.3", withParameter({ name: "id", in: "path", required: "true" }), [OPTIONAL]],
  [
    "3.1.0",
    withParameter({ name: "a", in: "body" }),
    ['error A parameter cannot be in "body". Describe the body in `requestBody`.'],
  ],
  [
    "3.1.0",
    withParameter({ name: "a", in: "formData" }),
    ['error A parameter cannot be in "formData". Describe the body in `requestBody`.'],
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
    withOperation({ parameters: [{ name: "a", in: "query", type: "string", content: { "a/b": {} } }] }),
    ["warning Property `type` is not expected here."],
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
  [
    "3.1.0",
    { paths: { "/a": { query: { responses: { 200: { description: "ok" } } } } } },
    ["warning Property `query` requires OpenAPI 3.2. Set `openapi` to 3.2.0."],
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

it.each([
  [
    "3.0.3",
    "3.1",
    "webhooks jsonSchemaDialect pathItems identifier $schema $id $anchor $dynamicAnchor $dynamicRef $defs $comment " +
      "const if then else prefixItems contains minContains maxContains patternProperties propertyNames " +
      "unevaluatedItems unevaluatedProperties dependentRequired dependentSchemas contentEncoding " +
      "contentMediaType contentSchema",
  ],
  [
    "3.1.0",
    "3.2",
    "$self query additionalOperations mediaTypes itemSchema itemEncoding prefixEncoding dataValue serializedValue " +
      "defaultMapping nodeType deviceAuthorization oauth2MetadataUrl",
  ],
])(
  "the messages about properties in a document of OpenAPI %s say that they require %s",
  async (openapi, version, text) => {
    const names = text.split(" ");
    const found = await diagnose({
      openapi,
      info: { title: "a", version: "1", ...Object.fromEntries(names.map((name) => [name, {}])) },
    });
    expect(found.map(({ message }) => message)).toEqual(
      names.map(
        (name) => `Property \`${name}\` requires OpenAPI ${version}. Set \`openapi\` to ${version}.0.`,
      ),
    );
  },
);

it.each(["$ref", "type"])("the message about %s in a media type says where it belongs", async (name) => {
  const content = { "a/b": { [name]: name === "type" ? "string" : "#/components/schemas/A" } };
  const members = { ...withOperation({ requestBody: { content } }), ...withSchema({}) };
  expect((await diagnose(members)).map(({ message }) => message)).toEqual([
    `Property \`${name}\` is not expected here. Write it in \`schema\`.`,
  ]);
});

it("the message about a method in upper case says how to write it", async () => {
  const paths = { "/a": { GET: { responses: { 200: { description: "ok" } } } } };
  for (const openapi of ["3.0.3", "3.1.0"])
    expect((await diagnose({ openapi, paths }))[0]?.message).toBe(
      "`GET` is read as `get`. Write `get` in lower case.",
    );
});

it("the message about a member of an operation beside it says where it belongs", async () => {
  const paths = { "/a": { get: {}, responses: { 200: { description: "ok" } } } };
  expect((await diagnose({ openapi: "3.1.0", paths })).map(({ message }) => message)).toEqual([
    "Property `responses` is not expected here. Indent it deeper, so that it belongs to an operation such as `get`.",
  ]);
});
