import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/model/model.js";
import { build, built, documentWith, operationsOf, operationWith, problemsOf } from "./document.js";

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

  test("in the path are required and have the style simple", () => {
    const [id] = built({}).parameters;
    expect(id).toMatchObject({ name: "id", in: "path", required: true, style: "simple", explode: false });
  });

  test.each<[JsonObject, object]>([
    [{ schema: { type: "integer" } }, { type: "integer" }],
    [{ schema: { type: ["integer", "null"] } }, { type: "integer" }],
    [{ schema: { type: ["integer", "string"] } }, { type: "string" }],
    [{ schema: { type: "array", items: { type: "number" } } }, { type: "array", itemType: "number" }],
    [{ schema: { items: { type: "boolean" } } }, { type: "array", itemType: "boolean" }],
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
      { schema: { anyOf: [{ type: "number" }, { type: "string", pattern: "^[a-z]+$" }] } },
      { type: "number" },
    ],
    [
      { schema: { anyOf: [{ type: "number" }, { type: "string", pattern: "^[0-9]+$" }] } },
      { type: "string" },
    ],
    // Patterns with possibly exponential time are not tested, so they may match a number.
    [{ schema: { anyOf: [{ type: "number" }, { type: "string", pattern: "^(a+)*$" }] } }, { type: "string" }],
    [
      { schema: { anyOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] } },
      { type: "array", itemType: "string", scalarType: "string" },
    ],
    [
      {
        style: "deepObject",
        schema: { anyOf: [{ type: "integer" }, { properties: { gt: { type: "integer" } } }] },
      },
      { type: "object", properties: { gt: "integer" }, scalarType: "integer" },
    ],
    [
      { schema: { type: "object", additionalProperties: { type: "integer" } } },
      { type: "object", itemType: "integer", additionalProperties: true },
    ],
    [{ schema: { type: "object", properties: { a: {} } } }, { type: "object", additionalProperties: false }],
    [{ schema: { type: "array", items: { type: "object" } } }, { type: "array", itemType: "json" }],
    [
      {
        style: "deepObject",
        schema: { type: "object", properties: { a: { type: "array", items: { type: "number" } } } },
      },
      { type: "object", properties: { a: { items: "number" } } },
    ],
    [{ schema: { allOf: [{ type: "integer" }, { minimum: 1 }] } }, { type: "integer" }],
    [{ schema: { anyOf: [{ type: "integer" }, { type: "null" }] } }, { type: "integer" }],
    [{ schema: { oneOf: [{ type: "integer" }, { type: "string" }] } }, { type: "string" }],
    [{ schema: { $ref: "#/components/schemas/Count" } }, { type: "integer" }],
    [{ schema: { $ref: "#/components/schemas/Loop" } }, { type: "string" }],
    [{ schema: true }, { type: "string" }],
    [{}, { type: "string", schema: undefined }],
    [{ content: { "application/json": { schema: { type: "integer" } } } }, { type: "json" }],
    [
      { schema: { type: "object", properties: { a: { type: "integer" }, b: {} } } },
      { type: "object", properties: { a: "integer", b: "string" } },
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
    [{ properties: { b: {} } }, { type: "integer" }, { properties: { b: "string" }, rest: "string" }],
    [{ type: "array", items: {} }, { properties: { b: {} } }, { items: "string" }],
    [
      { type: "array", items: { type: "integer" } },
      { type: "array", items: { type: "boolean" } },
      { items: "string" },
    ],
    [
      { properties: { b: { type: "integer" }, c: { type: "integer" } } },
      { properties: { b: { type: "boolean" }, d: { type: "boolean" } } },
      { properties: { b: "string", c: "integer", d: "boolean" }, rest: "string" },
    ],
    [{ type: "integer" }, { type: "boolean" }, "string"],
    [{ type: "integer" }, { type: "integer", minimum: 1 }, "integer"],
  ])(
    "a property that branches declare as %j and %j, in any order, is parsed as %j",
    (one, other, expected) => {
      const read = (branches: JsonObject[]): unknown => {
        const oneOf = branches.map((a) => ({ type: "object", properties: { a } }));
        return only({ name: "p", in: "query", style: "deepObject", schema: { oneOf } })?.properties;
      };
      expect(read([one, other])).toEqual({ a: expected });
      expect(read([other, one])).toEqual({ a: expected });
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

describe("responses", () => {
  const statuses = (...keys: string[]) =>
    Object.fromEntries(
      built({
        responses: Object.fromEntries(keys.map((key) => [key, { description: "" }])),
      }).responses.map((response) => [response.key, response.statuses]),
    );

  test("have the statuses of their key", () => {
    expect(statuses("200", "404")).toEqual({ 200: [200], 404: [404] });
  });

  test("of `default` have the error statuses if a success is declared", () => {
    expect(statuses("200", "default").default).not.toContain(201);
    expect(statuses("2XX", "default").default).not.toContain(200);
    expect(statuses("201", "default").default).not.toContain(200);
    expect(statuses("404", "default").default).toEqual(expect.arrayContaining([200, 201, 500]));
  });

  test("of a range exclude explicit statuses, and `default` excludes both", () => {
    const found = statuses("200", "404", "4XX", "default");
    expect(found["4XX"]).toEqual(expect.arrayContaining([400, 401, 429, 451]));
    expect(found["4XX"]).not.toContain(404);
    expect(found.default).toEqual(expect.arrayContaining([302, 500, 503]));
    for (const status of [200, 400, 404]) expect(found.default).not.toContain(status);
    const all = Object.values(found).flat();
    expect(new Set(all).size).toBe(all.length);
  });

  test("have their headers except Content-Type", () => {
    const headers = {
      "X-A": { required: true, schema: { type: "integer" } },
      "X-B": { schema: { type: "array", items: { type: "string" } } },
      "X-C": { $ref: "#/components/headers/C" },
      "content-type": { schema: { type: "string" } },
    };
    const components = { headers: { C: { content: { "application/json": { schema: {} } } } } };
    const { responses } = built({ responses: { "200": { description: "", headers } } }, { components });
    const at = "/paths/~1things~1{id}/post/responses/200/headers";
    const plain = { itemType: "string", properties: {}, explode: false };
    expect(responses[0]?.headers).toMatchObject([
      { name: "X-A", required: true, type: "integer", schema: { pointer: `${at}/X-A/schema` }, ...plain },
      { name: "X-B", required: false, type: "array", schema: { pointer: `${at}/X-B/schema` }, ...plain },
      { name: "X-C", required: false, type: "json", ...plain },
    ]);
  });

  test.each([
    ["application/json", "json"],
    ["application/JSON; charset=utf-8", "json"],
    ["application/problem+json", "json"],
    ["*/*", "json"],
    ["text/plain", "text"],
    ["text/event-stream", "text"],
    ["application/x-www-form-urlencoded", "form"],
    ["multipart/form-data", "multipart"],
    ["application/x-ndjson", "binary"],
    ["image/*", "binary"],
  ])("of media type %s are %s", (name, kind) => {
    const operation = built({ requestBody: { content: { [name]: {} } } });
    expect(operation.body).toMatchObject({
      required: false,
      mediaTypes: [{ name, kind, schema: undefined, fields: [], item: undefined }],
    });
  });

  test("of any media type are JSON, unless the schema declares bytes", () => {
    const kinds = ["string", "binary"].map((format) => {
      const content = { "*/*": { schema: { type: "string", format } } };
      return built({ requestBody: { content } }).body?.mediaTypes.map(({ kind }) => kind);
    });
    expect(kinds).toEqual([["json"], ["binary"]]);
  });
});

describe("groups", () => {
  test("are named after the first tag and sorted by it, with unique names", () => {
    const paths = {
      "/a": { get: operationWith({ operationId: "a", tags: ["Odd things", "Pages"] }) },
      "/b": { get: operationWith({ operationId: "b" }) },
      "/c": { get: operationWith({ operationId: "c", tags: ["odd-things"] }) },
      "/d": { get: operationWith({ operationId: "d", tags: ["Odd things"] }) },
      "/e": { get: operationWith({ operationId: "e", tags: ["🧭"] }) },
      "/f": { get: operationWith({ operationId: "f", tags: ["__proto__"] }) },
    };
    expect(
      build(documentWith(paths)).groups.map(({ tag, name, interfaceName, operations }) => [
        tag,
        name,
        interfaceName,
        operations.map((operation) => operation.name).join(),
      ]),
    ).toEqual([
      ["Odd things", "oddThings", "OddThingsHandlers", "a,d"],
      ["__proto__", "__proto__Operation", "ProtoOperationHandlers", "f"],
      ["default", "default", "DefaultHandlers", "b"],
      ["odd-things", "oddThings2", "OddThings2Handlers", "c"],
      ["🧭", "untitled", "UntitledHandlers", "e"],
    ]);
  });
});

describe("different names with the same type name", () => {
  const paths = {
    "/a": { get: operationWith({ operationId: "a_b", tags: ["x_y"] }) },
    "/b": { get: operationWith({ operationId: "aB", tags: ["xY"] }) },
    "/c": { get: operationWith({ operationId: "ab2", tags: ["$"] }) },
    "/d": { get: operationWith({ operationId: "_", tags: ["_"] }) },
    "/e": { get: operationWith({ operationId: "$" }) },
  };

  test("get different type names", () => {
    const { groups } = build(documentWith(paths));
    expect(
      groups.flatMap(({ interfaceName, operations }) =>
        operations.map(({ name, typeName }) => `${interfaceName} ${name} ${typeName}`),
      ),
    ).toEqual([
      "UntitledHandlers ab2 Ab2",
      "Untitled2Handlers _ Operation",
      "DefaultHandlers $ Operation2",
      "XYHandlers aB AB3",
      "XY2Handlers a_b AB",
    ]);
  });
});

const PART = "/paths/~1things~1{id}/post/requestBody/content/multipart~1form-data/encoding/a";

/** Creates an operation with a multipart body whose part `a` has an encoding. */
function createPartBody(encoding: JsonObject, schema: JsonObject = { type: "array" }): JsonObject {
  const mediaType = { schema: { type: "object", properties: { a: schema } }, encoding: { a: encoding } };
  return { requestBody: { content: { "multipart/form-data": mediaType } } };
}

describe("warns about encodings of parts without effect", () => {
  test.each([
    ["text/csv", false],
    ["application/xml", false],
    ["image/svg+xml", false],
    ["application/problem+json", false],
    ["image/png", true],
  ])("a text with the content type %s is a file: %s", (contentType, file) => {
    const { body } = built(createPartBody({ contentType }, { type: "string" }));
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ name: "a", file }]);
  });

  const getWarnings = (part: JsonObject): string[] => {
    const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
    return problemsOf(documentWith({ "/things/{id}": { parameters: [id], post: operationWith(part) } }));
  };
  const asParts = 'of the part "a" is ignored: an array is sent as one part for each item, an object as JSON';
  const headers = { "X-A": { schema: { type: "string" } } };

  test.each<[string, JsonObject, string[]]>([
    ["a style", { style: "pipeDelimited" }, [`warning ${PART}: style ${asParts}`]],
    ["explode and a style", { style: "form", explode: false }, [`warning ${PART}: explode ${asParts}`]],
    ["allowReserved", { allowReserved: true }, [`warning ${PART}: allowReserved ${asParts}`]],
    [
      "headers",
      { headers },
      [
        `warning ${PART}: headers of the part "a" are neither required nor validated; handlers get the headers that a file is sent with`,
      ],
    ],
    ["but not the default behaviour", { style: "form", explode: true, allowReserved: false }, []],
    ["but not the header Content-Type, which contentType replaces", { headers: { "Content-Type": {} } }, []],
    ["but not a media type in any notation", { contentType: 'image/*, a/b ; c="d\\" e";F=g' }, []],
  ])("%s", (_, encoding, warnings) => {
    expect(getWarnings(createPartBody(encoding))).toEqual(warnings);
  });

  test("with any style of an object", () => {
    expect(getWarnings(createPartBody({ style: "form", explode: true }, { type: "object" }))).toEqual([
      `warning ${PART}: style, explode ${asParts}`,
    ]);
  });

  test("with headers of a field, and an invalid content type", () => {
    const encoding = { headers, contentType: "json" };
    const mediaType = { schema: { properties: { a: {} } }, encoding: { a: encoding } };
    const content = { "application/x-www-form-urlencoded": mediaType };
    const at = PART.replace("multipart~1form-data", "application~1x-www-form-urlencoded");
    expect(getWarnings({ requestBody: { content } })).toEqual([
      `warning ${at}: contentType has "json", which is not a media type; it is ignored`,
      `warning ${at}: headers of the field "a" are ignored: only the parts of a multipart body have headers`,
    ]);
  });
});

