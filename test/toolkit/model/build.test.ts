import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import {
  build,
  built,
  documentWith,
  operationsOf,
  operationWith,
  problemsOf,
  createPartBody,
  PART,
} from "./document.js";

describe("groups", () => {
  test("are named after the first tag and sorted by it, with unique names", () => {
    const paths = {
      "/a": { get: operationWith({ operationId: "a", tags: ["Odd things", "Pages"] }) },
      "/b": { get: operationWith({ operationId: "b" }) },
      "/c": { get: operationWith({ operationId: "c", tags: ["odd-things"] }) },
      "/g": { get: operationWith({ operationId: "g", tags: [""] }) },
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
      ["default", "default", "DefaultHandlers", "b,g"],
      ["odd-things", "oddThings2", "OddThings2Handlers", "c"],
      ["🧭", "untitled", "UntitledHandlers", "e"],
    ]);
  });
});

test("warns about tags that give the same name of an interface", () => {
  const paths = {
    "/a": { get: operationWith({ operationId: "a", tags: ["Users"] }) },
    "/b": { get: operationWith({ operationId: "b", tags: ["users"] }) },
    "/c": { get: operationWith({ operationId: "c", tags: ["x_y", "USERS"] }) },
    "/d": { get: operationWith({ operationId: "d", tags: ["xY"] }) },
    "/e": { get: operationWith({ operationId: "e", tags: ["Pages"] }) },
  };
  expect(problemsOf(documentWith(paths))).toEqual([
    'warning /paths/~1a/get/tags/0: The tags "users" and "Users" give the same name, so the operations of "Users" are in Users2Handlers. Write both alike, or rename one.',
    'warning /paths/~1c/get/tags/0: The tags "xY" and "x_y" give the same name, so the operations of "x_y" are in XY2Handlers. Write both alike, or rename one.',
  ]);
});

test("warns about closed schemas that are combined with the properties of other schemas", () => {
  const to = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });
  const closed = { type: "object", properties: { a: {} }, additionalProperties: false };
  const schemas: JsonObject = {
    Base: closed,
    Child: { allOf: [to("Base"), { properties: { a: {}, b: {} } }] },
    OtherChild: { allOf: [to("Base")], properties: { c: {} } },
    ClosedChild: { ...closed, allOf: [to("Open")] },
    Open: { properties: { o: {} } },
    Same: { ...closed, allOf: [{ ...closed, description: "It." }, { required: ["a"] }] },
    Named: { ...closed, patternProperties: { "^x-": {} }, allOf: [to("Open")] },
    Unevaluated: { allOf: [to("Open")], properties: { a: {} }, unevaluatedProperties: false },
  };
  expect(problemsOf(documentWith({}, { components: { schemas } }))).toEqual([
    'warning /components/schemas/Base/additionalProperties: Values of Child cannot have the property "b", because this schema allows only its own properties. Remove `additionalProperties: false`, or declare the property here, too.',
    'warning /components/schemas/ClosedChild/additionalProperties: Values of ClosedChild cannot have the property "o", because this schema allows only its own properties. Remove `additionalProperties: false`, or declare the property here, too.',
  ]);
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
      "Untitled2Handlers _ Operation2",
      "DefaultHandlers $ Operation",
      "XYHandlers aB AB",
      "XY2Handlers a_b AB3",
    ]);
  });
});

test("the route of an expression such as {+id} has the declared parameter", () => {
  const id = { name: "id", in: "path", required: true, schema: { type: "integer" } };
  const paths = { "/{+id}": { get: operationWith({ parameters: [id] }) } };
  expect(operationsOf(documentWith(paths))).toMatchObject([
    { path: "/{id}", route: "/:id", parameters: [{ name: "id", type: "integer" }] },
  ]);
});

test("an operationId that gives the name of another operation is reported", () => {
  const paths = {
    "/a": { get: operationWith({ operationId: "get-pet" }) },
    "/b": { get: operationWith({ operationId: "getPet" }) },
    "/c": { get: operationWith({ operationId: "get-pets" }) },
  };
  expect(problemsOf(documentWith(paths))).toEqual([
    'warning /paths/~1a/get/operationId: The operationId "get-pet" gives the same name as another one, so this operation is called getPet2. Choose a more different operationId.',
  ]);
});

