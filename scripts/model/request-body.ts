import { type BuildContext, getComponentName } from "./context.js";
import { buildMediaTypes } from "./media-types.js";
import type { HttpMethod, RequestBody } from "./model.js";
import { type DocumentNode, getMember, isTrue, getText } from "./node.js";
import type { Direction } from "./schema/schema.js";

/** Builds a request body; undefined if its reference does not lead to one. */
export function buildRequestBody(
  reference: DocumentNode,
  direction: Direction,
  context: BuildContext,
): RequestBody | undefined {
  const node = context.derefContent(reference, "request body");
  if (!node) return undefined;
  return context.buildOnce(node, direction, () => ({
    pointer: node.pointer,
    component: getComponentName(node, "requestBodies"),
    required: isTrue(node, "required"),
    description: getText(node, "description") ?? "",
    mediaTypes: buildMediaTypes(node, { isRequest: true, direction }, context),
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
  if ((method === "get" || method === "head") && getMember(operation, "requestBody"))
    context.warn(
      operation,
      `fetch sends no body with ${method.toUpperCase()}, so the client's method will throw when it is given one.`,
    );
}
