import { STATUS_CODES } from "node:http";
import { type BuildContext, getComponentName } from "./context.js";
import { describeHeaderNameProblem } from "./http-grammar.js";
import { buildMediaTypes } from "./bodies/media-types.js";
import type { HttpMethod, RequestBody, Response, ResponseContent, ResponseHeader } from "./model.js";
import { type DocumentNode, getMember, listMembers, isTrue, getText } from "./node.js";
import { hasNestedValues, inferHeaderTypes, inferValueType } from "./parameters/value-type.js";
import { readSerializedSchema } from "./parameters/serialized-type.js";

/** Statuses that `default` and ranges such as `4XX` can include: the final ones that Node knows. */
export const FINAL_STATUSES = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((status) => status >= 200);

/** Builds a request body; undefined if its reference does not lead to one. */
export function buildRequestBody(reference: DocumentNode, context: BuildContext): RequestBody | undefined {
  const node = context.derefContent(reference, "request body");
  if (!node) return undefined;
  return context.buildOnce("request body", node, () => ({
    pointer: node.pointer,
    component: getComponentName(node, "requestBodies"),
    required: isTrue(node, "required"),
    description: getText(node, "description") ?? "",
    mediaTypes: buildMediaTypes(node, true, context),
  }));
}

/** Warns about requests that the generated client cannot send, because fetch rejects them. */
export function reportUnsendableRequest(
  operation: DocumentNode,
  method: HttpMethod,
  context: BuildContext,
): void {
  if (method === "trace")
    context.warn(operation, "fetch sends no TRACE requests, so the client's method will throw.");
  const body = getMember(operation, "requestBody");
  if ((method === "get" || method === "head") && body)
    context.warn(
      body,
      `fetch sends no body with ${method.toUpperCase()}, so the client's method will throw when it is given one. Declare the values as parameters.`,
    );
}

/** Statuses of responses that never have content (RFC 9110, sections 15.3.5, 15.3.6 and 15.4.5). */
export const STATUSES_WITHOUT_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Builds the responses of an operation. A status belongs to the response with the most specific key. Content is ignored where HTTP allows
 * none, and is not reported for HEAD, because it can describe that of GET.
 */
export function buildResponses(
  operation: DocumentNode,
  method: HttpMethod,
  context: BuildContext,
): Response[] {
  const members = listMembers(getMember(operation, "responses")).filter(([key]) => !key.startsWith("x-"));
  const keys = members.map(([key]) => key);
  const responses: Response[] = [];
  for (const [key, member] of members) {
    const statuses = expandStatusKey(key, keys);
    if (!statuses) {
      context.error(
        member,
        `${JSON.stringify(key)} is not a status. Use one such as "200", a range such as "4XX", or "default".`,
      );
      continue;
    }
    const content = buildResponseContent(member, context);
    if (!content) continue;
    if (content.mediaTypes.length === 0) responses.push({ key, statuses, ...content });
    else if (method === "head") responses.push({ key, statuses, ...content, mediaTypes: [] });
    else if (STATUSES_WITHOUT_CONTENT.has(Number(key))) {
      context.warn(
        member,
        `A response with status ${key} has no body, so its content is ignored. Remove it.`,
      );
      responses.push({ key, statuses, ...content, mediaTypes: [] });
    } else {
      const withContent = statuses.filter((status) => !STATUSES_WITHOUT_CONTENT.has(status));
      responses.push({ key, statuses: withContent, ...content });
    }
  }
  return responses;
}

/** Builds a response without its statuses; undefined if its reference does not lead to one. */
export function buildResponseContent(
  member: DocumentNode,
  context: BuildContext,
): ResponseContent | undefined {
  const node = context.derefContent(member, "response");
  if (!node) return undefined;
  return context.buildOnce("response", node, () => ({
    pointer: node.pointer,
    component: getComponentName(node, "responses"),
    description: getText(node, "description") ?? "",
    mediaTypes: buildMediaTypes(node, false, context),
    headers: listMembers(getMember(node, "headers"))
      .map(([name, header]) => buildHeader(name, header, context))
      .filter((header) => header !== undefined),
  }));
}

/** Builds a response header; undefined if its reference cannot be resolved or OpenAPI ignores it. */
export function buildHeader(
  name: string,
  member: DocumentNode,
  context: BuildContext,
): ResponseHeader | undefined {
  // OpenAPI ignores a Content-Type header: the media types declare it.
  if (name.toLowerCase() === "content-type") return undefined;
  const node = context.derefObject(member, `header ${JSON.stringify(name)}`);
  if (!node) return undefined;
  const problem = describeHeaderNameProblem(name);
  if (problem !== undefined) {
    context.error(member, `The response header ${JSON.stringify(name)} ${problem}`);
    return undefined;
  }
  const { schema, type: serializedType } = readSerializedSchema(node, context);
  const isNested = hasNestedValues(inferValueType(schema, serializedType, false, undefined));
  if (isNested)
    context.warn(
      node,
      `The response header ${JSON.stringify(name)} has nested lists or objects, which the style simple cannot represent. It is written as JSON.`,
    );
  const hasMembers = serializedType === "array" || serializedType === "object";
  const type = isNested || serializedType === "json" ? "json" : hasMembers ? serializedType : "scalar";
  return {
    pointer: node.pointer,
    name,
    component: getComponentName(node, "headers"),
    required: isTrue(node, "required"),
    deprecated: isTrue(node, "deprecated"),
    description: getText(node, "description") ?? "",
    schema,
    type,
    ...inferHeaderTypes(schema, type),
    explode: isTrue(node, "explode"),
  };
}

/** Returns the statuses of a key, except those with a more specific key; undefined if the key is not a status. */
function expandStatusKey(key: string, keys: string[]): number[] | undefined {
  if (/^[1-5][0-9][0-9]$/.test(key)) return [Number(key)];
  const isUndeclared = (status: number): boolean => !keys.includes(String(status));
  if (/^[1-5]XX$/i.test(key))
    return FINAL_STATUSES.filter((status) => String(status)[0] === key[0] && isUndeclared(status));
  if (key !== "default") return undefined;
  const rangeDigits = keys.filter((other) => /XX$/i.test(other)).map((other) => other[0]);
  // With a declared success, `default` describes errors and redirects.
  const minimum = keys.some((other) => other.startsWith("2")) ? 300 : 200;
  return FINAL_STATUSES.filter(
    (status) => status >= minimum && isUndeclared(status) && !rangeDigits.includes(String(status)[0]),
  );
}
