import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../scripts/json.js";
import { built, documentWith, operationsOf, operationWith, problemsOf } from "../document.js";

/** A query parameter without a type: a text or a list of texts. */
const UNTYPED = { isUntyped: true, type: { items: "string", scalarType: "string" } };

describe("parameters", () => {
  const only = (parameter: JsonObject, rest: JsonObject = {}) =>
    built({ parameters: [parameter] }, rest).parameters.find(({ name }) => name === "p");

  test.each([
    ["query", { style: "form", explode: true, required: false }],
    ["header", { style: "simple", explode: false, required: false }],
    ["cookie", { style: "form", explode: true, required: false }],
  ])("in %s have the default style of their location", (place, expected) => {
    expect(only({ name: "p", in: place, schema: {} })).toMatchObject(expected);
  });

  test.each([
    ["query", "pipeDelimited", false],
    ["query", "deepObject", true],
    ["cookie", "cookie", true],
  ])("in %s with the style %s explode by default: %s", (place, style, explode) => {
    expect(only({ name: "p", in: place, style, schema: {} })).toMatchObject({ style, explode });
  });

  test("other than in the query cannot be empty or have reserved characters", () => {
    const flags = { allowEmptyValue: true, allowReserved: true };
    expect(only({ name: "p", in: "query", ...flags, schema: {} })).toMatchObject(flags);
    expect(only({ name: "p", in: "header", ...flags, schema: {} })).toMatchObject({
      allowEmptyValue: false,
      allowReserved: false,
    });
  });

  test.each([
    ["path", "3.2.0", true],
    ["cookie", "3.2.0", true],
    ["query", "3.2.0", false],
    ["header", "3.2.0", false],
    ["path", "3.1.0", false],
  ])("in %s of version %s warn about allowReserved: %s", (place, openapi, warns) => {
    const parameter = { name: "p", in: place, required: true, allowReserved: true, schema: {} };
    const document = documentWith({ "/{p}": { get: operationWith({ parameters: [parameter] }) } });
    const problem =
      `warning /paths/~1{p}/get/parameters/0/allowReserved: allowReserved of the ${place} parameter "p" is ignored. ` +
      "The client encodes reserved characters.";
    expect(problemsOf({ ...document, openapi }).filter((each) => /allowReserved/.test(each))).toEqual(
      warns ? [problem] : [],
    );
  });

  test("in a header without a name are ignored with a warning, unless they are required", () => {
    const parameter: JsonObject = { name: "", in: "header", schema: {} };
    const document = (each: JsonObject) =>
      documentWith({ "/a": { get: operationWith({ parameters: [each] }) } });
    expect(operationsOf(document(parameter))[0]?.parameters).toEqual([]);
    expect(problemsOf(document(parameter))).toEqual([
      expect.stringMatching(/^warning .*A header needs a name/),
    ]);
    expect(problemsOf(document({ ...parameter, required: true }))).toEqual([
      expect.stringMatching(/HTTP does not allow/),
    ]);
  });

  test.each([
    [10, true],
    [11, false],
  ])("of %i nested lists have the type of their items: %s", (depth, isTyped) => {
    let schema: JsonObject = { type: "integer" };
    for (let level = 0; level < depth; level++) schema = { type: "array", items: schema };
    schema = { type: "object", properties: { a: schema } };
    const type = JSON.stringify(only({ name: "p", in: "query", style: "deepObject", schema })?.type);
    expect(type.includes('"items":"integer"')).toBe(isTyped);
  });

  test.each([
    [10, true],
    [11, false],
  ])("of %i nested compositions have the type of the innermost one: %s", (depth, isTyped) => {
    let schema: JsonObject = { type: "integer" };
    for (let level = 0; level < depth; level++) schema = { allOf: [schema] };
    expect(only({ name: "p", in: "query", schema })?.type === "integer").toBe(isTyped);
  });

  test.each([
    [500, 500],
    [501, 500],
  ])("of %i lists have the types of the items of %i", (count, typed) => {
    const list = { type: "array", items: { type: "integer" } };
    const properties = Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, list]));
    const schema = { type: "object", properties };
    const type = JSON.stringify(only({ name: "p", in: "query", style: "deepObject", schema })?.type);
    expect(type.split('"items":"integer"')).toHaveLength(typed + 1);
  });

  test("in the path are required and have the style simple", () => {
    const [id] = built({}).parameters;
    expect(id).toMatchObject({ name: "id", in: "path", required: true, style: "simple", explode: false });
  });

  test.each<[JsonObject, object]>([
    [{ schema: { type: "integer" } }, { type: "integer" }],
    [{ schema: { type: ["integer", "null"] } }, { type: "integer" }],
    [{ schema: { type: ["integer", "string"] } }, { type: "string" }],
    [{ schema: { type: "array", items: { type: "number" } } }, { type: { items: "number" } }],
    [{ schema: { items: { type: "boolean" } } }, { type: { items: "boolean" } }],
    [{ schema: { enum: [1, 2] } }, { type: "integer" }],
    [{ schema: { const: true } }, { type: "boolean" }],
    [{ schema: { enum: [1, "auto"] } }, { type: "integer" }],
    [{ schema: { enum: [1, "2"] } }, { type: "string" }],
    [{ schema: { anyOf: [{ type: "boolean" }, { enum: ["auto"] }] } }, { type: "boolean" }],
    [{ schema: { anyOf: [{ type: "boolean" }, { type: "number" }] } }, { type: "numberOrBoolean" }],
    [
      { schema: { anyOf: [{ type: "integer" }, { type: "string", format: "date-time" }] } },
      { type: "integer" },
    ],
    [
      { schema: { anyOf: [{ type: "integer" }, { type: "string", format: "idn-email" }] } },
      { type: "integer" },
    ],
    [
      { schema: { anyOf: [{ type: "number" }, { type: "string", pattern: "^[a-z]+$" }] } },
      { type: "number" },
    ],
    [
      { schema: { anyOf: [{ type: "number" }, { type: "string", pattern: "^[0-9]+$" }] } },
      { type: "string" },
    ],
    // The first declaration takes precedence, and that of the schema itself over those of allOf.
    [
      { schema: { allOf: [{ type: "array", items: { type: "integer" } }, { items: { type: "boolean" } }] } },
      { type: { items: "integer" } },
    ],
    [
      { schema: { allOf: [{ items: { type: "boolean" } }], type: "array", items: { type: "integer" } } },
      { type: { items: "integer" } },
    ],
    [
      { schema: { type: "array", items: { type: "integer" }, prefixItems: [{ type: "boolean" }] } },
      { type: { items: "integer", prefixItems: ["boolean"] } },
    ],
    [
      {
        schema: {
          type: "array",
          allOf: [{ prefixItems: [{ type: "integer" }, { type: "boolean" }] }, { prefixItems: [{}] }],
        },
      },
      { type: { items: "integer", prefixItems: ["integer", "boolean"] } },
    ],
    [
      {
        style: "deepObject",
        schema: {
          type: "object",
          allOf: [
            { additionalProperties: { type: "integer" } },
            { additionalProperties: { type: "boolean" } },
          ],
        },
      },
      { type: { additionalProperties: "integer" } },
    ],
    // Strings that look like values of one type leave the conversion to the other type.
    [{ schema: { type: ["string", "number", "boolean"], pattern: "^[a-z]+$" } }, { type: "number" }],
    [{ schema: { type: ["string", "number", "boolean"], pattern: "^[0-9]+$" } }, { type: "boolean" }],
    [{ schema: { type: ["string", "number", "boolean"], enum: ["auto"] } }, { type: "numberOrBoolean" }],
    [{ schema: { enum: [1, ""] } }, { type: "integer" }],
    [{ schema: { type: ["string", "boolean"], minLength: 5 } }, { type: "string" }],
    [{ schema: { type: ["string", "boolean"], minLength: 6 } }, { type: "boolean" }],
    [
      {
        schema: {
          type: ["string", "integer"],
          anyOf: [{ type: "string", minLength: 1 }, { type: "string" }],
        },
      },
      { type: "string" },
    ],
    [
      { schema: { type: ["string", "integer"], allOf: [{ type: "string", pattern: "^[a-z]+$" }] } },
      { type: "integer" },
    ],
    [{ schema: { type: ["string", "integer"], anyOf: [{ type: "integer" }, {}] } }, { type: "string" }],
    // Patterns with possibly exponential time are not tested, so they may match a number.
    [{ schema: { anyOf: [{ type: "number" }, { type: "string", pattern: "^(a+)*$" }] } }, { type: "string" }],
    // Only some of the supported versions of Node.js accept groups with flags.
    [
      { schema: { anyOf: [{ type: "number" }, { type: "string", pattern: "^(?i:a)$" }] } },
      { type: "string" },
    ],
    [
      { schema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] } },
      { type: { items: "string", scalarType: "string" } },
    ],
    [
      {
        style: "deepObject",
        schema: { anyOf: [{ type: "integer" }, { properties: { gt: { type: "integer" } } }] },
      },
      { type: { properties: { gt: "integer" }, scalarType: "integer" } },
    ],
    [
      { schema: { type: "object", additionalProperties: { type: "integer" } } },
      { type: { properties: {}, additionalProperties: "integer" } },
    ],
    [
      { schema: { type: "object", properties: { a: {} } } },
      { type: { properties: { a: "string" }, additionalProperties: undefined } },
    ],
    [{ schema: { type: "array", items: { type: "object" } } }, { type: { items: "json" } }],
    [
      { schema: { type: "array", items: { type: ["object", "string"] } } },
      { type: { items: { jsonOr: "string" } } },
    ],
    [
      {
        schema: {
          oneOf: ["string", "integer"].map((scalar) => ({
            type: "object",
            properties: { a: { type: ["object", scalar] } },
          })),
        },
      },
      { type: { properties: { a: { jsonOr: "string" } } } },
    ],
    [
      {
        style: "deepObject",
        schema: { type: "object", properties: { a: { type: "array", items: { type: "number" } } } },
      },
      { type: { properties: { a: { items: "number" } } } },
    ],
    [
      { schema: { prefixItems: [{ type: "integer" }, { type: "boolean" }] } },
      { isUntyped: false, type: { items: "integer", prefixItems: ["integer", "boolean"] } },
    ],
    [
      { schema: { allOf: [{ type: "array" }, { prefixItems: [{ type: "integer" }, {}], items: false }] } },
      { type: { items: "integer", prefixItems: ["integer", "string"] } },
    ],
    [
      { schema: { type: "object", additionalProperties: false } },
      { type: { properties: {}, additionalProperties: undefined } },
    ],
    [
      { schema: { patternProperties: { "^a": { type: "integer" } } } },
      { type: { properties: {}, additionalProperties: "integer" } },
    ],
    [{ schema: { required: ["a"] } }, { type: { properties: {}, additionalProperties: "string" } }],
    [
      { schema: { additionalProperties: true } },
      { type: { properties: {}, additionalProperties: "string" } },
    ],
    [
      { schema: { dependentSchemas: { a: { properties: { b: {} } } } } },
      { type: { properties: {}, additionalProperties: "string" } },
    ],
    // Declared types, also those of a composition, precede implied ones.
    [
      { schema: { additionalProperties: false, oneOf: [{ type: "integer" }, { type: "boolean" }] } },
      { type: "numberOrBoolean" },
    ],
    [{ schema: { allOf: [{ minimum: 1 }, { type: "integer" }] } }, { type: "integer" }],
    [{ schema: { anyOf: [{ type: "integer" }, { type: "null" }] } }, { type: "integer" }],
    [{ schema: { oneOf: [{ type: "integer" }, { type: "string" }] } }, { type: "string" }],
    [{ schema: { $ref: "#/components/schemas/Count" } }, { type: "integer" }],
    [{ schema: { $ref: "#/components/schemas/Loop" } }, UNTYPED],
    // A list of one text would not have to match the keyword.
    [{ schema: { pattern: "^a+$" } }, { isUntyped: false, type: "string" }],
    [{ schema: true }, UNTYPED],
    [{}, { ...UNTYPED, schema: undefined }],
    [{ style: "pipeDelimited" }, UNTYPED],
    [
      { style: "deepObject" },
      { isUntyped: true, type: { properties: {}, additionalProperties: "string", scalarType: "string" } },
    ],
    [{ content: { "application/json": { schema: { type: "integer" } } } }, { type: "json" }],
    [{ content: { "text/plain": { schema: { type: "integer" } } } }, { type: "integer" }],
    [{ content: { "text/plain": {} } }, { type: "string" }],
    [{ content: { "application/xml": { schema: { type: "object" } } } }, { type: "json" }],
    [
      { schema: { type: "object", properties: { a: { type: "integer" }, b: {} } } },
      { type: { properties: { a: "integer", b: "string" } } },
    ],
  ])("%j are parsed as %j", (part, expected) => {
    const schemas = {
      Count: { type: "integer" },
      Loop: { anyOf: [{ $ref: "#/components/schemas/Loop" }] },
    };
    expect(only({ name: "p", in: "query", ...part }, { components: { schemas } })).toMatchObject(expected);
  });

  test.each<[JsonObject, JsonObject, object | string]>([
    [{ type: "array", items: { type: "integer" } }, { type: "string" }, { items: "integer" }],
    [{ properties: { b: {} } }, { type: "integer" }, { properties: { b: "string" } }],
    [{ type: "array", items: {} }, { properties: { b: {} } }, { items: "string" }],
    [
      { type: "array", items: { type: "integer" } },
      { type: "array", items: { type: "boolean" } },
      { items: "string" },
    ],
    [
      { properties: { b: { type: "integer" }, c: { type: "integer" } } },
      { properties: { b: { type: "boolean" }, d: { type: "boolean" } } },
      { properties: { b: "string", c: "integer", d: "boolean" } },
    ],
    [
      { properties: { b: {} } },
      { properties: { c: {} }, additionalProperties: { type: "integer" } },
      { properties: { b: "string", c: "string" }, additionalProperties: "integer" },
    ],
    [
      { additionalProperties: { type: "integer" } },
      { additionalProperties: { type: "boolean" } },
      { properties: {}, additionalProperties: "string" },
    ],
    [
      { type: ["array", "boolean"], items: { type: "integer" } },
      { type: "array", items: { type: "integer" } },
      { items: "integer", scalarType: "boolean" },
    ],
    [{ type: "integer" }, { type: "boolean" }, "string"],
    [{ type: "integer" }, { type: "integer", minimum: 1 }, "integer"],
  ])(
    "a property that branches declare as %j and %j, in any order, is parsed as %j",
    (one, other, expected) => {
      const read = (branches: JsonObject[]): unknown => {
        const oneOf = branches.map((a) => ({ type: "object", properties: { a } }));
        return only({ name: "p", in: "query", style: "deepObject", schema: { oneOf } })?.type;
      };
      expect(read([one, other])).toEqual({ properties: { a: expected } });
      expect(read([other, one])).toEqual({ properties: { a: expected } });
    },
  );

  test("of the path item are inherited, and replaced by those of the same name and location", () => {
    const shared: JsonObject[] = [
      { name: "a", in: "query", schema: { type: "string" } },
      { name: "b", in: "query", schema: { type: "string" } },
      { $ref: "#/components/parameters/C" },
    ];
    const own: JsonObject[] = [
      { name: "b", in: "query", required: true, schema: { type: "integer" } },
      { name: "a", in: "header", schema: { type: "boolean" } },
    ];
    const components = { parameters: { C: { name: "c", in: "cookie", schema: { type: "string" } } } };
    const paths = { "/x": { parameters: shared, get: operationWith({ parameters: own }) } };
    const [operation] = operationsOf(documentWith(paths, { components }));
    expect(
      operation?.parameters.map(({ in: place, name, type, required }) => [place, name, type, required]),
    ).toEqual([
      ["query", "a", "string", false],
      ["query", "b", "integer", true],
      ["cookie", "c", "string", false],
      ["header", "a", "boolean", false],
    ]);
  });

  test.each(["Accept", "content-type", "AUTHORIZATION"])("header %s is none, as OpenAPI says", (name) => {
    const { parameters } = built({ parameters: [{ name, in: "header", schema: { type: "string" } }] });
    expect(parameters.map((parameter) => parameter.name)).toEqual(["id"]);
  });
});

