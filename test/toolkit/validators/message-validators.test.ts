import { expect, test } from "vitest";
import { emitValidators } from "../../../scripts/emit/validators/emit-validators.js";
import { listParsedBodies } from "../../../scripts/emit/validators/message-validators.js";
import type { JsonObject } from "../../../scripts/json.js";
import { build, documentWith, operationWith } from "../model/document.js";
import { compileSchema } from "./compiled.js";

test("a schema that describes a file in a multipart body describes a text in a form", () => {
  const schema = { type: "object", properties: { a: { type: "string", maxLength: 3 } } };
  const createBody = (name: string, encoding = {}) =>
    operationWith({
      requestBody: { content: { [name]: { schema: { $ref: "#/components/schemas/A" }, encoding } } },
    });
  const paths = {
    "/file": { post: createBody("multipart/form-data", { a: { contentType: "image/png" } }) },
    "/text": { post: createBody("application/x-www-form-urlencoded") },
  };
  const api = build(documentWith(paths, { components: { schemas: { A: schema } } }));
  const accepted = api.operations.map(({ path, body }) => [
    path,
    listParsedBodies(api, body?.mediaTypes ?? []).map((each) => compileSchema(each.schema)({ a: "long" })),
  ]);
  expect(accepted).toEqual([
    ["/file", [true]],
    ["/text", [false]],
  ]);
});

test("bodies of JSON, texts whose schema is that of a string, and items of JSON lines and sequences are checked", () => {
  const schema = { type: "string" };
  const content = {
    "application/json": { schema },
    "application/json-seq": { itemSchema: schema },
    "application/jsonl": { itemSchema: schema },
    "application/pdf": { schema },
    "text/csv": { schema: { type: "array" } },
    "text/plain": { schema },
  };
  const paths = { "/a": { post: operationWith({ requestBody: { content } }) } };
  const api = build({ ...documentWith(paths), openapi: "3.2.0" });
  const checked = listParsedBodies(api, api.operations[0]?.body?.mediaTypes ?? []);
  expect(checked.map(({ mediaType }) => mediaType)).toEqual([
    "application/json",
    "application/json-seq",
    "application/jsonl",
    "text/plain",
  ]);
});

test("the function of a parameter is named after its operation, and that of a component after the component", () => {
  const values = ["a", "b", "c", "d", "e"];
  const parameters: JsonObject[] = [
    { name: "sort-by", in: "query", schema: { type: "string", enum: values } },
    { $ref: "#/components/parameters/Or~1der" },
  ];
  const components = {
    parameters: { "Or/der": { name: "order", in: "query", schema: { type: "string", enum: values } } },
  };
  const paths = { "/a": { get: { ...operationWith({ parameters }), operationId: "listThings" } } };
  const { files } = emitValidators(build(documentWith(paths, { components })));
  const names = files[0]?.content.match(/^const \w+\$enum(?= )/gm);
  expect(names).toEqual(["const OrDerParameter$enum", "const listThingsQuerySortBy$enum"]);
});

test("the function of a parameter of a path has the same name whatever operations the path has", () => {
  const listNames = (...methods: string[]) => {
    const parameters = [{ name: "kind", in: "query", schema: { enum: ["a", "b", "c", "d", "e"] } }];
    const operations = methods.map((method) => [method, { ...operationWith({}), operationId: method }]);
    const { files } = emitValidators(
      build(documentWith({ "/a": { parameters, ...Object.fromEntries(operations) } })),
    );
    return files[0]?.content.match(/^const [\w$]+\$enum(?= )/gm);
  };
  expect(listNames("get")).toHaveLength(1);
  expect(listNames("get", "put")).toEqual(listNames("get"));
});

test("operations share a function of component parameters only if the names are the same", async () => {
  const createParameter = (name: string) => ({
    name,
    in: "query",
    required: true,
    content: { "application/json": { $ref: "#/components/mediaTypes/Filter" } },
  });
  const paths = Object.fromEntries(
    ["a", "b"].map((id) => [
      `/${id}`,
      { get: operationWith({ operationId: id, parameters: [createParameter(id)] }) },
    ]),
  );
  const components = { mediaTypes: { Filter: { schema: { type: "string" } } } };
  const { files } = emitValidators(build({ ...documentWith(paths, { components }), openapi: "3.2.0" }));
  const code = encodeURIComponent(files[0]?.content ?? "");
  const { validators } = await import(`data:text/javascript,${code}`);
  expect(validators.a.query({ a: "1" })).toBe(true);
  expect(validators.b.query({ b: "1" })).toBe(true);
});

test("multipart bodies of one schema have validators of their own if other parts are files", async () => {
  const text = { type: "string", maxLength: 3 };
  const A = { type: "object", properties: { a: text, b: text } };
  const paths = Object.fromEntries(
    ["a", "b", "none"].map((part) => {
      const schema = { $ref: "#/components/schemas/A" };
      const content = {
        "multipart/form-data": { schema, encoding: { [part]: { contentType: "image/png" } } },
      };
      return [`/${part}`, { post: operationWith({ operationId: part, requestBody: { content } }) }];
    }),
  );
  const { files } = emitValidators(build(documentWith(paths, { components: { schemas: { A } } })));
  const code = encodeURIComponent(files[0]?.content ?? "");
  const { validators } = await import(`data:text/javascript,${code}`);
  const accepted = ["a", "b", "none"].map((operation) =>
    ["a", "b"].filter((part) => validators[operation].body["multipart/form-data"]({ [part]: "long" })),
  );
  expect(accepted).toEqual([["a"], ["b"], []]);
});