describe("reports all mistakes together with their locations", () => {
  test.each([
    [
      "a style of another location",
      { parameters: [{ name: "p", in: "query", style: "matrix", schema: {} }] },
      '/paths/~1things~1{id}/post/parameters/0/style: The style "matrix" is not allowed for a query parameter. Use form or spaceDelimited or pipeDelimited or deepObject.',
    ],
    [
      "an unknown location",
      { parameters: [{ name: "p", in: "body", schema: {} }] },
      "/paths/~1things~1{id}/post/parameters/0: A parameter needs a name and one of the locations path, query, header and cookie.",
    ],
    [
      "a location of OpenAPI 3.2",
      { parameters: [{ name: "p", in: "querystring", content: { "application/json": {} } }] },
      "/paths/~1things~1{id}/post/parameters/0: A parameter in: querystring is not supported. Declare one in: query for each of its keys.",
    ],
    [
      "an invalid header name",
      { parameters: [{ name: "a b", in: "header", schema: {} }] },
      '/paths/~1things~1{id}/post/parameters/0: The header parameter "a b" has a name that HTTP does not allow for a header. Use letters, digits and hyphens.',
    ],
    [
      "a header name that Node.js drops",
      { parameters: [{ name: "__proto__", in: "header", schema: {} }] },
      '/paths/~1things~1{id}/post/parameters/0: The header parameter "__proto__" has a name that Node.js drops, in its fetch and in its HTTP server. Rename it.',
    ],
    [
      "an unresolved parameter",
      { parameters: [{ $ref: "#/components/parameters/Gone" }] },
      "/paths/~1things~1{id}/post/parameters/0: A parameter needs a name and one of the locations path, query, header and cookie.",
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
      `${PART.replace("multipart~1form-data", "application~1x-www-form-urlencoded")}: The style "matrix" is not supported in a form. Use form, spaceDelimited, pipeDelimited, deepObject.`,
    ],
    [
      "a body that refers to itself",
      { requestBody: { $ref: "#/paths/~1things~1{id}/post/requestBody" } },
      "/paths/~1things~1{id}/post/requestBody: The request body cannot be resolved. Correct its $ref or add the target.",
    ],
    [
      "a schema instead of a response",
      { responses: { "200": { $ref: "#/components/schemas/Thing" } } },
      "/paths/~1things~1{id}/post/responses/200: This $ref leads to a schema, not to a response. Write `content` with a media type, and the $ref as its `schema`.",
    ],
    [
      "a text instead of a request body",
      { requestBody: { $ref: "#/info/title" } },
      "/paths/~1things~1{id}/post/requestBody: The request body is not an object. Correct its $ref or add the target.",
    ],
    [
      "a text instead of a response",
      { responses: { "200": { $ref: "#/info/title" } } },
      "/paths/~1things~1{id}/post/responses/200: The response is not an object. Correct its $ref or add the target.",
    ],
    [
      "a text instead of a response header",
      { responses: { "200": { description: "", headers: { X: { $ref: "#/info/title" } } } } },
      '/paths/~1things~1{id}/post/responses/200/headers/X: The header "X" is not an object. Correct its $ref or add the target.',
    ],
    [
      "an invalid status",
      { responses: { ok: { description: "" } } },
      '/paths/~1things~1{id}/post/responses/ok: "ok" is not a status. Use one such as "200", a range such as "4XX", or "default".',
    ],
    [
      "an invalid response header name",
      { responses: { "200": { description: "", headers: { "a b": { schema: {} } } } } },
      '/paths/~1things~1{id}/post/responses/200/headers/a b: The response header "a b" has a name that HTTP does not allow for a header. Use letters, digits and hyphens.',
    ],
    [
      "a content type of a part with a line break",
      createPartBody({ contentType: "text/plain, text/csv\r\nX-A: b" }),
      `${PART}: The contentType has "text/csv\\r\\nX-A: b", which is not a media type.`,
    ],
    [
      "a content type of a part that is slow to parse",
      createPartBody({ contentType: `a/b${`;${" ".repeat(20)}`.repeat(500)}?` }),
      expect.stringContaining(`${PART}: The contentType has "a/b;`),
    ],
    [
      "an unresolved header",
      { responses: { "200": { description: "", headers: { "X-A": { $ref: "#/gone" } } } } },
      '/paths/~1things~1{id}/post/responses/200/headers/X-A: The header "X-A" cannot be resolved. Correct its $ref or add the target.',
    ],
  ])("%s", (_, part, problem) => {
    const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
    const paths = {
      "/things/{id}": { parameters: [id], post: operationWith(part) },
      "/bad{": { get: operationWith() },
    };
    const components = { schemas: { Thing: { type: "object" } } };
    expect(problemsOf(documentWith(paths, { components })).sort()).toEqual([
      expect.stringContaining("/paths/~1bad{: /bad{ cannot be converted to a route"),
      problem,
    ]);
  });
});

