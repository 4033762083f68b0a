import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../../scripts/json.js";
import { build, built, documentWith, operationWith, problemsOf } from "../document.js";

test("examples come from the media type, including references, and then from its schema", () => {
  const examples = {
    own: { value: 1, dataValue: 4 },
    shared: { $ref: "#/components/examples/Shared" },
    elsewhere: { externalValue: "https://example.test/e.json" },
  };
  const content = { "application/json": { schema: { examples: [3] }, examples, example: 0 } };
  const { body } = built(
    { requestBody: { content } },
    { components: { examples: { Shared: { dataValue: 2 } } } },
  );
  expect(body?.mediaTypes[0]?.examples).toEqual([
    { name: undefined, value: 0 },
    { name: "own", value: 1 },
    { name: "shared", value: 2 },
    { name: undefined, value: 3 },
  ]);
});

test("warns about a name that is not a media type", () => {
  const content = {
    json: {},
    "a/b, c/d": {},
    schema: { $ref: "#/components/schemas/A" },
    "text/plain; charset=utf-8": {},
    "*/*": {},
  };
  const paths = { "/a": { post: operationWith({ requestBody: { content } }) } };
  expect(problemsOf(documentWith(paths, { components: { schemas: { A: {} } } }))).toEqual([
    'warning /paths/~1a/post/requestBody/content/json: "json" is not a media type. Write one such as application/json.',
    'warning /paths/~1a/post/requestBody/content/a~1b, c~1d: "a/b, c/d" is not a media type. Write one such as application/json.',
    'warning /paths/~1a/post/requestBody/content/schema: "schema" is not a media type. Write it below one such as application/json.',
  ]);
});

test("warns about the bytes of a JSON body", () => {
  const schemas = { File: { type: "string", format: "binary" } };
  const file = { schema: { $ref: "#/components/schemas/File" } };
  const content = { "application/json": file, "*/*": file, "application/pdf": file };
  const paths = { "/a": { post: operationWith({ requestBody: { content } }) } };
  expect(problemsOf(documentWith(paths, { components: { schemas } }))).toEqual([
    "warning /paths/~1a/post/requestBody/content/application~1json/schema: application/json cannot contain the bytes of format: binary, so this body is a JSON string. Use a media type such as application/octet-stream, or remove the format.",
  ]);
});

test.each(["pdf", "vnd.apache.parquet", "x-tar", "vnd.ms-excel"])(
  "a string in application/%s is bytes",
  (name) => {
    const content = { [`application/${name}`]: { schema: { type: "string" } } };
    expect(built({ requestBody: { content } }).body?.mediaTypes[0]?.kind).toBe("binary");
  },
);

test.each([
  ["Text/JSON; charset=utf-8", "json"],
  ["application/problem+json", "json"],
  ["text/jsonp", "text"],
  ["application/xml", "text"],
  ["application/atom+xml", "text"],
])("the kind of %s is %s", (name, kind) => {
  expect(built({ requestBody: { content: { [name]: {} } } }).body?.mediaTypes[0]?.kind).toBe(kind);
});