describe("reports all mistakes together with their locations", () => {
  test.each([
    [
      "a style of another location",
      { parameters: [{ name: "p", in: "query", style: "matrix", schema: {} }] },
      '/paths/~1things~1{id}/post/parameters/0: style "matrix" is not allowed for a query parameter',
    ],
    [
      "an unknown location",
      { parameters: [{ name: "p", in: "body", schema: {} }] },
      "/paths/~1things~1{id}/post/parameters/0: a parameter needs a name and one of the locations path, query, header and cookie",
    ],
    [
      "a location of OpenAPI 3.2",
      { parameters: [{ name: "p", in: "querystring", content: { "application/json": {} } }] },
      "/paths/~1things~1{id}/post/parameters/0: a parameter in: querystring is not supported; declare one in: query for each of its keys",
    ],
    [
      "an invalid header name",
      { parameters: [{ name: "a b", in: "header", schema: {} }] },
      '/paths/~1things~1{id}/post/parameters/0: the header parameter "a b" has a name that HTTP does not allow for a header',
    ],
    [
      "an unresolved parameter",
      { parameters: [{ $ref: "#/components/parameters/Gone" }] },
      "/paths/~1things~1{id}/post/parameters/0: a parameter needs a name and one of the locations path, query, header and cookie",
    ],
    [
      "a style that form fields do not support",
      {
        requestBody: {
          content: {
            "application/x-www-form-urlencoded": {
              schema: { properties: { a: {} } },
              encoding: { a: { style: "matrix" } },
            },
          },
        },
      },
      `${PART.replace("multipart~1form-data", "application~1x-www-form-urlencoded")}: style "matrix" is not supported in a form; use form, spaceDelimited, pipeDelimited, deepObject`,
    ],
    [
      "a body that refers to itself",
      { requestBody: { $ref: "#/paths/~1things~1{id}/post/requestBody" } },
      "/paths/~1things~1{id}/post/requestBody: the request body cannot be resolved",
    ],
    [
      "an invalid status",
      { responses: { ok: { description: "" } } },
      '/paths/~1things~1{id}/post/responses/ok: "ok" is not a status; use one such as "200", a range such as "4XX", or "default"',
    ],
    [
      "an invalid response header name",
      { responses: { "200": { description: "", headers: { "a b": { schema: {} } } } } },
      '/paths/~1things~1{id}/post/responses/200/headers/a b: the response header "a b" has a name that HTTP does not allow for a header',
    ],
    [
      "a content type of a part with a line break",
      createPartBody({ contentType: "text/plain, text/csv\r\nX-A: b" }),
      `${PART}: contentType has "text/csv\\r\\nX-A: b", which is not a media type`,
    ],
    [
      "a content type of a part that is slow to parse",
      createPartBody({ contentType: `a/b${`;${" ".repeat(20)}`.repeat(500)}?` }),
      expect.stringContaining(`${PART}: contentType has "a/b;`),
    ],
    [
      "an unresolved header",
      { responses: { "200": { description: "", headers: { "X-A": { $ref: "#/gone" } } } } },
      '/paths/~1things~1{id}/post/responses/200/headers/X-A: the header "X-A" cannot be resolved',
    ],
  ])("%s", (_, part, problem) => {
    const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
    const paths = {
      "/things/{id}": { parameters: [id], post: operationWith(part) },
      "/bad{": { get: operationWith() },
    };
    expect(problemsOf(documentWith(paths)).sort()).toEqual([
      expect.stringContaining("/paths/~1bad{/get: /bad{ cannot be made a route"),
      problem,
    ]);
  });
});