test.each(["/a/{b}{;c}", "/a/{}"])(
  "reports only the cause for the path %s, whose parameters are not declared",
  (path) => {
    expect(problemsOf(documentWith({ [path]: { get: operationWith() } }))).toEqual([
      expect.stringContaining(`: ${path} cannot be converted to a route`),
    ]);
  },
);

test.each(["#/gone", "#/info/title", "#/tags"])(
  "refuses a path item whose $ref leads to no object: %s",
  ($ref) => {
    expect(problemsOf(documentWith({ "/a": { $ref } }, { tags: [{ name: "a" }] }))).toEqual([
      "/paths/~1a: The path item of /a cannot be resolved. Correct its $ref or add the target.",
    ]);
  },
);

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

test("an extension among the paths is ignored, and any other name without a slash is an error", () => {
  const paths = { "x-note": { get: operationWith(), query: {} }, "/a": { get: operationWith() } };
  expect(problemsOf({ ...documentWith(paths), openapi: "3.2.0" })).toEqual([]);
  expect(operationsOf(documentWith(paths)).map(({ path }) => path)).toEqual(["/a"]);
  expect(problemsOf(documentWith({ a: { get: operationWith() } }))).toEqual([
    '/paths/a: The path "a" must begin with a slash. Add it.',
  ]);
});

test("a path that no server accepts is an error, because its parameters would take minutes", () => {
  const path = `/${"a".repeat(8000)}`;
  expect(problemsOf(documentWith({ [path.slice(0, 8000)]: {}, [path]: {} }))).toEqual([
    `/paths/~1${path.slice(1)}: This path has 8001 characters, but servers accept about 8000. Shorten it.`,
  ]);
});

test("warns about an operation without responses, but not about empty or misspelt ones, which the structural check reports", () => {
  expect(problemsOf(documentWith({ "/a": { get: { responses: {} } } }))).toEqual([]);
  expect(problemsOf(documentWith({ "/a": { get: {} } }))).toEqual([
    "warning /paths/~1a/get: The operation declares no responses, so handlers and calls have no result. Declare a response, such as default.",
  ]);
  expect(problemsOf(documentWith({ "/a": { get: { response: {} } } }))).toEqual([]);
  expect(problemsOf(documentWith({ "/a": { get: { "x-response": {} } } }))).toHaveLength(1);
});

test("text that no URL can contain is an error in a path, and not a value of an adjacent parameter", () => {
  const parameter = { name: "b", in: "path", required: true, schema: { enum: ["\ud800"] } };
  const paths = {
    "/\ud800/{a}{b}": { parameters: [{ ...parameter, name: "a" }, parameter], get: operationWith() },
    "/{a}{b}": { parameters: [{ ...parameter, name: "a" }, parameter], get: operationWith() },
  };
  expect(problemsOf(documentWith(paths))).toEqual([
    expect.stringContaining("warning /paths/~1{a}{b}: /{a}{b}: nothing shows where {b} begins"),
    '/paths/~1\ud800~1{a}{b}: The path "/\\ud800/{a}{b}" contains half of a surrogate pair, which no URL can contain. Remove it.',
  ]);
});

