import type { JsonObject, JsonValue } from "../../../../scripts/json.js";
import { always, JSON_TYPE, notAComponentName, OK, path, type Sink } from "./sink.js";

const info = (member: string): Sink => ({
  once: true,
  build: (text) => ({ info: { title: "t", version: "1", [member]: text } }),
});

/** Creates a sink in the name of a component. */
const inComponent = (sink: string, section: string, value: JsonValue): Sink => ({
  build: (text) => ({
    components: { [section]: { [text === "__proto__" ? text : `${sink}${text}`]: value } },
  }),
  mayBeRefused: notAComponentName,
});

/** Positions of text outside of paths and schemas, and in the names of components. */
export const DOCUMENT_SINKS: Readonly<Record<string, Sink>> = {
  openapi: { once: true, mayBeRefused: always, build: (text) => ({ openapi: text }) },
  "openapi after a version": {
    once: true,
    mayBeRefused: always,
    build: (text) => ({ openapi: `3.1.0${text}` }),
  },
  "info.title": info("title"),
  "info.version": info("version"),
  "info.description": info("description"),
  "info.summary": info("summary"),
  "info.termsOfService": info("termsOfService"),
  "info.contact": {
    once: true,
    build: (text) => ({
      info: { title: "t", version: "1", contact: { name: text, url: text, email: text } },
    }),
  },
  "info.license": {
    once: true,
    build: (text) => ({ info: { title: "t", version: "1", license: { name: text, url: text } } }),
  },
  jsonSchemaDialect: {
    once: true,
    build: (text) => ({ jsonSchemaDialect: text }),
    mayBeRefused: always,
  },
  "externalDocs of the document": {
    once: true,
    build: (text) => ({ externalDocs: { url: text, description: text } }),
  },
  "member of the document": { build: (text) => ({ [`x-${text}`]: { [text]: text } }) },

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
  "component parameter": inComponent("p", "parameters", {
    name: "q",
    in: "query",
    schema: { type: "string" },
  }),
  "response name": inComponent("r", "responses", OK),
  "request body name": inComponent("b", "requestBodies", { content: { [JSON_TYPE]: {} } }),
  "header name": inComponent("h", "headers", { schema: { type: "string" } }),
  "example name": inComponent("e", "examples", { value: 1 }),
  "component link name": inComponent("l", "links", { operationId: "linked" }),
  "component callback name": inComponent("c", "callbacks", {
    "{$url}": { post: { responses: { "200": OK } } },
  }),
  "path item name": inComponent("i", "pathItems", { get: { responses: { "200": OK } } }),
};