test("accepts parameters without text between them, with a warning unless the later one has listed values", () => {
  const parameter = (name: string, schema: JsonObject) => ({ name, in: "path", required: true, schema });
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
  };
  expect(problemsOf(documentWith(paths))).toEqual([
    expect.stringContaining(
      "warning /paths/~1a~1{id}{rest}/get: /a/{id}{rest}: nothing shows where {rest} begins",
    ),
    expect.stringContaining("/c/{id}{ext}: nothing shows where {ext} begins"),
  ]);
});

describe("the order of the document", () => {
  const tags = ["b", "a", "A"];
  const paths: JsonObject = Object.fromEntries(
    ["/z", "/y", "/x", "/w", "/v"].map((path, index) => [
      path,
      {
        get: operationWith({ operationId: ["list", "List", "list-", "li-st", "list2"][index] ?? "" }),
        post: operationWith({ tags: [tags[index % 3] ?? ""] }),
      },
    ]),
  );
  const names = (document: JsonObject): string[] =>
    build(document)
      .groups.flatMap((group) =>
        group.operations.map(
          ({ method, path, id, name }) => `${method} ${path} ${id} ${name} ${group.interfaceName}`,
        ),
      )
      .sort();

  test("does not affect names", () => {
    const reversed = Object.fromEntries(
      Object.entries(paths)
        .toReversed()
        .map(([path, item]) => [path, Object.fromEntries(Object.entries(item ?? {}).toReversed())]),
    );
    expect(names(documentWith(reversed))).toEqual(names(documentWith(paths)));
    expect(new Set(names(documentWith(paths)).map((line) => line.split(" ")[3])).size).toBe(10);
  });

  test("of groups is the order of tags, and of their operations the order of the document", () => {
    const tagged = (...tags: string[]) => operationWith({ tags });
    const { groups, operations: all } = build(
      documentWith({ "/b": { get: tagged("z") }, "/a": { get: tagged("a"), post: tagged("z") } }),
    );
    expect(groups.map(({ tag, operations }) => [tag, operations.map(({ path }) => path)])).toEqual([
      ["a", ["/a"]],
      ["z", ["/b", "/a"]],
    ]);
    expect(all).toEqual(groups.flatMap(({ operations }) => operations));
  });

  test("the document itself is not changed", () => {
    const document = documentWith(paths);
    const before = structuredClone(document);
    build(document);
    expect(document).toEqual(before);
  });
});

