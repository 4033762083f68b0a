import type { JsonObject, JsonValue } from "../../../scripts/json.js";

/** Creates a part of a document with the text in one position. `index` distinguishes the copies in one document. */
type Build = (text: string, index: number) => JsonObject;

/**
 * A position in a document that contains text of its author.
 *
 * `once`: whether a document can contain it only once.
 * `mayBeRefused`: texts that are invalid here, or that the toolkit does not support. They may give an error with a
 * location. Code must be generated for all other texts.
 */
export interface Sink {
  build: Build;
  once?: boolean;
  mayBeRefused?: (text: string) => boolean;
}

const always = (): boolean => true;
const OK: JsonObject = { description: "ok" };
const JSON_TYPE = "application/json";

/** Creates a path for a case; `operation` is its POST. */
function path(sink: string, index: number, operation: JsonObject): JsonObject {
  return { paths: { [`/${sink}/${index}`]: { post: { responses: { "200": OK }, ...operation } } } };
}

function schemaAt(sink: string): (schema: (text: string) => JsonValue) => Build {
  return (schema) => (text, index) => ({
    ...path(sink, index, {
      requestBody: {
        content: { [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${sink}${index}` } } },
      },
      responses: {
        "200": {
          ...OK,
          content: { [JSON_TYPE]: { schema: { $ref: `#/components/schemas/${sink}${index}` } } },
        },
      },
    }),
    components: { schemas: { [`${sink}${index}`]: schema(text) } },
  });
}

/** Creates a sink in a schema of requests and responses. */
function inSchema(sink: string, schema: (text: string) => JsonValue, more: Omit<Sink, "build"> = {}): Sink {
  return { build: schemaAt(sink)(schema), ...more };
}

function parameter(sink: string, make: (text: string) => JsonObject): Build {
  return (text, index) => path(sink, index, { parameters: [make(text)] });
}

function response(sink: string, make: (text: string) => JsonObject): Build {
  return (text, index) => path(sink, index, { responses: { "200": { ...OK, ...make(text) } } });
}

function body(sink: string, content: (text: string) => JsonObject): Build {
  return (text, index) => path(sink, index, { requestBody: { content: content(text) } });
}

const root =
  (member: (text: string) => JsonObject): Build =>
  (text) =>
    member(text);
const info = (member: string): Sink => ({
  once: true,
  build: root((text) => ({ info: { title: "t", version: "1", [member]: text } })),
});

/** Whether a text is not a valid component name, which `$ref`s and generated names require. */
const notAComponentName = (text: string): boolean => !/^[a-zA-Z0-9._-]+$/.test(text);
const inComponent = (sink: string, section: string, value: JsonValue): Sink => ({
  build: (text) => ({
    components: { [section]: { [text === "__proto__" ? text : `${sink}${text}`]: value } },
  }),
  mayBeRefused: notAComponentName,
});

const isPattern = (text: string): boolean => {
  try {
    return Boolean(new RegExp(text, "u"));
  } catch {
    return false;
  }
};
/** Whether a text is not a token (RFC 9110, section 5.6.2), which header names must be. */
const notAToken = (text: string): boolean => !/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text);
const notAPath = (text: string): boolean => /[?#{}]/.test(text) || !text.isWellFormed();

const NUMBERS = [
  "minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength",
  "minItems maxItems minProperties maxProperties minContains maxContains",
]
  .join(" ")
  .split(" ");
const FLAGS = ["uniqueItems", "nullable", "readOnly", "writeOnly", "deprecated"];

/** Every position of text in a document. */
export const SINKS: Readonly<Record<string, Sink>> = {
  openapi: { once: true, mayBeRefused: always, build: root((text) => ({ openapi: text })) },
  "openapi after a version": {
    once: true,
    mayBeRefused: always,
    build: root((text) => ({ openapi: `3.1.0${text}` })),
  },
  "info.title": info("title"),
  "info.version": info("version"),
  "info.description": info("description"),
  "info.summary": info("summary"),
  "info.termsOfService": info("termsOfService"),
  "info.contact": {
    once: true,
    build: root((text) => ({
      info: { title: "t", version: "1", contact: { name: text, url: text, email: text } },
    })),
  },
  "info.license": {
    once: true,
    build: root((text) => ({ info: { title: "t", version: "1", license: { name: text, url: text } } })),
  },
  jsonSchemaDialect: { once: true, build: root((text) => ({ jsonSchemaDialect: text })) },
  "externalDocs of the document": {
    once: true,
    build: root((text) => ({ externalDocs: { url: text, description: text } })),
  },
  "member of the document": { build: root((text) => ({ [`x-${text}`]: { [text]: text } })) },

  "tags.name": { build: (text) => ({ tags: [{ name: text }] }) },
  "tags.description": { build: (text, index) => ({ tags: [{ name: `tag ${index}`, description: text }] }) },
  "tags.externalDocs": {
    build: (text, index) => ({ tags: [{ name: `tag docs ${index}`, externalDocs: { url: text } }] }),
  },
  "servers.url": { build: (text) => ({ servers: [{ url: `https://example.test/${text}` }] }) },
  "servers.url alone": { build: (text) => ({ servers: [{ url: text }] }) },
  "servers.description": { build: (text) => ({ servers: [{ url: "/", description: text }] }) },
  "servers.variables": {
    build: (text) => ({
      servers: [
        { url: `/{${text}}`, variables: { [text]: { default: text, enum: [text], description: text } } },
      ],
    }),
  },
  "servers of an operation": {
    build: (text, index) =>
      path("serversOfOperation", index, { servers: [{ url: text, description: text }] }),
  },

  "path key": {
    build: (text, index) => ({
      paths: { [`/pathKey${index}/${text}`]: { get: { responses: { "200": OK } } } },
    }),
    mayBeRefused: notAPath,
  },
  "path key, a parameter in it": {
    build: (text, index) => ({
      paths: {
        [`/pathParameter${index}/{${text}}`]: {
          get: {
            parameters: [{ name: text, in: "path", required: true, schema: { type: "string" } }],
            responses: { "200": OK },
          },
        },
      },
    }),
    mayBeRefused: notAPath,
  },
  "path key, a parameter that nobody declares": {
    build: (text, index) => ({
      paths: { [`/undeclared${index}/{${text}}/x`]: { get: { responses: { "200": OK } } } },
    }),
    mayBeRefused: notAPath,
  },
  "path item summary": {
    build: (text, index) => ({
      paths: {
        [`/pathItem/${index}`]: { summary: text, description: text, get: { responses: { "200": OK } } },
      },
    }),
  },
  "query parameter name": {
    build: parameter("query", (name) => ({ name, in: "query", schema: { type: "integer" } })),
  },
  "query parameter name, deepObject": {
    build: parameter("deep", (name) => ({
      name,
      in: "query",
      style: "deepObject",
      schema: { type: "object", properties: { [name]: { type: "integer" } } },
    })),
  },
  "query parameter name, list": {
    build: parameter("list", (name) => ({
      name,
      in: "query",
      style: "pipeDelimited",
      explode: false,
      schema: { type: "array", items: { type: "string" } },
    })),
  },
  "header parameter name": {
    build: parameter("header", (name) => ({ name, in: "header", schema: { type: "string" } })),
    mayBeRefused: notAToken,
  },
  "cookie parameter name": {
    build: parameter("cookie", (name) => ({ name, in: "cookie", schema: { type: "string" } })),
    mayBeRefused: notAToken,
  },
  "parameter description": {
    build: parameter("describedParameter", (description) => ({
      name: "q",
      in: "query",
      description,
      schema: { type: "string", description },
    })),
  },
  "parameter example": {
    build: parameter("exampleParameter", (example) => ({
      name: "q",
      in: "query",
      example,
      schema: { type: "string", default: example },
    })),
  },
  "parameter media type": {
    build: parameter("contentParameter", (text) => ({
      name: "q",
      in: "query",
      content: { [`application/json; a=${JSON.stringify(text)}`]: { schema: { type: "object" } } },
    })),
  },
  "parameter style": {
    build: parameter("style", (style) => ({ name: "q", in: "query", style, schema: { type: "string" } })),
    mayBeRefused: always,
  },
  "parameter in": {
    build: parameter("in", (text) => ({ name: "q", in: text, schema: { type: "string" } })),
    mayBeRefused: always,
  },
  "parameter explode": {
    build: parameter("explode", (explode) => ({
      name: "q",
      in: "query",
      explode,
      schema: { type: "string" },
    })),
    mayBeRefused: always,
  },
  "parameter required": {
    build: parameter("required", (required) => ({ name: "q", in: "query", required, schema: {} })),
    mayBeRefused: always,
  },
  "component parameter": inComponent("p", "parameters", {
    name: "q",
    in: "query",
    schema: { type: "string" },
  }),

  operationId: { build: (operationId, index) => path("operationId", index, { operationId }) },
  "operation tag": { build: (tag, index) => path("operationTag", index, { tags: [tag] }) },
  "operation summary": { build: (summary, index) => path("summary", index, { summary }) },
  "operation description": { build: (description, index) => path("description", index, { description }) },
  "operation externalDocs": {
    build: (text, index) => path("docs", index, { externalDocs: { url: text, description: text } }),
  },
  "operation extension": {
    build: (text, index) =>
      path("extension", index, {
        [`x-${text}`]: text,
        "x-codeSamples": [{ lang: text, label: text, source: text }],
        "x-internal": text,
      }),
  },
  "operation deprecated": {
    build: (deprecated, index) => path("deprecated", index, { deprecated }),
    mayBeRefused: always,
  },
  "security requirement": {
    build: (text, index) => ({
      ...path("security", index, { security: [{ [text]: [text] }] }),
      components: { securitySchemes: { [text]: { type: "http", scheme: text, bearerFormat: text } } },
    }),
    mayBeRefused: notAComponentName,
  },
  "security scheme, header name": {
    build: (name, index) => ({
      components: { securitySchemes: { [`key${index}`]: { type: "apiKey", in: "header", name } } },
    }),
  },
  "security scheme, scopes and addresses": {
    build: (text, index): JsonObject => ({
      components: {
        securitySchemes: {
          [`oauth${index}`]: {
            type: "oauth2",
            description: text,
            flows: {
              authorizationCode: {
                authorizationUrl: text,
                tokenUrl: text,
                refreshUrl: text,
                scopes: { [text]: text },
              },
            },
          },
          [`openid${index}`]: { type: "openIdConnect", openIdConnectUrl: text },
        },
      },
    }),
  },

  "request media type": {
    build: body("requestType", (text) => ({ [text]: { schema: { type: "string" } } })),
  },
  "request media type, a parameter of it": {
    build: body("requestNote", (text) => ({
      [`application/json; note=${JSON.stringify(text)}`]: { schema: { type: "string" } },
      [JSON_TYPE]: { schema: { type: "integer" } },
    })),
  },
  "request description": {
    build: (description, index) =>
      path("body", index, { requestBody: { description, content: { [JSON_TYPE]: {} } } }),
  },
  "encoding key and property of a form": {
    build: body("multipart", (text) => ({
      "multipart/form-data": {
        schema: { type: "object", properties: { [text]: { type: "string" } } },
        encoding: { [text]: { contentType: "text/plain" } },
      },
    })),
  },
  "encoding contentType": {
    build: body("encodingType", (contentType) => ({
      "multipart/form-data": {
        schema: { type: "object", properties: { file: { type: "string" } } },
        encoding: { file: { contentType } },
      },
    })),
    mayBeRefused: always,
  },
  "encoding header": {
    build: body("encodingHeader", (text) => ({
      "multipart/form-data": {
        schema: { type: "object", properties: { file: { type: "string" } } },
        encoding: { file: { headers: { [text]: { schema: { type: "string", default: text } } } } },
      },
    })),
  },
  "property of an urlencoded form": {
    build: body("urlencoded", (text) => ({
      "application/x-www-form-urlencoded": {
        schema: { type: "object", properties: { [text]: { type: "string" } } },
        encoding: { [text]: { contentType: text } },
      },
    })),
  },
  "response code": {
    build: (text, index) => path("code", index, { responses: { "200": OK, [text]: OK } }),
    mayBeRefused: always,
  },
  "response media type": {
    build: response("responseType", (text) => ({ content: { [text]: { schema: { type: "string" } } } })),
  },
  "response media type, a parameter of it": {
    build: response("responseNote", (text): JsonObject => ({
      content: {
        [`application/json; note=${JSON.stringify(text)}`]: { schema: { type: "string" } },
        [JSON_TYPE]: {},
      },
    })),
  },
  "response description": { build: response("responseText", (description) => ({ description })) },
  "response header name": {
    build: response("responseHeader", (text) => ({ headers: { [text]: { schema: { type: "integer" } } } })),
    mayBeRefused: notAToken,
  },
  "response header description": {
    build: response("responseHeaderText", (description) => ({
      headers: { "X-A": { description, example: description, schema: { type: "string" } } },
    })),
  },
  "example name and value": {
    build: response("example", (text) => ({
      content: {
        [JSON_TYPE]: {
          schema: {},
          examples: { [`e${text}`]: { summary: text, description: text, value: { [text]: text } } },
        },
      },
    })),
  },
  "link name": {
    build: response("linkName", (text) => ({ links: { [text]: { operationId: "linked" } } })),
  },
  "link target and parameters": {
    build: response("link", (text) => ({
      links: {
        next: {
          operationRef: text,
          description: text,
          parameters: { [text]: text },
          requestBody: text,
          server: { url: text },
        },
      },
    })),
  },
  "callback name": {
    build: (text, index) =>
      path("callbackName", index, {
        callbacks: { [text]: { "{$request.body#/url}": { post: { responses: { "200": OK } } } } },
      }),
  },
  "callback expression": {
    build: (text, index) =>
      path("callback", index, {
        callbacks: {
          onEvent: { [text]: { post: { operationId: `called${index}${text}`, responses: { "200": OK } } } },
        },
      }),
  },
  "webhook name": {
    build: (text) => ({
      webhooks: {
        [text]: {
          post: { summary: text, requestBody: { content: { [text]: {} } }, responses: { "200": OK } },
        },
      },
    }),
  },

  "schema name": {
    build: (text, index) => ({
      ...path("schemaName", index, {
        requestBody: {
          content: {
            [JSON_TYPE]: {
              schema: { $ref: `#/components/schemas/${encodeURIComponent(text.toWellFormed())}` },
            },
          },
        },
      }),
      components: { schemas: { [text]: { type: "string" } } },
    }),
    mayBeRefused: notAComponentName,
  },
  "response name": inComponent("r", "responses", OK),
  "request body name": inComponent("b", "requestBodies", { content: { [JSON_TYPE]: {} } }),
  "header name": inComponent("h", "headers", { schema: { type: "string" } }),
  "example name": inComponent("e", "examples", { value: 1 }),
  "component link name": inComponent("l", "links", { operationId: "linked" }),
  "component callback name": inComponent("c", "callbacks", {
    "{$url}": { post: { responses: { "200": OK } } },
  }),
  "path item name": inComponent("i", "pathItems", { get: { responses: { "200": OK } } }),

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

/** The document to which parts are added. */
export const BASE: JsonObject = {
  openapi: "3.1.0",
  info: { title: "t", version: "1" },
  paths: { "/linked": { get: { operationId: "linked", responses: { "200": OK } } } },
  components: {
    schemas: {
      One: { type: "object", properties: { one: { type: "string" } } },
      Two: { type: "object", properties: { two: { type: "string" } } },
    },
  },
};

/** Merges a part into a document: objects by member, lists by concatenation; the later of two other values wins. */
export function mergeInto(document: JsonObject, part: JsonObject): void {
  for (const [key, value] of Object.entries(part)) {
    const before = Object.hasOwn(document, key) ? document[key] : undefined;
    if (Array.isArray(before) && Array.isArray(value)) before.push(...value);
    else if (isObject(before) && isObject(value)) mergeInto(before, value);
    // Defined instead of assigned, because assigning to __proto__ changes the prototype.
    else
      Object.defineProperty(document, key, { value, enumerable: true, configurable: true, writable: true });
  }
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