test("warns about parameters without text between them, unless the values of the later one show where it begins", () => {
  const parameter = (name: string, schema: JsonObject, style = "simple") => {
    return { name, in: "path", required: true, schema, style };
  };
  const paths = {
    "/a/{id}{rest}": {
      get: operationWith({
        parameters: [parameter("id", { type: "string" }), parameter("rest", { type: "string" })],
      }),
    },
    "/b/{id}{ext}": {
      get: operationWith({
        parameters: [parameter("id", { type: "string" }), parameter("ext", { enum: [".json"] })],
      }),
    },
    "/c/{id}{ext}": {
      get: operationWith({
        parameters: [parameter("id", { type: "string" }), parameter("ext", { enum: [".json", ""] })],
      }),
    },
    "/d/{id}{ext}{version}": {
      get: operationWith({
        parameters: [
          parameter("id", { type: "string" }),
          parameter("ext", { type: "string" }, "label"),
          parameter("version", { type: "string" }, "matrix"),
        ],
      }),
    },
  };
  expect(problemsOf(documentWith(paths))).toEqual([
    expect.stringContaining(
      "warning /paths/~1a~1{id}{rest}: /a/{id}{rest}: nothing shows where {rest} begins",
    ),
    expect.stringContaining("/c/{id}{ext}: nothing shows where {ext} begins"),
  ]);
});

