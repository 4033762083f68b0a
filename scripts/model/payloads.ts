import { STATUS_CODES } from "node:http";
import { type BuildContext, componentName } from "./context.js";
import { buildExamples } from "./examples.js";
import { buildFields } from "./fields.js";
import { headerNameProblem } from "./grammar.js";
import type {
  HttpMethod,
  MediaType,
  RequestBody,
  Response,
  ResponseContent,
  ResponseHeader,
  StreamItem,
} from "./model.js";
import { type Node, child, entries, flag, text } from "./node.js";
import { listConjuncts, collectDeclaredProperties } from "./schema/composition.js";
import type { Direction, Schema } from "./schema/schema.js";
import { itemType, propertyTypes, wireType } from "./wire.js";

/** Statuses that `default` and ranges such as `4XX` stand for. The statuses 1xx are not final responses. */
const FINAL_STATUSES = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((status) => status >= 200);

/** The request body of an operation; undefined when it has none. */
export function buildBody(
  operation: Node,
  direction: Direction,
  context: BuildContext,
): RequestBody | undefined {
  const reference = child(operation, "requestBody");
  return reference && buildRequestBody(reference, direction, context);
}

/** Builds a request body; undefined if its reference cannot be resolved. */
export function buildRequestBody(
  reference: Node,
  direction: Direction,
  context: BuildContext,
): RequestBody | undefined {
  const node = context.deref(reference);
  if (!node) {
    context.error(reference, "the request body cannot be resolved");
    return undefined;
  }
  return context.once(node, direction, () => ({
    component: componentName(node, "requestBodies"),
    required: flag(node, "required"),
    description: text(node, "description") ?? "",
    mediaTypes: buildMediaTypes(node, true, direction, context),
  }));
}

/** Warns about requests that the server handles, but that the generated client cannot send, because fetch refuses them. */
export function reportUnsent(operation: Node, method: HttpMethod, context: BuildContext): void {
  if (method === "trace")
    context.warn(operation, "fetch sends no TRACE requests: the client's method will throw");
  if ((method === "get" || method === "head") && child(operation, "requestBody")) {
    context.warn(
      operation,
      `fetch sends no body with ${method.toUpperCase()}: the client's method will throw when it is given one`,
    );
  }
}

/** Builds the responses of an operation. A status belongs to one response: the one with the most specific key. */
export function buildResponses(operation: Node, direction: Direction, context: BuildContext): Response[] {
  const members = entries(child(operation, "responses")).filter(([key]) => !key.startsWith("x-"));
  const keys = members.map(([key]) => key);
  const responses: Response[] = [];
  for (const [key, member] of members) {
    const statuses = expandStatusKey(key, keys);
    if (!statuses) {
      context.error(
        member,
        `${JSON.stringify(key)} is not a status; use one such as "200", a range such as "4XX", or "default"`,
      );
      continue;
    }
    const content = buildResponseContent(member, direction, context);
    if (content) responses.push({ key, statuses, ...content });
  }
  return responses;
}

/** Builds a response without its statuses; undefined if its reference cannot be resolved. */
export function buildResponseContent(
  member: Node,
  direction: Direction,
  context: BuildContext,
): ResponseContent | undefined {
  const node = context.deref(member);
  if (!node) {
    context.error(member, "the response cannot be resolved");
    return undefined;
  }
  return context.once(node, direction, () => ({
    component: componentName(node, "responses"),
    description: text(node, "description") ?? "",
    mediaTypes: buildMediaTypes(node, false, direction, context),
    headers: entries(child(node, "headers")).flatMap(
      ([name, header]) => buildHeader(name, header, direction, context) ?? [],
    ),
  }));
}

/**
 * The kind of a media type's body. Forms and multipart bodies of responses are not parsed.
 *
 * @param hasItemSchema whether it declares the schema of an item, without which JSON lines are bytes
 */
function mediaTypeKind(
  name: string,
  schema: Schema | undefined,
  isRequest: boolean,
  hasItemSchema: boolean,
): MediaType["kind"] {
  const type = (name.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "*/*")
    return schema && followReferences(schema).text("format") === "binary" ? "binary" : "json";
  if (type === "application/json" || type.endsWith("+json")) return "json";
  if (type === "application/x-www-form-urlencoded") return isRequest ? "form" : "text";
  if (type.startsWith("multipart/")) return isRequest ? "multipart" : "binary";
  if (type === "text/event-stream") return isRequest ? "text" : "sse";
  if (hasItemSchema && JSON_LINES_TYPES.has(type)) return isRequest ? "binary" : "jsonl";
  return type.startsWith("text/") ? "text" : "binary";
}

/** Parses a range such as `image/*` or `application/*+json`; undefined for a single media type. */
function parseRange(name: string): MediaType["range"] {
  const type = (name.split(";")[0] ?? "").trim();
  if (type === "*/*") return { prefix: "", suffix: "" };
  const [, prefix, suffix] = /^([^*]+\/)\*(\+[^*]+)?$/.exec(type) ?? [];
  return prefix === undefined ? undefined : { prefix, suffix: suffix ?? "" };
}

