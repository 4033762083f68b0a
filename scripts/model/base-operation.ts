import type { BuildContext } from "./context.js";
import type { Callback, BaseOperation, HttpMethod } from "./model.js";
import { type DocumentNode, getMember, listMembers, listTexts, isTrue, getText } from "./node.js";
import { buildParameters } from "./parameters/parameters.js";
import { listOperations } from "./paths/path-item.js";
import { buildRequestBody, buildResponses } from "./messages.js";

/** Builds the request and the responses of an operation. The context has the direction of the request. */
export function buildBaseOperation(
  pathItem: DocumentNode,
  operation: DocumentNode,
  method: HttpMethod,
  context: BuildContext,
): BaseOperation {
  const reverseContext = context.reverse();
  const body = getMember(operation, "requestBody");
  return {
    pointer: operation.pointer,
    method,
    summary: getText(operation, "summary") ?? "",
    description: getText(operation, "description") ?? "",
    deprecated: isTrue(operation, "deprecated"),
    tags: listTexts(operation, "tags"),
    extensions: Object.fromEntries(
      listMembers(operation).flatMap(([key, { value }]) => (key.startsWith("x-") ? [[key, value]] : [])),
    ),
    parameters: buildParameters(pathItem, operation, context),
    body: body && buildRequestBody(body, context),
    responses: buildResponses(operation, method, reverseContext),
    callbacks: buildCallbacks(operation, reverseContext),
  };
}

/** Builds the callbacks of an operation. Problems in callbacks are not reported, because only generated types use them. */
function buildCallbacks(operation: DocumentNode, context: BuildContext): Callback[] {
  const silentContext = context.withoutReports();
  return listMembers(getMember(operation, "callbacks")).map(([name, reference]) => ({
    name,
    expressions: listMembers(context.deref(reference))
      .filter(([expression]) => !expression.startsWith("x-"))
      .map(([expression, item]) => {
        const pathItem = context.deref(item);
        const operations = pathItem
          ? listOperations(pathItem).map(([method, { value, pointer }]) => {
              // Callbacks of callbacks are ignored: real documents have none.
              const { callbacks: _, ...rest } = value;
              return buildBaseOperation(pathItem, { value: rest, pointer }, method, silentContext);
            })
          : [];
        return { expression, operations };
      }),
  }));
}
