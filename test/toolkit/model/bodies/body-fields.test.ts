import { describe, expect, test } from "vitest";
import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { expectCpuTimeBelow } from "../../../support/cpu-time.js";
import type { Validator } from "../../../../src/http/index.js";
import { compileSchema } from "../../validators/compiled.js";
import { build, built, documentWith, operationWith, problemsOf, createPartBody, PART } from "../document.js";

describe("warns about encodings of parts without effect", () => {
  test.each([
    ["text/csv", false],
    ["application/xml", false],
    ["image/svg+xml", false],
    ["application/problem+json", false],
    ["image/png", true],
  ])("a text with the content type %s is a file: %s", (contentType, file) => {
    const { body } = built(createPartBody({ contentType }, { type: "string" }));
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ name: "a", file: file ? "file" : undefined }]);
  });

  test.each([
    [{ format: "binary" }, true],
    [{ format: "byte" }, false],
    [{ format: "base64" }, false],
    [{ contentMediaType: "image/png" }, true],
    [{ contentMediaType: "image/png", contentEncoding: "base64" }, false],
    [
      { format: "byte", oneOf: [{ contentMediaType: "image/png" }, { contentMediaType: "image/gif" }] },
      false,
    ],
    [{ allOf: [{ minLength: 1 }] }, true],
  ])("a part with the schema %j is a file: %s", (schema, file) => {
    const { body } = built(createPartBody({ contentType: "image/png" }, { type: "string", ...schema }));
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ name: "a", file: file ? "file" : undefined }]);
  });

  test.each<[JsonObject, boolean]>([
    [{ allOf: [{ type: "integer" }, { description: "A number" }] }, false],
    [{ type: "object", allOf: [{ description: "Not a file" }] }, false],
    [{ type: "string", allOf: [{ contentMediaType: "image/png" }] }, true],
    [{ allOf: [{ type: "string", format: "binary" }, { description: "A file" }] }, true],
    [{ allOf: [{ type: "array", items: {} }, { description: "Files" }] }, true],
    [{ allOf: [{ description: "Anything" }] }, true],
    [{ type: "array", items: { type: "array", items: {} } }, false],
    [{ items: { items: {} } }, false],
  ])("without a content type, a part with the schema %j is a file: %s", (schema, file) => {
    const { body } = built(createPartBody({}, schema));
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ name: "a", file: file ? "file" : undefined }]);
  });

  const binary = { type: "string", format: "binary" };
  const text = { type: "string", maxLength: 3 };

  test.each<[string, JsonObject, boolean]>([
    ["a text", { oneOf: [binary, text] }, true],
    ["a text, through references", { allOf: [{ $ref: "#/components/schemas/Photo" }] }, true],
    ["a list of texts and files", { type: "array", items: { anyOf: [binary, text] } }, true],
    ["several files, or a text", { anyOf: [binary, { type: "array", items: binary }, text] }, true],
    ["several files", { anyOf: [binary, { type: "array", items: binary }] }, false],
    ["a null", { anyOf: [binary, { type: "null" }] }, false],
    ["an object", { anyOf: [binary, { type: "object" }] }, false],
    ["a list of texts", { anyOf: [binary, { type: "array", items: text }] }, false],
  ])("whether a file can be text instead: %s", (_, schema, expected) => {
    const schemas = { Photo: { anyOf: [binary, text] } };
    const { body } = built(createPartBody({}, schema), { components: { schemas } });
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ file: expected ? "file or text" : "file" }]);
  });

  const declare = (a: JsonObject): JsonObject => ({ properties: { a } });
  const compose = (schema: JsonObject, depth: number): JsonObject =>
    depth === 0 ? schema : { allOf: [compose(schema, depth - 1)] };
  test.each<[string, JsonObject, boolean]>([
    ["in one branch, and a text in another", { oneOf: [declare(binary), declare(text)] }, true],
    [
      "in one branch, and a text in a composition of another",
      { oneOf: [declare(binary), compose(declare(text), 18)] },
      true,
    ],
    ["in one branch, and a text always", { ...declare(text), oneOf: [declare(binary), {}] }, false],
    ["that is also a text", { allOf: [declare(binary), declare(text)] }, false],
    [
      "that is also a text in its branch",
      { oneOf: [{ allOf: [declare(binary), declare(text)] }, {}] },
      false,
    ],
    [
      "in one branch, and an object in another",
      { oneOf: [declare(binary), declare({ type: "object" })] },
      false,
    ],
  ])("whether a part can be text instead of a file %s", (_, schema, expected) => {
    const content = { "multipart/form-data": { schema } };
    const { body } = built({ requestBody: { content } });
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ file: expected ? "file or text" : "file" }]);
  });

  test("a part is a file through a chain of thousands of references", () => {
    const refer = (index: number): JsonObject => ({ $ref: `#/components/schemas/S${index}` });
    const links = Array.from({ length: 9000 }, (_, index) => [`S${index}`, { allOf: [refer(index + 1)] }]);
    const schemas = { ...Object.fromEntries(links), S9000: { type: "string", format: "binary" } };
    const { body } = built(createPartBody({}, refer(0)), { components: { schemas } });
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ name: "a", file: "file" }]);
  });

  test("the texts in a list with a content type of JSON are JSON", () => {
    const list = { type: "array", items: { type: "string" } };
    const { body } = built(createPartBody({ contentType: "application/json" }, list));
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ type: { items: "json" } }]);
  });

  const getWarnings = (part: JsonObject): string[] => {
    const id = { name: "id", in: "path", required: true, schema: { type: "string" } };
    return problemsOf(documentWith({ "/things/{id}": { parameters: [id], post: operationWith(part) } }));
  };
  const asParts =
    'of the part "a" is ignored. An array is sent as one part for each item, an object as JSON.';
  const headers = { "X-A": { schema: { type: "string" } } };

  test.each<[string, JsonObject, string[]]>([
    ["a style", { style: "pipeDelimited" }, [`warning ${PART}: style ${asParts}`]],
    ["explode and a style", { style: "form", explode: false }, [`warning ${PART}: explode ${asParts}`]],
    ["allowReserved", { allowReserved: true }, [`warning ${PART}: allowReserved ${asParts}`]],
    [
      "headers",
      { headers },
      [
        `warning ${PART}: Headers of the part "a" are neither required nor validated. Handlers get the headers that a file is sent with.`,
      ],
    ],
    ["but not the default behaviour", { style: "form", explode: true, allowReserved: false }, []],
    [
      "but not the headers that every part has",
      { headers: { "Content-Type": {}, "Content-Disposition": {} } },
      [],
    ],
    ["but not a media type in any notation", { contentType: 'image/*, a/b ; c="d\\" e";F=g' }, []],
  ])("%s", (_, encoding, warnings) => {
    expect(getWarnings(createPartBody(encoding))).toEqual(warnings);
  });

  test("of a property that the schema does not have", () => {
    const content = { "multipart/form-data": { schema: { properties: {} }, encoding: { a: {} } } };
    expect(getWarnings({ requestBody: { content } })).toEqual([
      `warning ${PART}: The schema has no property "a", so its encoding has no effect.`,
    ]);
  });

  test("with any style of an object", () => {
    expect(getWarnings(createPartBody({ style: "form", explode: true }, { type: "object" }))).toEqual([
      `warning ${PART}: style and explode ${asParts.replace("is", "are")}`,
    ]);
  });

  test("with headers of a field, and an invalid content type", () => {
    const encoding = { headers, contentType: "json" };
    const mediaType = { schema: { properties: { a: {} } }, encoding: { a: encoding } };
    const content = { "application/x-www-form-urlencoded": mediaType };
    const at = PART.replace("multipart~1form-data", "application~1x-www-form-urlencoded");
    expect(built({ requestBody: { content } }).body?.mediaTypes[0]?.fields).toMatchObject([
      { contentTypes: [] },
    ]);
    expect(getWarnings({ requestBody: { content } })).toEqual([
      `warning ${at}: The contentType has "json", which is not a media type. It is ignored.`,
      `warning ${at}: Headers of the field "a" are ignored. Only the parts of a multipart body have headers.`,
    ]);
  });
});

