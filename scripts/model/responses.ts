import { STATUS_CODES } from "node:http";
import { type BuildContext, componentName } from "./context.js";
import { headerNameProblem } from "./grammar.js";
import { buildMediaTypes } from "./media-types.js";
import type { Response, ResponseContent, ResponseHeader } from "./model.js";
import { type Node, child, entries, flag, text } from "./node.js";
import type { Direction } from "./schema/schema.js";
import { itemType, propertyTypes, wireType } from "./wire.js";

/** Statuses that `default` and ranges such as `4XX` can include. Statuses 1xx are not final responses. */
const FINAL_STATUSES = Object.keys(STATUS_CODES)
  .map(Number)
  .filter((status) => status >= 200);

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
  return context.buildOnce(node, direction, () => ({
    component: componentName(node, "responses"),
    description: text(node, "description") ?? "",
    mediaTypes: buildMediaTypes(node, false, direction, context),
    headers: entries(child(node, "headers")).flatMap(
      ([name, header]) => buildHeader(name, header, direction, context) ?? [],
    ),
  }));
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

/** Returns the statuses of a key, except those with a more specific key; undefined if the key is not a status. */
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
