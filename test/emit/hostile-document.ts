import { writeFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "../../scripts/model/model.js";

/** Text for a path: braces, question marks and number signs have a meaning there. */
function inPath(text: string): string {
  return text.replaceAll("{", "(").replaceAll("}", ")").replace(/[?#]/g, "!");
}

/** A regular expression that matches the text and nothing else; without line ends, which no pattern needs. */
export function patternFor(text: string): string {
  return `^${text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}$`;
}

/** A document that says `text` wherever a document may hold text, once for each text. */
export function hostileDocument(texts: readonly string[]): JsonObject {
  const paths = Object.fromEntries(
    texts.map((text, index) => [`/p${index}/${inPath(text)}/{id}`, pathItem(text, index)]),
  );
  const schemas = Object.fromEntries(texts.map((text, index) => [`S${index}`, schemaFor(text)]));
  return {
    openapi: "3.1.0",
    info: { title: texts.join(" "), version: texts.join(" "), description: texts.join(" ") },
    tags: texts.map((text) => ({ name: text, description: text })),
    servers: [{ url: "/", description: texts.join(" ") }],
    paths,
    components: { schemas },
  };
}

/** The schema whose every keyword holds the text; the text itself is what it accepts. */
function schemaFor(text: string): JsonObject {
  return {
    title: text,
    description: text,
    type: "object",
    // A required property of an inherited name must be the object's own.
    required: [`x${text}`, text],
    properties: {
      [text]: { enum: [text], description: text, title: text },
      [`x${text}`]: { const: text, default: text, examples: [text] },
      [`d${text}`]: true,
      [`e${text}`]: true,
      unique: { type: "array", uniqueItems: true },
      pattern: { type: "string", pattern: patternFor(text), "x-expected": text, format: text },
      nested: { type: "object", additionalProperties: { enum: [{ [text]: text }] } },
      ["x-" + text]: { deprecated: true, description: text },
    },
    patternProperties: { [patternFor(`z${text}`)]: { const: text } },
    dependentRequired: { [`d${text}`]: [`e${text}`] },
    additionalProperties: false,
  };
}

function pathItem(text: string, index: number): JsonObject {
  const described = { summary: text, description: text };
  const schema = { $ref: `#/components/schemas/S${index}` };
  const example: JsonValue = { [text]: text };
  const mediaType = `application/x.${index}+json; note=${JSON.stringify(text)}`;
  return {
    ...described,
    parameters: [{ name: "id", in: "path", required: true, description: text, schema: { type: "string" } }],
    post: {
      ...described,
      operationId: text,
      tags: [text],
      deprecated: true,
      externalDocs: { url: "https://example.org", description: text },
      parameters: [
        {
          name: `q${text}`,
          in: "query",
          description: text,
          example: text,
          schema: { enum: [text], default: text },
        },
        {
          name: `o${text}`,
          in: "query",
          style: "deepObject",
          schema: {
            type: "object",
            description: text,
            properties: { [text]: { type: "integer", description: text } },
          },
        },
        { name: `c${text}`, in: "cookie", description: text, schema: { type: "string", description: text } },
      ],
      requestBody: {
        description: text,
        required: true,
        content: { "application/json": { schema, example }, [mediaType]: { schema } },
      },
      responses: {
        "200": {
          description: text,
          headers: { [`X-${text}`]: { description: text, required: true, schema: { type: "integer" } } },
          content: {
            "application/json": { schema, examples: { [`e${index}`]: { ...described, value: example } } },
            [mediaType]: { schema },
          },
        },
      },
    },
  };
}

export function writeDocument(file: string, document: JsonObject): void {
  writeFileSync(file, JSON.stringify(document, null, 1));
}