test("warns about a URI of the document, which other files cannot use", () => {
  const document = documentWith({}, { openapi: "3.2.0", $self: "https://example.test/a" });
  expect(problemsOf(document)).toEqual([
    "warning /$self: `$self` is used only for references to this file. Those to other files are resolved against its path.",
  ]);
});

test("an unknown dialect of all schemas is an error", () => {
  const createDocument = (jsonSchemaDialect: string) => documentWith({}, { jsonSchemaDialect });
  expect(problemsOf(createDocument("https://example.test/dialect"))).toEqual([
    '/jsonSchemaDialect: The schemas cannot be read: the dialect "https://example.test/dialect" is not known; write it in draft 2020-12.',
  ]);
  expect(problemsOf(createDocument("https://spec.openapis.org/oas/3.1/dialect/base"))).toEqual([]);
  expect(problemsOf(createDocument("http://json-schema.org/draft-07/schema#"))).toEqual([]);
  const ignored = { ...createDocument("https://example.test/dialect"), openapi: "3.0.3" };
  expect(problemsOf(ignored)).toEqual([]);
});

test("warns about a component that no value of its discriminator can select", () => {
  const createBranch = (type: string) => ({ type: "object", properties: { kind: { type } } });
  const refer = (name: string) => ({ $ref: `#/components/schemas/${name}` });
  const schemas = {
    A: createBranch("integer"),
    B: createBranch("integer"),
    C: createBranch("string"),
    U: {
      oneOf: ["A", "B", "C"].map(refer),
      discriminator: {
        propertyName: "kind",
        mapping: { one: "A", uno: "A", "2": "B", two: "B", three: "C" },
      },
    },
  };
  expect(problemsOf(documentWith({}, { components: { schemas } }))).toEqual([
    'warning /components/schemas/U/discriminator: The property kind of A cannot be "one", "uno", which selects this schema. Correct `mapping` or the type of the property.',
  ]);
});

test("warns about requests that fetch does not send", () => {
  const content = { "application/json": { schema: {} } };
  const paths = {
    "/a": {
      get: operationWith({ requestBody: { content } }),
      trace: operationWith(),
      head: operationWith({ requestBody: { content } }),
      post: operationWith({ requestBody: { content } }),
    },
  };
  expect(problemsOf(documentWith(paths))).toEqual([
    "warning /paths/~1a/get/requestBody: fetch sends no body with GET, so the client's method will throw when it is given one. Declare the values as parameters.",
    "warning /paths/~1a/head/requestBody: fetch sends no body with HEAD, so the client's method will throw when it is given one. Declare the values as parameters.",
    "warning /paths/~1a/trace: fetch sends no TRACE requests, so the client's method will throw.",
  ]);
});