test("warns about requests that fetch does not send", () => {
  const content = { "application/json": { schema: {} } };
  const paths = {
    "/a": {
      get: operationWith({ requestBody: { content } }),
      trace: operationWith(),
      post: operationWith({ requestBody: { content } }),
    },
  };
  expect(problemsOf(documentWith(paths))).toEqual([
    "warning /paths/~1a/get: fetch sends no body with GET: the client's method will throw when it is given one",
    "warning /paths/~1a/trace: fetch sends no TRACE requests: the client's method will throw",
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
    'warning /paths/~1a~1{id}/parameters/1: the path parameter "id" is declared twice; this declaration is used, so remove the other one',
    'warning /paths/~1a~1{id}/get/parameters/2: the query parameter "limit" is declared twice; this declaration is used, so remove the other one',
  ]);
});

test("warns about a cookie name that must be encoded", () => {
  const parameters: JsonObject[] = ["a b", "a-b"].map((name) => ({ name, in: "cookie", schema: {} }));
  expect(problemsOf(documentWith({ "/a": { get: operationWith({ parameters }) } }))).toEqual([
    'warning /paths/~1a/get/parameters/0: the cookie parameter "a b" has a name that is not a valid cookie name: it is sent percent-encoded, which other software may not decode',
  ]);
});

