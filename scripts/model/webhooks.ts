import { buildSecurity } from "./security.js";
import { buildExchange } from "./http-exchange.js";
import { listOperations } from "./path-item.js";
import type { HttpMethod, Operation } from "./model.js";
import type { BuildContext } from "./context.js";
import { toPascalCase, assignUniqueNames } from "./names.js";
import { type Node, getMember, listMembers, isTrue, getText } from "./node.js";

/** An operation of a webhook before it is built: unique names can be chosen only when all operations are known. */
interface Draft {
  /** Name of the webhook. */
  webhook: string;
  method: HttpMethod;
  node: Node;
  pathItem: Node;
  /** The text that its type name is derived from. */
  label: string;
}

/**
 * Builds the operations of the webhooks: requests that the API sends to its clients.
 *
 * @param reserved type names of the other operations, which webhooks cannot have
 */
export function buildWebhooks(reserved: string[], context: BuildContext): Operation[] {
  const drafts = listMembers(getMember(context.root, "webhooks")).flatMap(([webhook, item]) =>
    webhook.startsWith("x-") ? [] : draftOperations(webhook, item, context),
  );
  const names = assignUniqueNames<Draft | string>(
    [...reserved, ...drafts],
    (each) => (typeof each === "string" ? each : `${toPascalCase(each.label)}Webhook`),
    // Reserved names come first, so that they keep their names.
    (each) => (typeof each === "string" ? `0 ${each}` : `1 ${each.webhook} ${each.method}`),
  );
  return drafts.map((draft) => {
    const { webhook, method, node, pathItem } = draft;
    const typeName = names.get(draft) ?? "";
    return {
      ...buildExchange(pathItem, node, method, "client", context),
      id: getText(node, "operationId") ?? webhook,
      webhook,
      name: typeName,
      typeName,
      path: webhook,
      route: "",
      routePattern: undefined,
      conditions: [],
      safe: isTrue(node, "x-safe"),
      security: buildSecurity(node, context),
      servers: [],
    };
  });
}

function draftOperations(webhook: string, item: Node, context: BuildContext): Draft[] {
  const pathItem = context.deref(item);
  if (!pathItem) return [];
  const operations = listOperations(pathItem);
  return operations.map(([method, node]) => ({
    webhook,
    method,
    node,
    pathItem,
    label: getText(node, "operationId") ?? (operations.length > 1 ? `${webhook} ${method}` : webhook),
  }));
}
