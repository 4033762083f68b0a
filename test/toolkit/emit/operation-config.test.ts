import { expect, test } from "vitest";
import type { JsonObject } from "../../../scripts/json.js";
import { printOperations } from "../../../scripts/emit/client/operations.js";
import { build, documentWith, operationWith } from "../model/document.js";

test.each([
  ["/a/../b", true],
  ["/a/%2E%2e", true],
  ["/./a", true],
  ["/a/.../b", false],
  ["/a/.b", false],
])("the client refuses the path %s, which fetch would change: %s", (path, isRefused) => {
  const text = printOperations(build(documentWith({ [path]: { get: operationWith() } })), "runtime");
  expect(text.includes(`path: unreachablePath("${path}")`)).toBe(isRefused);
  expect(text.includes(`path: "${path}"`)).toBe(!isRefused);
});

test("the client knows the idempotent methods", () => {
  const methods = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];
  const isIdempotent = (method: string): boolean =>
    printOperations(build(documentWith({ "/a": { [method]: operationWith() } })), "runtime").includes(
      "idempotent: true",
    );
  expect(methods.filter((method) => !isIdempotent(method))).toEqual(["post", "patch"]);
});

test("the client knows the header for an idempotency key", () => {
  const printWith = (location: string): string => {
    const parameters = [{ name: "IDEMPOTENCY-KEY", in: location, schema: { type: "string" } }];
    return printOperations(build(documentWith({ "/a": { post: operationWith({ parameters }) } })), "runtime");
  };
  expect(printWith("header")).toContain('idempotent: "IDEMPOTENCY-KEY"');
  expect(printWith("query")).not.toContain("idempotent");
});

test.each<[string, JsonObject, string | undefined]>([
  ["a list", { sort: { type: "array", items: { type: "string" } } }, 'queryWriter("form")'],
  ["scalars", { page: { type: "integer" } }, undefined],
])("the writer of a query parameter that is an object of %s", (_, properties, writer) => {
  const parameters: JsonObject[] = [{ name: "q", in: "query", schema: { type: "object", properties } }];
  const text = printOperations(
    build(documentWith({ "/a": { get: operationWith({ parameters }) } })),
    "runtime",
  );
  expect(/queryWriters: \{ q: (.*?) \}/.exec(text)?.[1]).toBe(writer);
});

/** Prints the reader of an operation with these responses. */
function printReader(responses: JsonObject, method = "get"): string | undefined {
  const document = documentWith({ "/a": { [method]: operationWith({ responses }) } });
  const text = printOperations(build(document), "runtime").replace(/\s+/g, " ");
  return /\bread: (.*?),? \}\);/.exec(text)?.[1];
}

const EMPTY = { description: "" };
const JSON_RESPONSE = { ...EMPTY, content: { "application/json": {} } };
const TEXT_RESPONSE = { ...EMPTY, content: { "text/plain": {} } };

test.each<[string, JsonObject, string | undefined]>([
  ["JSON", { 200: JSON_RESPONSE, 201: JSON_RESPONSE, 204: EMPTY }, undefined],
  ["text", { 200: TEXT_RESPONSE }, "readText"],
  ["no content", { 200: EMPTY, 202: EMPTY }, "readNothing"],
  ["no possible content", { 204: EMPTY, 205: EMPTY }, "readNothing"],
  ["errors alone", { 404: JSON_RESPONSE }, undefined],
  [
    "JSON or no content",
    { 200: JSON_RESPONSE, 202: EMPTY },
    "readByStatus({ 200: readJson, 202: readNothing })",
  ],
  [
    "JSON or text",
    { 200: JSON_RESPONSE, 202: TEXT_RESPONSE },
    'readByMediaType({ "application/json": readJson, "text/plain": readText })',
  ],
  [
    "a string of any media type",
    { 200: { ...EMPTY, content: { "*/*": { schema: { type: "string" } } } } },
    'readByMediaType({ "*/*": readJson, "text/*": readText })',
  ],
  ["a value of any media type", { 200: { ...EMPTY, content: { "*/*": {} } } }, undefined],
])("the reader of %s", (_, responses, reader) => {
  expect(printReader(responses)).toBe(reader);
  expect(printReader(responses, "head")).toBeUndefined();
});

test("the client reads a media type by status if statuses declare different content for it", () => {
  const respond = (schema: JsonObject) => ({ description: "", content: { "*/*": { schema } } });
  const responses = {
    200: respond({ type: "string", format: "binary" }),
    202: respond({ type: "object" }),
    "2XX": respond({ type: "string", format: "binary" }),
  };
  expect(printReader(responses)).toBe(
    'readByStatus( { 200: readByMediaType({ "*/*": readBytes }), 202: readJson, "2XX": readByMediaType({ "*/*": readBytes }), } )',
  );
});

test.each([
  [["integer"], "Number"],
  [["boolean"], "asBoolean"],
  [["integer", "boolean"], 'asScalar("boolean", "number")'],
])("the client reads a header with the types %j with %s", (type, reader) => {
  const responses = { 200: { description: "", headers: { "X-A": { schema: { type } } } } };
  const document = documentWith({ "/a": { get: operationWith({ responses }) } });
  expect(printOperations(build(document), "runtime")).toContain(`{ "X-A": ${reader} }`);
});

test("the client reads one cookie as a text, and the names of readers have at most 60 characters", () => {
  const headers: JsonObject = { "Set-Cookie": { schema: { type: "string" } }, ["a".repeat(70)]: {} };
  const responses = { 200: { description: "", headers } };
  const document = documentWith({ "/a": { get: operationWith({ responses }) } });
  const text = printOperations(build(document), "runtime");
  expect(text).toContain('"Set-Cookie": String');
  expect(text).toMatch(/^const \w{60}Headers = \{$/m);
});

test("the client writes JSON in a text type as it is spelt", () => {
  const content = { "Text/Plain": { schema: { type: "object" } } };
  const document = documentWith({ "/a": { post: operationWith({ requestBody: { content } }) } });
  expect(printOperations(build(document), "runtime")).toContain('write: writeJson("Text/Plain")');
});

test("the client does not guess the content type of a file with several", () => {
  const properties = {
    one: { type: "string" },
    several: { type: "string" },
    list: { type: "array", items: { type: "string", format: "binary" } },
    text: { type: "string" },
  };
  const encoding = {
    one: { contentType: "image/png" },
    several: { contentType: "image/png, image/jpeg" },
    list: { contentType: "image/png, application/json" },
    text: { contentType: "text/markdown, text/plain" },
  };
  const content = { "multipart/form-data": { schema: { type: "object", properties }, encoding } };
  const document = documentWith({ "/a": { post: operationWith({ requestBody: { content } }) } });
  const text = printOperations(build(document), "runtime").replace(/\s+/g, " ");
  expect(/\bwrite: .*?\)/.exec(text)?.[0]).toBe(
    'write: writeMultipart("multipart/form-data", { one: "image/png", text: "text/markdown" })',
  );
});