test.each<[JsonObject, object]>([
  [{}, { type: { items: "json" } }],
  [{ style: "pipeDelimited" }, { type: { items: "integer" }, style: "pipeDelimited" }],
  [{ explode: false }, { type: { items: "integer" }, explode: false }],
  [{ allowReserved: true }, { type: { items: "integer" }, allowReserved: true }],
])("the content type JSON of a field with the encoding %j", (encoding, field) => {
  const a = { type: "array", items: { type: "integer" } };
  const mediaType = {
    schema: { properties: { a } },
    encoding: { a: { contentType: "application/json", ...encoding } },
  };
  const content = { "application/x-www-form-urlencoded": mediaType };
  expect(built({ requestBody: { content } }).body?.mediaTypes[0]?.fields).toMatchObject([field]);
});

test.each<[JsonObject, object]>([
  [{}, { type: { items: "string" }, style: undefined }],
  [{ style: "form" }, { type: { items: "string" }, style: undefined }],
  [
    { style: "form", explode: false },
    { type: "string", style: "form" },
  ],
  [{ allowReserved: true }, { type: "string", style: "form", allowReserved: true }],
])("a field without a type with the encoding %j", (encoding, field) => {
  const mediaType = { schema: { properties: { a: {} } }, encoding: { a: encoding } };
  const content = { "application/x-www-form-urlencoded": mediaType };
  expect(built({ requestBody: { content } }).body?.mediaTypes[0]?.fields).toMatchObject([field]);
});

