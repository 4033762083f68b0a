import type { BuildContext } from "./context.js";
import { type Callback, type Exchange, type HttpMethod, METHODS } from "./model.js";
import { type Node, child, entries, flag, isObject, text } from "./node.js";
import { buildParameters } from "./parameters.js";
import { buildBody } from "./request-body.js";
import { buildResponses } from "./responses.js";
import type { Direction } from "./schema/schema.js";

/**
 * Builds the request and the responses of an operation.
 *
 * @param receiver who receives the requests. Requests to the server have the request form of schemas, and their responses
 *   the response form. For requests to the client (of webhooks and callbacks) it is the other way round
 */
export function buildExchange(
  pathItem: Node,
  operation: Node,
  method: HttpMethod,
  receiver: "server" | "client",
  context: BuildContext,
): Exchange {
  const requestForm: Direction = receiver === "server" ? "request" : "response";
  const responseForm: Direction = receiver === "server" ? "response" : "request";
  return {
    method,
    summary: text(operation, "summary") ?? "",
    description: text(operation, "description") ?? "",
    deprecated: flag(operation, "deprecated"),
    parameters: buildParameters([pathItem, operation], requestForm, context),
    body: buildBody(operation, requestForm, context),
    responses: buildResponses(operation, responseForm, context),
    callbacks: buildCallbacks(operation, receiver, context),
  };
}

/**
 * Builds the callbacks of an operation. Problems in callbacks are not reported, because only generated types use them.
 */
function buildCallbacks(operation: Node, receiver: "server" | "client", context: BuildContext): Callback[] {
  const silentContext = context.withoutReports();
  return entries(child(operation, "callbacks")).map(([name, reference]) => ({
    name,
    expressions: entries(context.deref(reference))
      .filter(([expression]) => !expression.startsWith("x-"))
      .map(([expression, item]) => {
        const pathItem = context.deref(item);
        const exchanges = pathItem
          ? operationNodes(pathItem).map(([method, node]) =>
              // Callbacks of callbacks are ignored: real documents have none.
              buildExchange(
                pathItem,
                withoutCallbacks(node),
                method,
                receiver === "server" ? "client" : "server",
                silentContext,
              ),
            )
          : [];
        return { expression, exchanges };
      }),
  }));
}

/** Returns the operations of a path item by method. */
export function operationNodes(pathItem: Node): [HttpMethod, Node][] {
  return METHODS.flatMap((method): [HttpMethod, Node][] => {
    const node = child(pathItem, method);
    return node && isObject(node.value) ? [[method, node]] : [];
  });
}

function withoutCallbacks({ value, pointer }: Node): Node {
  if (!isObject(value)) return { value, pointer };
  const { callbacks: _, ...rest } = value;
  return { value: rest, pointer };
}
