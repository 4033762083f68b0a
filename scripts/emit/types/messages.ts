import type { JsonObject, JsonValue } from "../../model/model.js";
import { type Node, child, deref, entries, isObject, items, text } from "../../model/node.js";
import type { Schemas } from "./schemas.js";

/** Header parameters and response headers of these names are to be ignored, says OpenAPI. */
const IGNORED_PARAMETERS = new Set(["accept", "content-type", "authorization"]);
const IGNORED_HEADERS = new Set(["content-type"]);

type Kind = "responses" | "parameters" | "requestBodies" | "headers";

/** Prepares what carries schemas for openapi-typescript: parameters, headers, request bodies and responses. */
export class Messages {
  constructor(
    private readonly document: JsonObject,
    private readonly schemas: Schemas,
  ) {}

  /** The parameters of an operation: those of its path item, replaced by its own of the same name and place. */
  parameters(...owners: Node[]): JsonObject[] {
    const parameters = new Map<string, JsonObject>();
    for (const item of owners.flatMap((owner) => items(child(owner, "parameters")))) {
      const target = deref(this.document, item);
      const name = text(target, "name");
      const place = text(target, "in");
      if (!target || name === undefined || place === undefined) continue;
      if (place === "header" && IGNORED_PARAMETERS.has(name.toLowerCase())) continue;
      parameters.set(
        `${place} ${name}`,
        this.referenceOr("parameters", item, (node) => this.parameter(node)),
      );
    }
    return [...parameters.values()];
  }

  /** A parameter with its schema prepared. */
  parameter(node: Node): JsonObject {
    return {
      ...members(node, "name", "in", "required", "description", "deprecated", "example"),
      ...this.schemaOf(node),
    };
  }

  /** The request body of an operation, by reference where it is a component. */
  requestBodyOf(operation: Node): JsonObject | undefined {
    const node = child(operation, "requestBody");
    return node && this.referenceOr("requestBodies", node, (body) => this.requestBody(body));
  }

  /** A request body with the schemas of its contents prepared. */
  requestBody(node: Node): JsonObject {
    return { ...members(node, "required", "description"), content: this.content(node) };
  }

  /** The responses of an operation by status, by reference where they are components. */
  responsesOf(operation: Node): JsonObject {
    const responses = entries(child(operation, "responses")).filter(([status]) => !status.startsWith("x-"));
    return Object.fromEntries(
      responses.map(([status, node]) => [
        status,
        this.referenceOr("responses", node, (response) => this.response(response)),
      ]),
    );
  }

  /** A response with the schemas of its headers and contents prepared. */
  response(node: Node): JsonObject {
    const headers = entries(child(node, "headers")).flatMap(([name, reference]): [string, JsonObject][] => {
      const header = IGNORED_HEADERS.has(name.toLowerCase()) ? undefined : deref(this.document, reference);
      if (!header) return [];
      const type = this.referenceOr("headers", reference, (each) => this.header(each));
      // Of a referenced header openapi-typescript does not see that it is optional: the reference is its schema here.
      return [
        [name, typeof type.$ref === "string" ? { ...members(header, "required"), schema: type } : type],
      ];
    });
    return {
      ...members(node, "description"),
      ...(headers.length > 0 ? { headers: Object.fromEntries(headers) } : {}),
      content: this.content(node),
    };
  }

  /** A header with its schema prepared. */
  header(node: Node): JsonObject {
    return { ...members(node, "required", "description", "deprecated", "example"), ...this.schemaOf(node) };
  }

  private content(node: Node): JsonObject {
    return Object.fromEntries(
      entries(child(node, "content")).map(([name, reference]) => {
        const mediaType = deref(this.document, reference);
        const schema = mediaType && (child(mediaType, "schema") ?? child(mediaType, "itemSchema"));
        return [
          name,
          mediaType && schema
            ? { ...members(mediaType, "example"), schema: this.prepared(schema.value) }
            : {},
        ];
      }),
    );
  }

  /** The schema of a parameter or a header; its own, or that of the text in a media type that is its value. */
  private schemaOf(node: Node): JsonObject {
    const content = entries(child(node, "content"))[0]?.[1];
    const target = content ? deref(this.document, content) : node;
    const schema = target && child(target, "schema");
    if (schema) return { schema: this.prepared(schema.value) };
    return content ? { schema: {} } : {};
  }

  private prepared(schema: JsonValue): JsonValue {
    // The cast: a prepared schema is a JSON value but for the key that no text can spell. A boolean is one, too; but
    // for openapi-typescript false is no schema.
    const prepared = this.schemas.inline(schema);
    return (prepared === false ? { enum: [] } : prepared) as JsonValue;
  }

  /** A reference to a component stays one; what else is referenced is written in its place. */
  private referenceOr(kind: Kind, node: Node, prepare: (target: Node) => JsonObject): JsonObject {
    const ref = text(node, "$ref");
    if (ref?.startsWith(`#/components/${kind}/`) && /^[A-Za-z0-9_.-]+$/.test(ref.slice(kind.length + 14))) {
      return { ...members(node, "summary", "description"), $ref: ref };
    }
    const target = deref(this.document, node);
    return target && isObject(target.value) ? prepare(target) : {};
  }
}

/** Members of an object that are there and what openapi-typescript takes them for. */
function members(node: Node, ...names: string[]): JsonObject {
  const found: JsonObject = {};
  for (const name of names) {
    const value = child(node, name)?.value;
    const isText = name !== "required" && name !== "deprecated" && name !== "example";
    if (value !== undefined && (!isText || typeof value === "string")) found[name] = value;
  }
  return found;
}
