import { STATUS_CODES } from "node:http";
import type { MediaType, RequestBody, Response, ResponseHeader } from "./model.js";
import { type Node, child, deref, entries, flag, text } from "./node.js";
import type { Report } from "./report.js";
import { itemType, wireType } from "./schema.js";

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
  return { required: flag(node, "required"), mediaTypes: buildMediaTypes(node) };
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
      mediaTypes: buildMediaTypes(node),
      headers: buildHeaders(node, report),
    });
  }
  return responses;
}

/** What a media type's body is read and written as. */
function mediaTypeKind(name: string): MediaType["kind"] {
  const type = (name.split(";")[0] ?? "").trim().toLowerCase();
  if (type === "application/json" || type.endsWith("+json") || type === "*/*") return "json";
  if (type === "application/x-www-form-urlencoded") return "form";
  if (type.startsWith("multipart/")) return "multipart";
  return type.startsWith("text/") ? "text" : "binary";
}

function buildMediaTypes(node: Node): MediaType[] {
  return entries(child(node, "content")).map(([name, member]) => ({
    name,
    kind: mediaTypeKind(name),
    schemaPointer: child(member, "schema")?.pointer,
  }));
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
    const schema = child(node, "schema");
    headers.push({
      name,
      required: flag(node, "required"),
      type: child(node, "content") ? "json" : wireType(report.document, schema),
      itemType: itemType(report.document, schema),
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