test("reports a duplicate parameter once, but not one that replaces the path item's", () => {
  const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
  const limit = { name: "limit", in: "query", schema: { type: "string" } };
  const other = { $ref: "#/components/parameters/Limit" };
  const paths = {
    "/a/{id}": {
      parameters: [id, { ...id, description: "Again." }],
      get: operationWith({ parameters: [id, limit, other, { ...limit, in: "header" }] }),
      put: operationWith(),
    },
  };
  expect(problemsOf(documentWith(paths, { components: { parameters: { Limit: limit } } }))).toEqual([
    'warning /paths/~1a~1{id}/parameters/1: The path parameter "id" is declared twice. This declaration is used, so remove the other one.',
    'warning /paths/~1a~1{id}/get/parameters/2: The query parameter "limit" is declared twice. This declaration is used, so remove the other one.',
  ]);
});

test("names of headers are compared without case, and a parameter without a name is no duplicate", () => {
  const header = (name: string) => ({ name, in: "header", schema: { type: "string" } });
  const parameters = [header("X-Trace"), header("x-trace")];
  const nameless = { in: "header" };
  const get = operationWith({ parameters: [header("x-TRACE"), nameless, nameless, header("x-trace")] });
  expect(problemsOf(documentWith({ "/a": { parameters, get } }))).toEqual([
    expect.stringContaining("/paths/~1a/get/parameters/1: A parameter needs a name"),
    expect.stringContaining("/paths/~1a/get/parameters/2: A parameter needs a name"),
    'warning /paths/~1a/parameters/1: The header parameter "x-trace" is declared twice. This declaration is used, so remove the other one.',
    expect.stringContaining('/paths/~1a/get/parameters/3: The header parameter "x-trace" is declared twice.'),
  ]);
  const document = documentWith({
    "/a": { parameters, get: operationWith({ parameters: [header("x-TRACE")] }) },
  });
  expect(operationsOf(document)[0]?.parameters.map(({ name }) => name)).toEqual(["x-TRACE"]);
});

