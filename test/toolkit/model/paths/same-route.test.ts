import { expect, test } from "vitest";
import type { JsonObject } from "../../../../scripts/json.js";
import { documentWith, operationsOf, operationWith, problemsOf } from "../document.js";

function withParameter(place: string, name: string, schema: JsonObject, required = true): JsonObject {
  return operationWith({ parameters: [{ name, in: place, required, schema }] });
}

/** Lists the conditions of each operation by path, as `name=value`. */
function listConditions(paths: JsonObject): Record<string, string[]> {
  return Object.fromEntries(
    operationsOf(documentWith(paths)).map(({ path, conditions }) => [
      path,
      conditions.map(({ name, value }) => `${name}=${value}`),
    ]),
  );
}

test("operations with their own route have no conditions", () => {
  const one = withParameter("query", "v", { const: 1 });
  expect(listConditions({ "/a": { get: one, put: one }, "/a/b#c": { get: one } })).toEqual({
    "/a": [],
    "/a/b#c": [],
  });
});

test("paths that differ only in percent-encoding share a route", () => {
  const paths = { "/a b": { get: operationWith() }, "/a%20b": { get: operationWith() } };
  expect(problemsOf(documentWith(paths))).toEqual([
    expect.stringContaining("Requests for GET /a%20b cannot be distinguished from those for GET /a b"),
  ]);
  const others = { "/{c}": { get: withParameter("path", "c", {}) }, "/%7B%7D": { get: operationWith() } };
  expect(problemsOf(documentWith(others))).toEqual([]);
});

test("operations on one route have their distinct values as conditions", () => {
  const shared = { name: "v", in: "query", required: true, schema: { const: 1 } };
  const act = (name: string) => ({ name: "act", in: "query", required: true, schema: { enum: [name] } });
  expect(
    listConditions({
      "/#a": { get: operationWith({ parameters: [shared, act("a")] }) },
      "/#b": { get: operationWith({ parameters: [shared, act("b")] }) },
      // The declaration of the parameter adds no second condition.
      "/?act=c": { get: operationWith({ parameters: [shared, act("c")] }) },
      "/": { get: operationWith({ parameters: [shared] }) },
    }),
  ).toEqual({ "/#a": ["act=a"], "/#b": ["act=b"], "/?act=c": ["act=c"], "/": [] });
  const header = { name: "act", in: "header", required: true, schema: {} };
  expect(
    listConditions({
      "/?act=c": { get: operationWith({ parameters: [header] }) },
      "/": { get: operationWith() },
    }),
  ).toEqual({ "/?act=c": ["act=c", "act=undefined"], "/": [] });
});

test.each([
  ["two values", { enum: ["a", "b"] }],
  ["a list", { type: "array", enum: [["a"]] }],
  ["a reference to a union", { $ref: "#/components/schemas/Union" }],
  ["a union in allOf", { allOf: [{ anyOf: [{ const: "a" }, { const: "b" }] }] }],
])("a required parameter with %s only needs to be present", (_, schema) => {
  const paths = { "/a": { get: operationWith() }, "/a#b": { get: withParameter("query", "v", schema) } };
  const components = { schemas: { Union: { oneOf: [{ const: "a" }, { const: "b" }] } } };
  const operations = operationsOf(documentWith(paths, { components }));
  expect(operations.map(({ conditions }) => conditions)).toEqual([[], [{ in: "query", name: "v" }]]);
});

test("a required parameter whose text is JSON only needs to be present, because its value can be written in several ways", () => {
  const content = { "application/json": { schema: { const: "a" } } };
  const parameters = [{ name: "v", in: "query", required: true, content }];
  expect(
    listConditions({ "/a": { get: operationWith() }, "/a#b": { get: operationWith({ parameters }) } }),
  ).toEqual({ "/a": [], "/a#b": ["v=undefined"] });
});

test("the value of a parameter can be in a referenced schema or in allOf", () => {
  const allOf: JsonObject[] = [{ type: "string" }, { const: "a" }];
  const components = { schemas: { One: { allOf } } };
  const paths = {
    "/a": { get: operationWith() },
    "/a#b": { get: withParameter("query", "v", { $ref: "#/components/schemas/One" }) },
  };
  const operations = operationsOf(documentWith(paths, { components }));
  expect(operations[1]?.conditions).toEqual([{ in: "query", name: "v", value: "a" }]);
});

test.each([
  ["it is optional", withParameter("query", "v", { const: "a" }, false)],
  ["it is in a cookie", withParameter("cookie", "v", { const: "a" })],
  ["it is an object", withParameter("query", "v", { type: "object" })],
])("a parameter does not distinguish operations if %s: the second is reported", (_, operation) => {
  expect(problemsOf(documentWith({ "/a": { get: operationWith() }, "/a#b": { get: operation } }))).toEqual([
    "warning /paths/~1a#b/get: Requests for GET /a#b cannot be distinguished from those for GET /a, whose handler gets both. Give each operation a different path, or a required query or header parameter.",
  ]);
});

test("names of headers in different letter case do not distinguish operations, but those of query parameters do", () => {
  const problems = (place: string): string[] =>
    problemsOf(
      documentWith({
        "/a": { get: withParameter(place, "V", { const: 1 }) },
        "/a#b": { get: withParameter(place, "v", { const: 1 }) },
      }),
    );
  expect(problems("header")).toEqual([expect.stringContaining("cannot be distinguished")]);
  expect(problems("query")).toEqual([]);
});

test("refuses a query string with templates", () => {
  expect(problemsOf(documentWith({ "/a?q=x{y}": { get: operationWith() } }))).toEqual([
    "/paths/~1a?q=x{y}: The query string of /a?q=x{y} cannot be read. Declare its members as query parameters.",
  ]);
});

test("only paths that differ in letter case or slashes at the end have patterns, which match them exactly", () => {
  const operations = operationsOf(
    documentWith({
      "/A/{id}": { get: operationWith(), put: operationWith() },
      "/a/{key}": { get: operationWith() },
      "/a/{key}/": { head: operationWith() },
      "/b": { get: operationWith() },
      "/B": { post: operationWith() },
    }),
  );
  expect(operations.map(({ method, path, routePattern }) => [method, path, routePattern])).toEqual([
    ["get", "/A/{id}", "^\\/A\\/(?<id>[^/]+?)$"],
    ["put", "/A/{id}", undefined],
    ["get", "/a/{key}", "^\\/a\\/(?<key>[^/]+?)$"],
    ["head", "/a/{key}/", "^\\/a\\/(?<key>[^/]+?)\\/$"],
    ["get", "/b", undefined],
    ["post", "/B", undefined],
  ]);
});

test("warns about similar paths whose parameter names are invalid in patterns", () => {
  expect(
    problemsOf(documentWith({ "/A/{x-y}": { get: operationWith() }, "/a/{id}": { get: operationWith() } })),
  ).toEqual(
    expect.arrayContaining([
      expect.stringMatching(
        /^warning \/paths\/~1A~1\{x-y\}\/get: \/A\/\{x-y\} differs from \/a\/\{id\} only in letter case/,
      ),
    ]),
  );
});