test("warns about nested lists that the style does not support", () => {
  const schema = { type: "array", items: { type: "array" } };
  expect(
    problemsOf(
      documentWith({ "/a": { get: operationWith({ parameters: [{ name: "p", in: "query", schema }] }) } }),
    ),
  ).toEqual([
    'warning /paths/~1a/get/parameters/0: the query parameter "p" has nested lists or objects, which the style form cannot represent: they are written as JSON',
  ]);
});

test("examples come from the media type, including references, and then from its schema", () => {
  const examples = {
    own: { value: 1 },
    shared: { $ref: "#/components/examples/Shared" },
    elsewhere: { externalValue: "https://example.test/e.json" },
  };
  const content = { "application/json": { schema: { examples: [3] }, examples } };
  const { body } = built(
    { requestBody: { content } },
    { components: { examples: { Shared: { value: 2 } } } },
  );
  expect(body?.mediaTypes[0]?.examples).toEqual([
    { name: "own", value: 1 },
    { name: "shared", value: 2 },
    { name: undefined, value: 3 },
  ]);
});

describe("media type ranges", () => {
  test.each<[string, unknown]>([
    ["*/*", { prefix: "", suffix: "" }],
    ["image/*", { prefix: "image/", suffix: "" }],
    ["application/*+json; charset=utf-8", { prefix: "application/", suffix: "+json" }],
    ["application/json", undefined],
    ["application/vnd.a*b", undefined],
  ])("%s", (name, range) => {
    const { body } = built({ requestBody: { content: { [name]: {} } } });
    expect(body?.mediaTypes[0]?.range).toEqual(range);
  });
});

