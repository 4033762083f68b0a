import { STATUS_CODES } from "node:http";
import { buildFields, propertySchemas } from "./fields.js";
import { whyNoHeader } from "./grammar.js";
import type {
  HttpMethod,
  JsonObject,
  MediaType,
  RequestBody,
  Response,
  ResponseHeader,
  StreamItem,
} from "./model.js";
import { type Node, child, deref, entries, flag, isObject, items, text } from "./node.js";
import type { Report } from "./report.js";
import { itemType, propertyTypes, wireType } from "./schema.js";

/** Statuses that `default` and ranges such as `4XX` can stand for; 1xx are not final answers. */
const KNOWN_STATUSES = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((status) => status >= 200);

/** The request body of an operation, or undefined when it has none. */
export function buildBody(operation: Node, report: Report): RequestBody | undefined {
  const reference = child(operation, "requestBody");
  if (!reference) return undefined;
  const node = deref(report.document, reference);
  if (!node) {
    report.error(reference, "the request body cannot be resolved");
    return undefined;
  }
  return { required: flag(node, "required"), mediaTypes: buildMediaTypes(node, true, report) };
}

/** Says what fetch, and so the generated client, does not send. The routes serve it all the same. */
export function reportUnsent(operation: Node, method: HttpMethod, report: Report): void {
  if (method === "trace")
    report.warn(operation, "fetch sends no TRACE requests: the client's method will throw");
  if ((method === "get" || method === "head") && child(operation, "requestBody")) {
    report.warn(
      operation,
      `fetch sends no body with ${method.toUpperCase()}: the client's method will throw when it is given one`,
    );
  }
}

/** The responses of an operation, each key with the statuses that it alone stands for. */
export function buildResponses(operation: Node, report: Report): Response[] {
  const members = entries(child(operation, "responses")).filter(([key]) => !key.startsWith("x-"));
  const keys = members.map(([key]) => key);
  const responses: Response[] = [];
  for (const [key, member] of members) {
    const node = deref(report.document, member);
    const statuses = statusesOf(key, keys);
    if (!node || !statuses) {
      report.error(
        member,
        node ? `${JSON.stringify(key)} is not a status` : "the response cannot be resolved",
      );
      continue;
    }
    responses.push({
      key,
      statuses,
      description: text(node, "description") ?? "",
      mediaTypes: buildMediaTypes(node, false, report),
      headers: buildHeaders(node, report),
    });
  }
  return responses;
}

/** What a media type's body is read and written as; a response's form or parts are handed on as they come. */
function mediaTypeKind(name: string, request: boolean, streamed: boolean): MediaType["kind"] {
  const type = (name.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "application/json" || type.endsWith("+json") || type === "*/*") return "json";
  if (type === "application/x-www-form-urlencoded") return request ? "form" : "text";
  if (type.startsWith("multipart/")) return request ? "multipart" : "binary";
  if (type === "text/event-stream") return request ? "text" : "sse";
  if (streamed && JSON_LINES.has(type)) return request ? "binary" : "jsonl";
  return type.startsWith("text/") ? "text" : "binary";
}

function buildMediaTypes(node: Node, request: boolean, report: Report): MediaType[] {
  return entries(child(node, "content")).map(([name, member]) => {
    const schema = child(member, "schema");
    const kind = mediaTypeKind(name, request, child(member, "itemSchema") !== undefined);
    return {
      name,
      kind,
      schemaPointer: schema?.pointer,
      fields:
        kind === "form" || kind === "multipart" ? buildFields(member, kind === "multipart", report) : [],
      item: kind === "sse" || kind === "jsonl" ? buildItem(member, kind, report.document) : undefined,
    };
  });
}

/**
 * What one event of a stream, or one line, is. `itemSchema` of OpenAPI 3.2 describes it; older documents have a
 * `schema`, which says what one item is as well, or is that of an array of them. A schema whose properties are `data`
 * and others of an event's fields describes the event, any other its data.
 */
function buildItem(mediaType: Node, kind: "sse" | "jsonl", document: JsonObject): StreamItem {
  const declared = child(mediaType, "schema");
  const own = child(mediaType, "itemSchema");
  const list = declared && child(deref(document, declared) ?? declared, "items");
  const schema = own ?? list ?? declared;
  if (!schema || kind === "jsonl") {
    return {
      schemaPointer: schema?.pointer,
      listed: Boolean(list),
      whole: false,
      data: schema ? "json" : "text",
    };
  }
  const properties = propertySchemas(document, schema);
  const whole = properties.has("data") && [...properties.keys()].every((name) => EVENT_FIELDS.has(name));
  const data = whole ? (properties.get("data") ?? []) : [schema];
  return {
    schemaPointer: schema.pointer,
    listed: Boolean(list),
    whole,
    data: data.every((each) => isText(document, each)) ? "text" : "json",
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

/** Whether a schema allows nothing but text, as far as it says; one that says nothing is taken as text. */
function isText(document: JsonObject, schema: Node, depth = 0): boolean {
  const node = deref(document, schema);
  if (!node || !isObject(node.value) || depth > 10) return true;
  const { type } = node.value;
  if (type !== undefined) return [type].flat().every((name) => name === "string");
  const choices = ["allOf", "anyOf", "oneOf"].flatMap((key) => items(child(node, key)));
  if (choices.length > 0) return choices.every((each) => isText(document, each, depth + 1));
  return wireType(document, node) === "string";
}

function buildHeaders(response: Node, report: Report): ResponseHeader[] {
  const headers: ResponseHeader[] = [];
  for (const [name, member] of entries(child(response, "headers"))) {
    // OpenAPI: a Content-Type header is ignored, the media types say it.
    if (name.toLowerCase() === "content-type") continue;
    const node = deref(report.document, member);
    if (!node) {
      report.error(member, `the header ${JSON.stringify(name)} cannot be resolved`);
      continue;
    }
    const wrong = whyNoHeader(name);
    if (wrong !== undefined) {
      report.error(member, `the response header ${JSON.stringify(name)} ${wrong}`);
      continue;
    }
    const schema = child(node, "schema");
    headers.push({
      name,
      required: flag(node, "required"),
      schemaPointer: schema?.pointer,
      type: child(node, "content") ? "json" : wireType(report.document, schema),
      itemType: itemType(report.document, schema),
      properties: propertyTypes(report.document, schema),
      explode: flag(node, "explode"),
    });
  }
  return headers;
}

function statusesOf(key: string, keys: string[]): number[] | undefined {
  if (/^[1-5][0-9][0-9]$/.test(key)) return [Number(key)];
  const free = (status: number): boolean => !keys.includes(String(status));
  if (/^[1-5]XX$/i.test(key)) {
    return KNOWN_STATUSES.filter((status) => String(status)[0] === key[0] && free(status));
  }
  if (key !== "default") return undefined;
  const ranges = keys.filter((other) => /XX$/i.test(other)).map((other) => other[0]);
  return KNOWN_STATUSES.filter((status) => free(status) && !ranges.includes(String(status)[0]));
}
