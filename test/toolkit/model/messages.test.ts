import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import { listSuccessResponses } from "../../../scripts/model/success-responses.js";
import { built, documentWith, operationsOf, operationWith, problemsOf } from "./document.js";

describe("responses", () => {
  const statuses = (...keys: string[]) =>
    Object.fromEntries(
      built({
        responses: Object.fromEntries(keys.map((key) => [key, { description: "" }])),
      }).responses.map((response) => [response.key, response.statuses]),
    );

  test("have the statuses of their key", () => {
    expect(statuses("200", "404")).toEqual({ 200: [200], 404: [404] });
    expect(statuses("1XX")).toEqual({ "1XX": [] });
    expect(statuses("5xx")["5xx"]).toContain(500);
  });

  test("of `default` have the error statuses if a success is declared", () => {
    expect(statuses("200", "default").default).not.toContain(201);
    expect(statuses("2XX", "default").default).not.toContain(200);
    expect(statuses("4xx", "default").default).not.toContain(400);
    expect(statuses("201", "default").default).not.toContain(200);
    expect(statuses("404", "default").default).toEqual(expect.arrayContaining([200, 201, 500]));
  });

  test.each([301, 302, 303, 307, 308])("with the status %s alone lead to any success", (status) => {
    const list = (responses: JsonObject, method = "get") =>
      operationsOf(documentWith({ "/a": { [method]: { responses } } })).flatMap(listSuccessResponses);
    const redirect = { [status]: { description: "" } };
    expect(list(redirect)).toMatchObject([{ key: "2XX", mediaTypes: [{ kind: "binary" }] }]);
    expect(list(redirect, "head")).toMatchObject([{ key: "2XX", mediaTypes: [] }]);
    expect(list({ ...redirect, default: { description: "" } })).toMatchObject([{ key: "2XX" }]);
    expect(list({ default: { description: "" } })).toMatchObject([{ key: "default" }]);
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

  test("have no content where HTTP allows none", () => {
    const response = { description: "", content: { "application/json": {} } };
    const responses = { 200: response, 204: response, 205: response, 304: response, 404: response };
    const paths = { "/a": { get: operationWith({ responses }), head: operationWith({ responses }) } };
    const contentOf = operationsOf(documentWith(paths)).map((operation) =>
      operation.responses.filter(({ mediaTypes }) => mediaTypes.length > 0).map(({ key }) => key),
    );
    expect(contentOf).toEqual([["200", "404"], []]);
    expect(problemsOf(documentWith(paths))).toEqual(
      ["204", "205", "304"].map(
        (key) =>
          `warning /paths/~1a/get/responses/${key}: A response with status ${key} has no body, so its content is ignored. Remove it.`,
      ),
    );
  });

  test("of a range or `default` with content exclude those without content", () => {
    const content = { "application/json": {} };
    const statusesOf = (response: JsonObject, method = "get"): (readonly number[])[] => {
      const operation = operationWith({ responses: { "2XX": response, default: response } });
      return (
        operationsOf(documentWith({ "/a": { [method]: operation } }))[0]?.responses.map(
          (each) => each.statuses,
        ) ?? []
      );
    };
    expect(
      statusesOf({ description: "", content })
        .flat()
        .filter((status) => [204, 205, 304].includes(status)),
    ).toEqual([]);
    for (const found of [statusesOf({ description: "" }), statusesOf({ description: "", content }, "head")])
      expect(found).toEqual([expect.arrayContaining([200, 204, 205]), expect.arrayContaining([304, 500])]);
  });

  test("have their headers except Content-Type", () => {
    const headers = {
      "X-A": { required: true, schema: { type: "integer" } },
      "X-B": { schema: { type: "array", items: { type: "string" } } },
      "X-C": { $ref: "#/components/headers/C" },
      "X-D": { content: { "text/plain": { schema: { type: "integer" } } } },
      "X-E": { content: { "*/*": { schema: { type: "object" } } } },
      "content-type": { schema: { type: "string" } },
    };
    const components = { headers: { C: { content: { "application/json": { schema: {} } } } } };
    const { responses } = built({ responses: { "200": { description: "", headers } } }, { components });
    const at = "/paths/~1things~1{id}/post/responses/200/headers";
    expect(responses[0]?.headers).toMatchObject([
      { name: "X-A", required: true, type: "scalar", schema: { pointer: `${at}/X-A/schema` } },
      { name: "X-B", required: false, type: "array", schema: { pointer: `${at}/X-B/schema` } },
      { name: "X-C", required: false, type: "json" },
      { name: "X-D", required: false, type: "scalar" },
      { name: "X-E", required: false, type: "json" },
    ]);
  });

  test.each<[JsonObject, string[], object?]>([
    [{}, []],
    [{ type: "integer" }, ["number"]],
    [{ oneOf: [{ type: "integer" }, { enum: ["unlimited", true] }] }, ["boolean", "number", "string"]],
    [{ type: "array", prefixItems: [{ type: "integer" }, { type: "string" }] }, ["number", "string"]],
    [{ anyOf: [{ type: "array", items: { type: "integer" } }, { const: "all" }] }, ["number", "string"]],
    [{ type: "object", properties: { a: { type: "string" } } }, [], { a: ["string"] }],
    [
      { anyOf: [{ properties: { a: { type: "integer" } } }, { properties: { a: { const: "all" } } }] },
      [],
      { a: ["number", "string"] },
    ],
    [{ additionalProperties: { type: "number" } }, ["number"]],
  ])("have headers of %j, whose texts have the types %j", (schema, scalarTypes, properties = {}) => {
    const { responses } = built({ responses: { "200": { description: "", headers: { X: { schema } } } } });
    expect(responses[0]?.headers).toMatchObject([{ scalarTypes, properties, explode: false }]);
  });

  test.each<[JsonObject]>([
    [{ type: "array", items: { type: "object" } }],
    [{ type: "array", prefixItems: [{ type: "string" }, { type: "array" }] }],
    [{ type: "object", properties: { a: { type: "integer" }, b: { type: "array" } } }],
    [{ additionalProperties: { anyOf: [{ type: "string" }, { properties: {} }] } }],
  ])("have headers of %j, which are JSON, with a warning", (schema) => {
    const responses = { "200": { description: "", headers: { X: { schema } } } };
    const document = documentWith({ "/a": { get: operationWith({ responses }) } });
    expect(operationsOf(document)[0]?.responses[0]?.headers).toMatchObject([{ type: "json" }]);
    expect(problemsOf(document)).toEqual([
      'warning /paths/~1a/get/responses/200/headers/X: The response header "X" has nested lists or objects, which the style simple cannot represent. It is written as JSON.',
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

  const string = { type: "string" };

  test.each<[string, JsonObject, string]>([
    ["text/plain", { type: "integer" }, "json"],
    ["text/plain; charset=utf-8", { $ref: "#/components/schemas/Thing" }, "json"],
    ["text/plain", { type: ["integer", "string"] }, "text"],
    ["text/csv", { type: "array" }, "text"],
    ["application/jwt", string, "text"],
    ["application/jwt", {}, "binary"],
    ["application/vnd.github.raw", { $ref: "#/components/schemas/Text" }, "text"],
    ["application/vnd.github.raw", { ...string, format: "binary" }, "binary"],
    ["application/vnd.github.raw", { ...string, format: "byte" }, "binary"],
    ["application/vnd.github.raw", { ...string, contentEncoding: "base64" }, "binary"],
    ["application/vnd.github.raw", { ...string, contentMediaType: "image/png" }, "binary"],
    ["application/vnd.github.raw", { type: "object" }, "binary"],
    ["application/octet-stream", string, "binary"],
    ["application/x-7z-compressed", string, "binary"],
    ["application/java-archive", string, "binary"],
    ["application/vnd.ms-excel", string, "binary"],
    ["image/png", string, "binary"],
    ["application/*", string, "binary"],
    ["image/svg+xml", string, "text"],
    ["application/xml", { type: "object" }, "text"],
    ["application/xml", { ...string, format: "binary" }, "binary"],
  ])("of media type %s with the schema %j are %s", (name, schema, kind) => {
    const schemas = { Text: string, Thing: { type: "object" } };
    const { body } = built({ requestBody: { content: { [name]: { schema } } } }, { components: { schemas } });
    expect(body?.mediaTypes).toMatchObject([{ kind }]);
  });

  test.each(["application/jsonl", "application/x-jsonlines", "application/x-ndjson", "application/ndjson"])(
    "of media type %s are streams of lines if the item is declared",
    (name) => {
      const content = { [name]: { itemSchema: { type: "object" } } };
      const { body, responses } = built({
        requestBody: { content },
        responses: { 200: { description: "", content } },
      });
      for (const message of [body, ...responses])
        expect(message?.mediaTypes).toMatchObject([{ kind: "lines", item: { data: "json" } }]);
    },
  );

  test("of any media type are JSON, unless the schema declares bytes", () => {
    const kinds = ["string", "binary"].map((format) => {
      const content = { "*/*": { schema: { type: "string", format } } };
      return built({ requestBody: { content } }).body?.mediaTypes.map(({ kind }) => kind);
    });
    expect(kinds).toEqual([["json"], ["binary"]]);
  });
});

test("a misplaced reference to a part of another kind is not read as that part", () => {
  const reference = { $ref: "#/components/parameters/X" };
  const X = { name: "x", in: "query", schema: { type: "string" } };
  const operation = built(
    { parameters: [reference], requestBody: reference },
    { components: { parameters: { X } } },
  );
  expect(operation.parameters.map(({ name }) => name)).toContain("x");
  expect(operation.body).toMatchObject({ mediaTypes: [] });
});