describe("security and servers", () => {
  const components = {
    securitySchemes: {
      token: { type: "http", scheme: "Bearer" },
      key: { type: "apiKey", in: "header", name: "X-Key" },
      login: { type: "oauth2", flows: { implicit: { scopes: { read: "Read.", write: "Write." } } } },
      bad: { type: "apiKey", in: "body", name: "k" },
    },
  };
  const rest: JsonObject = {
    components,
    security: [{ token: [] }, { key: [], login: ["read"] }],
    servers: [
      {
        url: "https://{region}.example.test/v1",
        variables: { region: { default: "eu", enum: ["eu", "us"] } },
      },
    ],
  };

  test("security schemes have the scopes of all flows", () => {
    expect(build(documentWith({}, rest)).securitySchemes).toEqual([
      { name: "token", type: "http", description: "", scheme: "bearer" },
      { name: "key", type: "apiKey", description: "", in: "header", key: "X-Key" },
      { name: "login", type: "oauth2", description: "", scopes: { read: "Read.", write: "Write." } },
    ]);
  });

  test("an operation has its own requirement or the document's; an empty one makes it public", () => {
    const shared = [
      [{ scheme: "token", scopes: [] }],
      [
        { scheme: "key", scopes: [] },
        { scheme: "login", scopes: ["read"] },
      ],
    ];
    expect(built({}, rest).security).toEqual(shared);
    expect(built({ security: [] }, rest).security).toEqual([]);
    expect(built({ security: [{}, { key: [] }] }, rest).security).toEqual([
      [],
      [{ scheme: "key", scopes: [] }],
    ]);
    expect(built({}, { components }).security).toEqual([]);
  });

  test("warns once about an undeclared scheme", () => {
    const paths = { "/a": { get: operationWith(), put: operationWith() } };
    expect(problemsOf(documentWith(paths, { ...rest, security: [{ token: [], tokn: [] }] }))).toEqual([
      'warning /security/0/tokn: the security scheme "tokn" is not declared; add it to securitySchemes',
    ]);
  });

  test("servers use the defaults of their variables; an operation's servers come first", () => {
    expect(built({}, rest).servers[0]).toMatchObject({
      url: "https://eu.example.test/v1",
      template: "https://{region}.example.test/v1",
      variables: [{ name: "region", default: "eu", values: ["eu", "us"] }],
    });
    const path: JsonObject = { url: "/{a}/{a}", variables: { a: { default: "$&" } } };
    expect(built({ servers: [path] }).servers.map(({ url }) => url)).toEqual(["/$&/$&"]);
    expect(built({ servers: [{ url: "/own" }] }, rest).servers.map(({ url }) => url)).toEqual(["/own"]);
    expect(built({}).servers).toEqual([]);
  });

  test.each([
    [
      "protocol://hostname:<port>/switch/",
      'the server is left out, because "protocol://hostname:<port>/switch/" is not a URL; correct it',
    ],
    [
      "https://{host}/v1",
      'the server is left out, because "https://{host}/v1" is not a URL; declare the variable "host" with a default',
    ],
    [
      "/{version}",
      'the server is left out, because "/{version}" is not a URL; declare the variable "version" with a default',
    ],
  ])("reports the server %s once and omits it", (url, message) => {
    const servers = [{ url }, { url: "/v2" }];
    expect(built({}, { servers }).servers.map((server) => server.url)).toEqual(["/v2"]);
    const paths = { "/a": { get: operationWith(), put: operationWith() } };
    expect(problemsOf(documentWith(paths, { servers }))).toEqual([`warning /servers/0: ${message}`]);
  });
});