test.each<[style: string, type: JsonValue]>([
  ["form", { properties: { list: { items: "integer" } } }],
  ["deepObject", { properties: { list: { items: "integer" } } }],
])("the type of a list in an object with the style %s", (style, type) => {
  const a = { type: "object", properties: { list: { type: "array", items: { type: "integer" } } } };
  const mediaType = { schema: { properties: { a } }, encoding: { a: { style } } };
  const content = { "application/x-www-form-urlencoded": mediaType };
  expect(built({ requestBody: { content } }).body?.mediaTypes[0]?.fields).toMatchObject([{ type }]);
});

describe("validates a part with the schema", () => {
  const png = { contentType: "image/png" };
  test.each<[JsonObject, JsonObject, value: JsonValue, isValid: boolean]>([
    [{ type: "string", contentMediaType: "text/markdown", maxLength: 5 }, {}, "123456", false],
    [{ type: "string", contentMediaType: "text/markdown", maxLength: 5 }, {}, "12345", true],
    // The service validates a placeholder instead of a file.
    [{ type: "string", minLength: 100 }, png, "-", true],
    [{ type: "string", minLength: 100 }, {}, "-", false],
    [{ allOf: [{ type: "string" }, { minLength: 100 }] }, png, "-", true],
    [{ type: "string", format: "binary", minLength: 100 }, {}, "-", true],
    [{ type: "array", minItems: 2, items: { type: "string", minLength: 100 } }, png, ["-", "-"], true],
    [{ type: "array", minItems: 2, items: { type: "string", minLength: 100 } }, png, ["-"], false],
  ])("%j and encoding %j: %j", (schema, encoding, value, isValid) => {
    const [check] = compileBodies([createPartBody(encoding, schema)]);
    expect(check?.({ a: value })).toBe(isValid);
  });

  const reference = { $ref: "#/components/schemas/Text" };
  test.each<[JsonObject, file: JsonValue]>([
    [reference, "-"],
    [{ $ref: "#/components/schemas/Alias" }, "-"],
    [{ allOf: [reference] }, "-"],
    [{ anyOf: [reference, { type: "array", items: reference }] }, ["-"]],
  ])("%j in a body where it is text, beside a body where it is a file", (schema, file) => {
    const [acceptsFile, acceptsText] = compileBodies(
      [createPartBody(png, schema), createPartBody({}, schema)],
      { Text: { type: "string", minLength: 100 }, Alias: reference },
    );
    expect(acceptsFile?.({ a: file })).toBe(true);
    expect(acceptsText?.({ a: file })).toBe(false);
  });

  const binary = { type: "string", format: "binary" };
  test.each<[string, JsonObject, values: JsonValue[], withoutType: boolean[], asPng: boolean[]]>([
    ["text in one and a file in the other", { type: "string", minLength: 9 }, ["-"], [false], [true]],
    [
      "a file or text in one and a file in the other",
      { type: "array", items: { anyOf: [{ type: "string", minLength: 9 }, binary] } },
      [["-"], [{}]],
      [false, true],
      [true, false],
    ],
  ])("of a component that two bodies share: %s", (_, schema, values, withoutType, asPng) => {
    const content = (encoding: JsonObject): JsonObject => ({
      "multipart/form-data": { schema: { $ref: "#/components/schemas/Form" }, encoding: { a: encoding } },
    });
    const bodies = [{ requestBody: { content: content({}) } }, { requestBody: { content: content(png) } }];
    const schemas = { Form: { type: "object", properties: { a: schema } } };
    const check = (order: JsonObject[]): boolean[][] =>
      compileBodies(order, schemas).map((accepts) => values.map((a) => accepts({ a })));
    expect(check(bodies)).toEqual([withoutType, asPng]);
    expect(check(bodies.toReversed())).toEqual([asPng, withoutType]);
  });
});