test.each<[JsonObject, boolean]>([
  [{ data: { type: "string" }, event: { type: "string" } }, true],
  [{ data: { type: "string" }, id: { type: "string" }, retry: { type: "integer" } }, true],
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

test("warns that the data of events stays text if it has a contentSchema", () => {
  const data = { type: "string", contentMediaType: "application/json", contentSchema: { type: "object" } };
  const content = { "text/event-stream": { itemSchema: { type: "object", properties: { data } } } };
  const paths = { "/a": { get: operationWith({ responses: { 200: { description: "", content } } }) } };
  expect(problemsOf(documentWith(paths, { openapi: "3.2.0" }))).toEqual([
    "warning /paths/~1a/get/responses/200/content/text~1event-stream/itemSchema/properties/data: The data of these events stays text, because `contentSchema` is not supported. Parse it, or move that schema to `data`.",
  ]);
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
    expect.stringContaining("/paths/~1b/get/parameters/0: A parameter needs a name"),
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
  expect(operation?.responses[1]?.headers).toMatchObject([{ name: "X-B", type: "scalar" }]);
});

test("a path parameter that the path does not name is ignored, and moves no other parameter", () => {
  const parameters: JsonObject[] = [
    { name: "z", in: "path", required: true, schema: { type: "string" } },
    { name: "q", in: "query", schema: { type: "integer" } },
  ];
  const document = documentWith({
    "/a": { parameters, get: operationWith() },
    "/b": { get: operationWith({ parameters: [{ $ref: "#/paths/~1a/parameters/1" }] }) },
    "/{z}": { get: operationWith({ parameters: [{ $ref: "#/paths/~1a/parameters/0" }] }) },
  });
  expect(problemsOf(document)).toEqual([
    "warning /paths/~1a/parameters/0: The path /a has no parameter {z}. It is ignored. Add it to the path, or remove it.",
  ]);
  const names = operationsOf(document).map((each) => [each.path, ...each.parameters.map(({ name }) => name)]);
  expect(names).toEqual([
    ["/a", "q"],
    ["/b", "q"],
    ["/{z}", "z"],
  ]);
});

describe("a path item with members beside a $ref", () => {
  const parameters = [{ name: "q", in: "query", schema: { type: "integer" } }];
  const pathItems = { Shared: { parameters, get: operationWith({ summary: "Shared." }) } };
  const reference = { $ref: "#/components/pathItems/Shared" };

  test("has its operations and those of the target", () => {
    const merged = { ...reference, put: operationWith() };
    const document = documentWith(
      { "/a": merged, "/b": reference },
      { components: { pathItems }, webhooks: { changed: merged } },
    );
    expect(problemsOf(document)).toEqual([]);
    const { operations, webhooks } = build(document);
    const show = (list: typeof operations): string[] =>
      list.map((each) => `${each.method} ${each.path} ${each.parameters.map(({ type }) => type).join()}`);
    expect(show(operations)).toEqual(["get /a integer", "put /a integer", "get /b integer"]);
    expect(show(webhooks)).toEqual(["get changed integer", "put changed integer"]);
  });

  test.each<JsonObject>([
    { parameters: [{ name: "r", in: "query", schema: { type: "string" } }] },
    { servers: [{ url: "/own" }] },
  ])("has its own members without operations: %j", (own) => {
    const document = documentWith({ "/a": { ...reference, ...own } }, { components: { pathItems } });
    const { parameters = [], servers = [] } = operationsOf(document)[0] ?? {};
    expect([parameters[0]?.name, servers[0]?.url]).toEqual(
      "servers" in own ? ["q", "/own"] : ["r", undefined],
    );
  });

  test("has its own member if both have one, with a warning", () => {
    const merged = { ...reference, get: operationWith({ summary: "Own." }) };
    const document = documentWith({ "/a": merged }, { components: { pathItems } });
    expect(problemsOf(document)).toEqual([
      "warning /paths/~1a/get: get is also in #/components/pathItems/Shared, where it is ignored for this path. Keep one of them.",
    ]);
    expect(operationsOf(document)).toMatchObject([{ summary: "Own.", parameters: [{ name: "q" }] }]);
  });

  test("has the operations of all targets, each of which refers to the next one", () => {
    const pathItems = {
      First: { $ref: "#/components/pathItems/Second" },
      Second: { $ref: "#/components/pathItems/Third", post: operationWith() },
      Third: { get: operationWith() },
    };
    const refer = (name: string): JsonObject => ({ $ref: `#/components/pathItems/${name}` });
    const paths = { "/a": refer("First"), "/b": { ...refer("Second"), put: operationWith() } };
    const document = documentWith(paths, { components: { pathItems } });
    expect(problemsOf(document)).toEqual([]);
    expect(operationsOf(document).map(({ method, path }) => `${method} ${path}`)).toEqual([
      "get /a",
      "post /a",
      "get /b",
      "put /b",
      "post /b",
    ]);
  });

  test.each([["query"], ["additionalOperations"]])("does not lose `%s` of OpenAPI 3.2", (key) => {
    const merged = { ...reference, [key]: operationWith() };
    const document = { ...documentWith({ "/a": merged }, { components: { pathItems } }), openapi: "3.2.0" };
    expect(problemsOf(document)).toEqual([expect.stringContaining(`/paths/~1a/${key}: `)]);
  });
});