function buildMediaTypes(
  node: Node,
  isRequest: boolean,
  direction: Direction,
  context: BuildContext,
): MediaType[] {
  return entries(child(node, "content")).map(([name, member]) => {
    const schemaNode = child(member, "schema");
    const schema = context.schema(schemaNode, direction);
    const itemNode = child(member, "itemSchema");
    const kind = mediaTypeKind(name, schema, isRequest, itemNode !== undefined);
    return {
      name,
      range: parseRange(name),
      kind,
      schema,
      examples: buildExamples(member, schema, context),
      fields:
        kind === "form" || kind === "multipart"
          ? buildFields(member, schema, kind === "multipart", context)
          : [],
      item:
        kind === "sse" || kind === "jsonl"
          ? buildItem(kind, schema, context.schema(itemNode, direction))
          : undefined,
    };
  });
}

/**
 * Builds the item of a stream: an event or a line. A schema describes a whole event if all its properties are fields of
 * events and one of them is `data`; any other schema describes the data of the event.
 *
 * @param mediaTypeSchema describes an item or an array of items, in documents older than OpenAPI 3.2
 * @param itemSchema `itemSchema` of OpenAPI 3.2
 */
function buildItem(
  kind: "sse" | "jsonl",
  mediaTypeSchema: Schema | undefined,
  itemSchema: Schema | undefined,
): StreamItem {
  const arrayItems = mediaTypeSchema && followReferences(mediaTypeSchema).subschema("items");
  const schema = itemSchema ?? arrayItems ?? mediaTypeSchema;
  const isArray = arrayItems !== undefined;
  if (!schema || kind === "jsonl") {
    return { schema, isArray, describesEvent: false, data: schema ? "json" : "text" };
  }
  const properties = collectDeclaredProperties(schema);
  const describesEvent =
    properties.has("data") && [...properties.keys()].every((name) => EVENT_FIELDS.has(name));
  const dataSchemas = describesEvent ? (properties.get("data") ?? []) : [schema];
  return {
    schema,
    isArray,
    describesEvent,
    data: dataSchemas.every((each) => isText(each)) ? "text" : "json",
  };
}

/** Media types with one JSON value on each line. */
const JSON_LINES_TYPES = new Set([
  "application/jsonl",
  "application/x-jsonlines",
  "application/x-ndjson",
  "application/ndjson",
]);

/** Fields of a server-sent event. */
const EVENT_FIELDS = new Set(["data", "event", "id", "retry"]);

/** Whether a schema allows strings only. A schema that declares no types counts as one of strings. */
function isText(schema: Schema, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return true;
  seen.add(schema);
  const { declaredTypes } = schema;
  if (declaredTypes) return declaredTypes.every((name) => name === "string");
  const parts = [...listConjuncts(schema), ...schema.unions.flat()];
  if (parts.length > 0) return parts.every((part) => isText(part, seen));
  return wireType(schema) === "string";
}

/** Follows the references of a schema to the schema that is not a reference. */
function followReferences(schema: Schema): Schema {
  const seen = new Set<Schema>();
  let current = schema;
  for (let next = current.reference; next && !seen.has(next); next = current.reference) {
    seen.add(next);
    current = next;
  }
  return current;
}

/** Builds a response header; undefined if its reference cannot be resolved or OpenAPI ignores it. */
export function buildHeader(
  name: string,
  member: Node,
  direction: Direction,
  context: BuildContext,
): ResponseHeader | undefined {
  // OpenAPI ignores a Content-Type header: the media types declare it.
  if (name.toLowerCase() === "content-type") return undefined;
  const node = context.deref(member);
  if (!node) {
    context.error(member, `the header ${JSON.stringify(name)} cannot be resolved`);
    return undefined;
  }
  const problem = headerNameProblem(name);
  if (problem !== undefined) {
    context.error(member, `the response header ${JSON.stringify(name)} ${problem}`);
    return undefined;
  }
  const content = entries(child(node, "content"))[0]?.[1];
  const schemaNode = child(node, "schema");
  const schema = context.schema(schemaNode, direction);
  return {
    name,
    component: componentName(node, "headers"),
    required: flag(node, "required"),
    deprecated: flag(node, "deprecated"),
    description: text(node, "description") ?? "",
    schema: content ? context.schema(child(content, "schema"), direction) : schema,
    type: content ? "json" : wireType(schema),
    itemType: itemType(schema),
    properties: propertyTypes(schema),
    explode: flag(node, "explode"),
  };
}

/** Returns the statuses that a key stands for, except those with a more specific key; undefined if it is not a status. */
function expandStatusKey(key: string, keys: string[]): number[] | undefined {
  if (/^[1-5][0-9][0-9]$/.test(key)) return [Number(key)];
  const hasNoKey = (status: number): boolean => !keys.includes(String(status));
  if (/^[1-5]XX$/i.test(key)) {
    return FINAL_STATUSES.filter((status) => String(status)[0] === key[0] && hasNoKey(status));
  }
  if (key !== "default") return undefined;
  const ranges = keys.filter((other) => /XX$/i.test(other)).map((other) => other[0]);
  // `default` describes errors if the operation declares a success.
  const minimum = keys.some((other) => other.startsWith("2")) ? 300 : 200;
  return FINAL_STATUSES.filter(
    (status) => status >= minimum && hasNoKey(status) && !ranges.includes(String(status)[0]),
  );
}