describe("schemas have the form of their direction", () => {
  const thing: JsonObject = {
    type: "object",
    properties: { id: { readOnly: true }, secret: { writeOnly: true } },
  };
  const body = { content: { "application/json": { schema: thing } } };
  const message: JsonObject = { requestBody: body, responses: { "200": { description: "", ...body } } };
  const names = (mediaTypes: { schema: { properties: ReadonlyMap<string, unknown> } | undefined }[] = []) =>
    mediaTypes.flatMap(({ schema }) => [...(schema?.properties.keys() ?? [])]);

  test("in operations, webhooks and callbacks", () => {
    const callbacks = { done: { "x-note": {}, "{$request.body#/url}": { post: message } } };
    const api = build(
      documentWith({ "/a": { post: { ...message, callbacks } } }, { webhooks: { event: { post: message } } }),
    );
    const [operation] = api.operations;
    const [webhook] = api.webhooks;
    const callback = operation?.callbacks[0]?.expressions[0]?.exchanges[0];
    expect([operation, webhook, callback].map((each) => names(each?.body?.mediaTypes))).toEqual([
      ["secret"],
      ["id"],
      ["id"],
    ]);
    expect([operation, webhook, callback].map((each) => names(each?.responses[0]?.mediaTypes))).toEqual([
      ["id"],
      ["secret"],
      ["secret"],
    ]);
  });
});

test("webhooks are named after their operationId, otherwise after their name, and their method if they have several", () => {
  const webhooks = {
    "new pet": { post: operationWith() },
    changed: { post: operationWith(), delete: operationWith() },
    sold: { post: operationWith({ operationId: "petSold" }) },
  };
  expect(build(documentWith({}, { webhooks })).webhooks.map(({ typeName }) => typeName)).toEqual([
    "NewPetWebhook",
    "ChangedPostWebhook",
    "ChangedDeleteWebhook",
    "PetSoldWebhook",
  ]);
});

test.each<[JsonObject, boolean]>([
  [{ data: { type: "string" }, event: { type: "string" } }, true],
  [{ data: { type: "string" }, total: { type: "integer" } }, false],
  [{ event: { type: "string" } }, false],
])("a schema with the properties %j describes an event: %s", (properties, describesEvent) => {
  const content = { "text/event-stream": { schema: { type: "object", properties } } };
  const [response] = built({ responses: { 200: { description: "Events.", content } } }).responses;
  expect(response?.mediaTypes[0]?.item).toMatchObject({
    describesEvent,
    data: describesEvent ? "text" : "json",
  });
});

test("the index of an item in a reference has no leading zeros", () => {
  const refer = (index: string): string[] => {
    const parameters = [{ $ref: `#/paths/~1a/get/parameters/${index}` }];
    const own = [{ name: "p", in: "query", schema: { type: "string" } }];
    return problemsOf(
      documentWith({
        "/a": { get: operationWith({ parameters: own }) },
        "/b": { get: operationWith({ parameters }) },
      }),
    );
  };
  expect(refer("0")).toEqual([]);
  expect(refer("00")).toEqual([
    expect.stringContaining("/paths/~1b/get/parameters/0: a parameter needs a name"),
  ]);
});

test("references can refer to parameters, headers and responses inside other operations", () => {
  const response = {
    description: "All.",
    headers: { "X-A": { schema: { type: "integer" } } },
    content: { "application/json": { schema: { type: "array", items: {} } } },
  };
  const paths: JsonObject = {
    "/a": {
      get: {
        parameters: [{ name: "x", in: "query", schema: { type: "integer" } }],
        responses: { "200": response },
      },
    },
    "/b": {
      get: {
        parameters: [{ $ref: "#/paths/~1a/get/parameters/0" }],
        responses: {
          "200": { $ref: "#/paths/~1a/get/responses/200" },
          "404": {
            description: "",
            headers: { "X-B": { $ref: "#/paths/~1a/get/responses/200/headers/X-A" } },
          },
        },
      },
    },
  };
  const [, operation] = operationsOf(documentWith(paths));
  expect(operation?.parameters).toMatchObject([{ name: "x", type: "integer" }]);
  expect(operation?.responses[0]?.mediaTypes[0]?.schema?.declaredTypes).toEqual(["array"]);
  expect(operation?.responses[1]?.headers).toMatchObject([{ name: "X-B", type: "integer" }]);
});