test.each([
  ["multipart/form-data", "multipart~1form-data"],
  ["application/x-www-form-urlencoded", "application~1x-www-form-urlencoded"],
])("ignores a schema of %s that allows no object", (name, key) => {
  const file = { type: "string", format: "binary" };
  const schemas = { Files: { type: "array", items: file }, Any: { anyOf: [file, { type: "object" }] } };
  const createBody = (component: string) => {
    const schema = { $ref: `#/components/schemas/${component}` };
    return { requestBody: { content: { [name]: { schema } } } };
  };
  const mediaTypes = ["Files", "Any"].map(
    (component) => built(createBody(component), { components: { schemas } }).body?.mediaTypes[0],
  );
  expect(mediaTypes.map((each) => each?.schema !== undefined)).toEqual([false, true]);
  const paths = { "/a": { post: operationWith(createBody("Files")) } };
  expect(problemsOf(documentWith(paths, { components: { schemas } }))).toEqual([
    `warning /paths/~1a/post/requestBody/content/${key}/schema: The schema of ${name} allows no object, so it is ignored and any fields are accepted. Declare each field as a property of an object.`,
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

test("the data of an event is text through a chain of thousands of schemas", () => {
  const to = (index: number): JsonObject => ({ $ref: `#/components/schemas/S${index}` });
  const links = Array.from({ length: 5000 }, (_, index) => [`S${index}`, { allOf: [to(index + 1)] }]);
  const schemas = { ...Object.fromEntries(links), S5000: { type: "string" } };
  const content = { "text/event-stream": { schema: to(0) } };
  const { responses } = built(
    { responses: { "200": { description: "Events.", content } } },
    { components: { schemas } },
  );
  expect(responses[0]?.mediaTypes[0]?.item).toMatchObject({ data: "text" });
});

test("multipart bodies in which the same schemas are files share their schemas", () => {
  const schema = { $ref: "#/components/schemas/Upload" };
  const encoding = { file: { contentType: "image/png" } };
  const paths = Object.fromEntries(
    Array.from({ length: 10 }, (_, index) => {
      // The other schemas of a body do not matter.
      const declared =
        index < 8 ? schema : { allOf: [schema], properties: { [`own${index}`]: { format: "binary" } } };
      const mediaType: JsonObject = index % 2 === 0 ? { schema: declared } : { schema: declared, encoding };
      return [
        `/${index}`,
        { post: operationWith({ requestBody: { content: { "multipart/form-data": mediaType } } }) },
      ];
    }),
  );
  const Upload = {
    type: "object",
    properties: { file: { type: "string" }, link: { $ref: "#/components/schemas/Link" } },
  };
  const components = { schemas: { Upload, Link: { type: "object" } } };
  const { multipartSchemas } = build(documentWith(paths, { components }));
  expect(multipartSchemas.bodies.size).toBe(10);
  const uris = new Set(multipartSchemas.components.map(({ resource }) => resource.uri));
  expect(uris.size).toBe(2);
  expect(multipartSchemas.components).toHaveLength(4);
});

test("the data of an event is JSON if only some of its declarations are text", () => {
  const object = { properties: { data: { type: "object" } } };
  const text = { properties: { data: { type: "string" } } };
  for (const oneOf of [
    [object, text],
    [text, object],
  ]) {
    const content = { "text/event-stream": { schema: { oneOf } } };
    const { responses } = built({ responses: { "200": { description: "Events.", content } } });
    expect(responses[0]?.mediaTypes[0]?.item).toMatchObject({ describesEvent: true, data: "json" });
  }
});

test.each<[string, JsonObject, boolean]>([
  ["an integer", { data: { type: "string" }, id: { type: "integer" } }, true],
  ["a number", { data: { type: "string" }, id: { type: "number" } }, true],
  ["text", { data: { type: "string" }, id: { type: "string" } }, false],
  ["a number in the data of an event", { text: { type: "string" }, id: { type: "integer" } }, false],
])("the id of an event that is %s", (_, properties, hasNumericId) => {
  const content = { "text/event-stream": { schema: { type: "object", properties } } };
  const { responses } = built({ responses: { "200": { description: "Events.", content } } });
  expect(responses[0]?.mediaTypes[0]?.item).toMatchObject({ hasNumericId });
});

test("warns about items of a media type that is not a stream", () => {
  const content = Object.fromEntries(
    ["application/json", "application/jsonl", "multipart/mixed", "text/event-stream"].map((name) => [
      name,
      { itemSchema: { type: "object" } },
    ]),
  );
  const responses = { "200": { description: "", content } };
  const describe = (name: string): string =>
    `warning /paths/~1a/post/responses/200/content/${name.replace("/", "~1")}/itemSchema: \`itemSchema\` is ignored here, because ${name} is not read as a stream. Describe the whole body in \`schema\`.`;
  expect(problemsOf(documentWith({ "/a": { post: operationWith({ responses }) } }))).toEqual(
    ["application/json", "multipart/mixed"].map(describe),
  );
});
