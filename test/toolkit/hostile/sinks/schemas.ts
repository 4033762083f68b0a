import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { always, JSON_TYPE, OK, path, type Sink } from "./sink.js";

/** Creates a sink in a schema of requests and responses. */
function inSchema(sink: string, schema: (text: string) => JsonValue, more: Omit<Sink, "build"> = {}): Sink {
  return {
    ...more,
    build(text, index) {
      const content = { [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${sink}${index}` } } };
      return {
        ...path(sink, index, { requestBody: { content }, responses: { "200": { ...OK, content } } }),
        components: { schemas: { [`${sink}${index}`]: schema(text) } },
      };
    },
  };
}

const isPattern = (text: string): boolean => {
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    return false;
  }
};

const NUMBERS = [
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength",
  "minItems maxItems minProperties maxProperties minContains maxContains",
]
  .join(" ")
  .split(" ");
const FLAGS = ["uniqueItems", "nullable", "readOnly", "writeOnly", "deprecated"];

/** Positions of text in schemas. */
export const SCHEMA_SINKS: Readonly<Record<string, Sink>> = {
  "property name": inSchema("Property", (text): JsonObject => ({
    type: "object",
    properties: { [text]: { type: "string" }, [`x${text}`]: {} },
  })),
  // Validators contain the pointer of each member in a comment, which `*` and the next `/` would end.
  "property name above a union": inSchema("PropertyUnion", (text): JsonObject => ({
    type: "object",
    properties: {
      [text]: {
        anyOf: [
          { type: "string", minLength: 1 },
          { type: "array", minItems: 1 },
        ],
      },
    },
  })),
  required: inSchema("Required", (text) => ({ type: "object", required: [text, `x${text}`] })),
  "required property": inSchema("RequiredProperty", (text) => ({
    type: "object",
    required: [text],
    properties: { [text]: { type: "string" } },
    additionalProperties: false,
  })),
  "dependentRequired and dependentSchemas": inSchema("Dependent", (text) => ({
    type: "object",
    dependentRequired: { [text]: [text] },
    dependentSchemas: { [text]: { required: [text] } },
  })),
  patternProperties: inSchema(
    "PatternProperties",
    (text) => ({ type: "object", patternProperties: { [text]: { type: "string" } } }),
    { mayBeRefused: (text) => !isPattern(text) },
  ),
  enum: inSchema("Enum", (text) => ({ type: "string", enum: [text, `${text}x`] })),
  "enum of objects": inSchema("EnumOfObjects", (text) => ({ enum: [{ [text]: text }, [text]] })),
  const: inSchema("Const", (text) => ({ const: text })),
  "const object": inSchema("ConstObject", (text) => ({ const: { [text]: [text] } })),
  default: inSchema("Default", (text) => ({
    type: "object",
    properties: {
      s: { type: "string", default: text },
      n: { type: "number", default: text },
      d: { type: "string", format: "date-time", default: text },
      a: { type: "array", items: { type: "string", default: text }, default: [text] },
      o: { type: "object", default: { [text]: text } },
    },
  })),
  example: inSchema("Example", (text) => ({
    type: "string",
    example: text,
    examples: [text, { [text]: text }],
  })),
  pattern: inSchema("Pattern", (text) => ({ type: "string", pattern: text }), {
    mayBeRefused: (text) => !isPattern(text),
  }),
  "pattern of the text": inSchema("Quoted", (text) => ({ type: "string", pattern: quotePattern(text) })),
  format: inSchema("Format", (text) => ({ type: "string", format: text })),
  "format of a number": inSchema("NumberFormat", (text) => ({ type: "number", format: text })),
  type: inSchema("Type", (text) => ({ type: text }), { mayBeRefused: always }),
  "list of types": inSchema("Types", (text) => ({ type: ["string", text] }), { mayBeRefused: always }),
  ...Object.fromEntries(
    NUMBERS.map((keyword) => [
      keyword,
      inSchema(`N${keyword}`, (text) => ({ type: typeFor(keyword), [keyword]: text }), {
        mayBeRefused: always,
      }),
    ]),
  ),
  ...Object.fromEntries(
    FLAGS.map((keyword) => [
      keyword,
      inSchema(`F${keyword}`, (text) => ({ type: "array", items: {}, [keyword]: text }), {
        mayBeRefused: always,
      }),
    ]),
  ),
  "schema title and description": inSchema("Described", (text) => ({
    title: text,
    description: text,
    type: "object",
    properties: { a: { title: text, description: text, deprecated: true, type: "string" } },
  })),
  "schema $comment": inSchema("Comment", (text) => ({ $comment: text, type: "string" })),
  "schema externalDocs": inSchema("Docs", (text) => ({
    type: "string",
    externalDocs: { url: text, description: text },
  })),
  "schema xml": inSchema("Xml", (text) => ({
    type: "string",
    xml: { name: text, namespace: text, prefix: text },
  })),
  contentMediaType: inSchema("ContentMediaType", (text) => ({
    type: "string",
    contentMediaType: text,
    contentEncoding: text,
  })),
  "x-expected": inSchema("Expected", (text) => ({
    type: "string",
    pattern: `^${quotePattern(text)}expected$`,
    "x-expected": text,
  })),
  "x-enum-descriptions": inSchema("EnumDescriptions", (text) => ({
    type: "string",
    enum: ["a"],
    "x-enum-descriptions": [text],
    "x-enumDescriptions": { a: text },
    "x-enum-varnames": [text],
    "x-enumNames": [text],
  })),
  "schema extension": inSchema("Extension", (text) => ({ type: "string", [`x-${text}`]: { [text]: text } })),
  "unknown member of a schema": inSchema("Unknown", (text) => ({
    type: "string",
    [`unknown ${text}`]: text,
  })),
  "discriminator.propertyName": inSchema("Discriminated", (text) => ({
    discriminator: { propertyName: text },
    oneOf: [{ $ref: "#/components/schemas/One" }, { $ref: "#/components/schemas/Two" }],
  })),
  "discriminator.mapping key": inSchema("Mapped", (text) => ({
    discriminator: {
      propertyName: "kind",
      mapping: { [text]: "#/components/schemas/One", two: "#/components/schemas/Two" },
    },
    oneOf: [{ $ref: "#/components/schemas/One" }, { $ref: "#/components/schemas/Two" }],
  })),
  "discriminator.mapping value": inSchema(
    "MappedTo",
    (text) => ({
      discriminator: { propertyName: "kind", mapping: { one: text } },
      oneOf: [{ $ref: "#/components/schemas/One" }, { $ref: "#/components/schemas/Two" }],
    }),
    { mayBeRefused: always },
  ),
  $ref: inSchema("Ref", (text) => ({ $ref: `#/components/schemas/${text}` }), { mayBeRefused: always }),
  "$ref to a file": inSchema("FileRef", (text) => ({ $ref: text }), { mayBeRefused: always }),
  $id: inSchema("Id", (text) => ({ $id: text, type: "string" })),
  "$id with an address": inSchema("Address", (text) => ({
    $id: `https://example.test/${text}`,
    type: "string",
  })),
  $anchor: inSchema("Anchor", (text) => ({ $anchor: text, $dynamicAnchor: text, type: "string" })),
  $schema: inSchema("Schema", (text) => ({ $schema: text, type: "string" }), { mayBeRefused: always }),
  $defs: inSchema("Defs", (text) => ({ $defs: { [text]: { type: "string" } }, type: "string" })),
};

function typeFor(keyword: string): string {
  if (keyword.endsWith("Items") || keyword.endsWith("Contains")) return "array";
  if (keyword.endsWith("Properties")) return "object";
  return keyword.endsWith("Length") ? "string" : "number";
}

/** Creates a regular expression that matches only the text. */
function quotePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