test("warns about a member of an exploded object that has the name of another query parameter", () => {
  const schema = { type: "object", properties: { filter: {}, page: { type: "integer" } } };
  const filter = { name: "filter", in: "query", schema };
  const page = (location: string) => ({ name: "page", in: location, schema: { type: "integer" } });
  const problemsWith = (...parameters: JsonObject[]) =>
    problemsOf(documentWith({ "/a": { parameters, get: operationWith() } }));
  expect(problemsWith(filter, page("query"))).toEqual([
    expect.stringMatching(
      /^warning \/paths\/~1a\/get: .* "filter" are sent under their own names, so "page" is also/,
    ),
  ]);
  expect(problemsWith(filter, page("header"))).toEqual([]);
  expect(problemsWith({ ...filter, explode: false }, page("query"))).toEqual([]);
  expect(problemsWith({ ...filter, style: "deepObject" }, page("query"))).toEqual([]);
});

test("warns about a cookie name that must be encoded", () => {
  const parameters: JsonObject[] = ["a b", "a-b"].map((name) => ({ name, in: "cookie", schema: {} }));
  expect(problemsOf(documentWith({ "/a": { get: operationWith({ parameters }) } }))).toEqual([
    'warning /paths/~1a/get/parameters/0: The cookie parameter "a b" has a name that is not a valid cookie name. It is sent percent-encoded, which other software may not decode.',
  ]);
});

