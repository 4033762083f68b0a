import type { BuildContext } from "./context.js";
import { type Callback, type Exchange, type HttpMethod, METHODS } from "./model.js";
import { type Node, child, entries, flag, isObject, text } from "./node.js";
import { buildParameters } from "./parameters.js";
import { buildBody, buildResponses } from "./payloads.js";
import type { Direction } from "./schema/schema.js";

/**
 * Builds the messages of an operation.
 *
 * @param receiver whom its requests go to. In a webhook or a callback the owner of the data asks: there requests carry
 *   the response form of schemas, and responses the request form.
 */
export function buildExchange(
  pathItem: Node,
  operation: Node,
  method: HttpMethod,
  receiver: "owner" | "client",
  context: BuildContext,
): Exchange {
  const asked: Direction = receiver === "owner" ? "request" : "response";
  const answered: Direction = receiver === "owner" ? "response" : "request";
  return {
    method,
    summary: text(operation, "summary") ?? "",
    description: text(operation, "description") ?? "",
    deprecated: flag(operation, "deprecated"),
    parameters: buildParameters([pathItem, operation], asked, context),
    body: buildBody(operation, asked, context),
    responses: buildResponses(operation, answered, context),
    callbacks: buildCallbacks(operation, receiver, context),
  };
}

/** Callbacks have types only, so that what is wrong with them stops nothing. */
function buildCallbacks(operation: Node, receiver: "owner" | "client", context: BuildContext): Callback[] {
  const silent = context.silent();
  return entries(child(operation, "callbacks")).map(([name, reference]) => ({
    name,
    expressions: entries(context.deref(reference))
      .filter(([expression]) => !expression.startsWith("x-"))
      .map(([expression, item]) => {
        const pathItem = context.deref(item);
        const exchanges = pathItem
          ? methodsOf(pathItem).map(([method, node]) =>
              // A callback of a callback would go to the owner again; one level is what documents have.
              buildExchange(
                pathItem,
                withoutCallbacks(node),
                method,
                receiver === "owner" ? "client" : "owner",
                silent,
              ),
            )
          : [];
        return { expression, exchanges };
      }),
  }));
}

/** The operations of a path item. */
export function methodsOf(pathItem: Node): [HttpMethod, Node][] {
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