/** Compiles the multipart bodies of operations, as a service validates them. */
function compileBodies(parts: readonly JsonObject[], schemas: JsonObject = {}): Validator[] {
  const paths = parts.map((part, index) => [`/things${index}`, { post: operationWith(part) }]);
  const { operations, multipartSchemas } = build(
    documentWith(Object.fromEntries(paths), { components: { schemas } }),
  );
  return operations.map(({ body }) => {
    const mediaType = body?.mediaTypes[0];
    return compileSchema(mediaType && multipartSchemas.bodies.get(mediaType));
  });
}

test("finds in linear time whether a part can be text", async () => {
  const file = { type: "string", format: "binary" };
  const links = Array.from({ length: 3000 }, (_, index) => [
    `S${index}`,
    { anyOf: [file, { $ref: `#/components/schemas/S${index + 1}` }] },
  ]);
  const schemas = { ...Object.fromEntries(links), S3000: { type: "string" } };
  const part = createPartBody({}, { $ref: "#/components/schemas/S0" });
  await expectCpuTimeBelow(5000, () => {
    const { body } = built(part, { components: { schemas } });
    expect(body?.mediaTypes[0]?.fields).toMatchObject([{ file: "file or text" }]);
  });
});

describe("a field that several schemas declare is read as", () => {
  const list = { type: "array", items: { type: "integer" } };
  test.each<[string, JsonObject, JsonObject, type: JsonValue]>([
    ["a list before a text", list, { type: "string" }, { items: "integer", scalarType: "string" }],
    ["a list before an object", list, { type: "object" }, { items: "integer" }],
    ["an object before a number", { type: "object" }, { type: "integer" }, { jsonOr: "string" }],
    ["a number before a text", { type: "integer" }, { type: "string" }, "integer"],
  ])("%s, in any order", (_, one, other, type) => {
    for (const schemas of [
      [one, other],
      [other, one],
    ]) {
      const oneOf = schemas.map((a) => ({ properties: { a } }));
      const content = { "application/x-www-form-urlencoded": { schema: { oneOf } } };
      const [field] = built({ requestBody: { content } }).body?.mediaTypes[0]?.fields ?? [];
      expect([field?.name, field?.type]).toEqual(["a", type]);
    }
  });
});

const FILE = { type: "string", format: "binary" };

test.each<[JsonObject, object | undefined]>([
  [{ additionalProperties: { type: "integer" } }, { name: "", type: "integer" }],
  [{ patternProperties: { "^x": { type: "integer" }, "^y": { type: "integer" } } }, { type: "integer" }],
  [{ additionalProperties: FILE }, { type: "string", file: "file" }],
  [{ additionalProperties: { type: "string", contentMediaType: "text/csv" } }, undefined],
  [
    { additionalProperties: { type: "integer" }, patternProperties: { "^x": { type: "boolean" } } },
    { type: { items: "string", scalarType: "string" } },
  ],
  [
    { additionalProperties: { type: "integer" }, patternProperties: { "^x": FILE } },
    { type: { items: "string", scalarType: "string" }, file: "file or text" },
  ],
  [
    { additionalProperties: { type: "string" }, patternProperties: { "^x": FILE } },
    { type: "string", file: "file or text" },
  ],
  [{ additionalProperties: { type: "object" }, patternProperties: { "^x": FILE } }, undefined],
  [{ additionalProperties: false }, undefined],
  [{}, undefined],
])("undeclared parts of a body with %j are read as %j", (schema, field) => {
  const content = { "multipart/form-data": { schema: { type: "object", ...schema } } };
  const additionalField = built({ requestBody: { content } }).body?.mediaTypes[0]?.additionalField;
  if (field) expect(additionalField).toMatchObject(field);
  else expect(additionalField).toBeUndefined();
});

test("a part has each of the content types that its encoding lists, and is no list without a type", () => {
  const { body } = built(createPartBody({ contentType: "text/plain , text/csv," }, {}));
  expect(body?.mediaTypes[0]?.fields).toMatchObject([
    { contentTypes: ["text/plain", "text/csv"], type: "string" },
  ]);
});