test("parameters with the schema of the same component share its type", () => {
  const declare = (style: string): JsonObject =>
    operationWith({
      parameters: [{ name: "p", in: "query", style, schema: { $ref: "#/components/schemas/Filter" } }],
    });
  const list = { type: "array", items: { type: "object", properties: { a: { type: "integer" } } } };
  const operations = operationsOf(
    documentWith(
      {
        "/a": { get: declare("form") },
        "/b": { get: declare("form") },
        "/c": { get: declare("deepObject") },
      },
      { components: { schemas: { Filter: { type: "object", properties: { list } } } } },
    ),
  );
  const [one, other, deep] = operations.map(({ parameters }) => parameters[0]?.type);
  expect(one).toMatchObject({ properties: { list: { items: "json" } } });
  expect(other).toBe(one);
  expect(deep).toMatchObject({ properties: { list: { items: { properties: { a: "integer" } } } } });
});

test("warns about nested lists that the style does not support", () => {
  const schema = { type: "array", items: { type: "array" } };
  expect(
    problemsOf(
      documentWith({ "/a": { get: operationWith({ parameters: [{ name: "p", in: "query", schema }] }) } }),
    ),
  ).toEqual([
    'warning /paths/~1a/get/parameters/0: The query parameter "p" has nested lists or objects, which the style form cannot represent. They are written as JSON.',
  ]);
});

