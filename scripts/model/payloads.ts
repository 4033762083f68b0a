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
import { conjuncts, knownProperties } from "./schema/composition.js";
import type { Direction, Schema } from "./schema/schema.js";
import { itemType, propertyTypes, wireType } from "./wire.js";

/** Statuses that `default` and ranges such as `4XX` can stand for; 1xx are not final answers. */
const KNOWN_STATUSES = Object.keys(STATUS_CODES)
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

/** Reports requests that fetch, and so the generated client, does not send. The routes serve them. */
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

/** Builds the responses of an operation. No status belongs to more than one of them. */
export function buildResponses(operation: Node, direction: Direction, context: BuildContext): Response[] {
  const members = entries(child(operation, "responses")).filter(([key]) => !key.startsWith("x-"));
  const keys = members.map(([key]) => key);
  const responses: Response[] = [];
  for (const [key, member] of members) {
    const statuses = statusesOf(key, keys);
    if (!statuses) {
      context.error(member, `${JSON.stringify(key)} is not a status`);
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

/** The kind of a media type's body. Forms and multipart bodies of responses are passed on unparsed. */
function mediaTypeKind(name: string, request: boolean, streamed: boolean): MediaType["kind"] {
  const type = (name.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "application/json" || type.endsWith("+json") || type === "*/*") return "json";
  if (type === "application/x-www-form-urlencoded") return request ? "form" : "text";
  if (type.startsWith("multipart/")) return request ? "multipart" : "binary";
  if (type === "text/event-stream") return request ? "text" : "sse";
  if (streamed && JSON_LINES.has(type)) return request ? "binary" : "jsonl";
  return type.startsWith("text/") ? "text" : "binary";
}

/** Parses a media type range: the wildcard is everything, a subtype, or its start as in `application/*+json`. */
function rangeOf(name: string): MediaType["range"] {
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
    const kind = mediaTypeKind(name, isRequest, itemNode !== undefined);
    return {
      name,
      range: rangeOf(name),
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
 * Builds the item of a stream: an event or a line. `itemSchema` of OpenAPI 3.2 describes it; in older documents `schema`
 * describes an item or an array of items. A schema whose properties are fields of an event, including `data`, describes
 * the whole event, any other schema its data.
 */
function buildItem(kind: "sse" | "jsonl", declared: Schema | undefined, own: Schema | undefined): StreamItem {
  const list = declared && target(declared).one("items");
  const schema = own ?? list ?? declared;
  const isArray = Boolean(list);
  if (!schema || kind === "jsonl") {
    return { schema, isArray, describesEvent: false, data: schema ? "json" : "text" };
  }
  const properties = knownProperties(schema);
  const describesEvent =
    properties.has("data") && [...properties.keys()].every((name) => EVENT_FIELDS.has(name));
  const data = describesEvent ? (properties.get("data") ?? []) : [schema];
  return {
    schema,
    isArray,
    describesEvent,
    data: data.every((each) => isText(each)) ? "text" : "json",
  };
}

/** Media types with one JSON value on each line. */
const JSON_LINES = new Set([
  "application/jsonl",
  "application/x-jsonlines",
  "application/x-ndjson",
  "application/ndjson",
]);

const EVENT_FIELDS = new Set(["data", "event", "id", "retry"]);

/** Whether a schema allows only text. A schema without types counts as text. */
function isText(schema: Schema, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return true;
  seen.add(schema);
  const { declaredTypes } = schema;
  if (declaredTypes) return declaredTypes.every((name) => name === "string");
  const parts = [...conjuncts(schema), ...schema.unions.flat()];
  if (parts.length > 0) return parts.every((part) => isText(part, seen));
  return wireType(schema) === "string";
}

/** The schema at the end of a chain of references. */
function target(schema: Schema): Schema {
  const seen = new Set<Schema>();
  let end = schema;
  for (let next = end.reference; next && !seen.has(next); next = end.reference) seen.add((end = next));
  return end;
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
  const wrong = headerNameProblem(name);
  if (wrong !== undefined) {
    context.error(member, `the response header ${JSON.stringify(name)} ${wrong}`);
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

function statusesOf(key: string, keys: string[]): number[] | undefined {
  if (/^[1-5][0-9][0-9]$/.test(key)) return [Number(key)];
  const free = (status: number): boolean => !keys.includes(String(status));
  if (/^[1-5]XX$/i.test(key)) {
    return KNOWN_STATUSES.filter((status) => String(status)[0] === key[0] && free(status));
  }
  if (key !== "default") return undefined;
  const ranges = keys.filter((other) => /XX$/i.test(other)).map((other) => other[0]);
  // `default` describes errors when a success is declared.
  const least = keys.some((other) => other.startsWith("2")) ? 300 : 200;
  return KNOWN_STATUSES.filter(
    (status) => status >= least && free(status) && !ranges.includes(String(status)[0]),
  );
}
