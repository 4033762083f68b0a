import type { JsonObject } from "../../../../scripts/json.js";
import { always, type Build, JSON_TYPE, notAToken, OK, path, type Sink } from "./sink.js";

function parameter(sink: string, make: (text: string) => JsonObject): Build {
  return (text, index) => path(sink, index, { parameters: [make(text)] });
}

function response(sink: string, make: (text: string) => JsonObject): Build {
  return (text, index) => path(sink, index, { responses: { "200": { ...OK, ...make(text) } } });
}

function body(sink: string, content: (text: string) => JsonObject): Build {
  return (text, index) => path(sink, index, { requestBody: { content: content(text) } });
}

const notAPath = (text: string): boolean => /[?#{}]/.test(text) || !text.isWellFormed();

/** Positions of text in paths and operations. */
export const OPERATION_SINKS: Readonly<Record<string, Sink>> = {
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
};