test.each<[string, boolean, JsonObject, number]>([
  ["texts", true, { type: "string" }, 0],
  ["objects", true, { type: "object" }, 1],
  ["texts without explode", false, { type: "string" }, 1],
])(
  "the number of warnings about a query parameter whose property is a list of %s",
  (_, explode, items, count) => {
    const schema = { type: "object", properties: { sort: { type: "array", items } } };
    const parameters: JsonObject[] = [{ name: "pageable", in: "query", explode, schema }];
    const problems = problemsOf(documentWith({ "/a": { get: operationWith({ parameters }) } }));
    expect(problems.filter((each) => each.includes("They are written as JSON."))).toHaveLength(count);
  },
);

test("warns about the style deepObject of a scalar", () => {
  const schemas: JsonObject[] = [
    { type: "integer" },
    { type: "string" },
    { type: "object" },
    { oneOf: [{ type: "string" }, { type: "object" }] },
    { type: "array" },
    {},
  ];
  const parameters: JsonObject[] = schemas.map((schema, index) => {
    return { name: `p${index}`, in: "query", style: "deepObject", schema };
  });
  const problem =
    "has the style deepObject, but its schema allows no object. It is written in the style form.";
  expect(problemsOf(documentWith({ "/a": { get: operationWith({ parameters }) } }))).toEqual([
    `warning /paths/~1a/get/parameters/0: The query parameter "p0" ${problem}`,
    `warning /paths/~1a/get/parameters/1: The query parameter "p1" ${problem}`,
  ]);
});
