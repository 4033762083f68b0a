import { buildSecurity } from "./security.js";
import { buildExchange, operationNodes } from "./exchange.js";
import type { HttpMethod, Operation } from "./model.js";
import type { BuildContext } from "./context.js";
import { pascalCase, uniqueNames } from "./names.js";
import { type Node, child, entries, flag, text } from "./node.js";

interface Draft {
  webhook: string;
  method: HttpMethod;
  node: Node;
  pathItem: Node;
  /** The text that the type name is made from. */
  label: string;
}

/**
 * Builds the webhooks of the document. The API sends their requests, which contain the response form of schemas, and
 * receives their responses, which contain the request form.
 *
 * @param reserved type names of the operations
 */
export function buildWebhooks(reserved: string[], context: BuildContext): Operation[] {
  const root: Node = { value: context.document, pointer: "" };
  const drafts = entries(child(root, "webhooks")).flatMap(([webhook, item]) =>
    webhook.startsWith("x-") ? [] : draftsOf(webhook, item, context),
  );
  const names = uniqueNames<Draft | string>(
    [...reserved, ...drafts],
    (each) => (typeof each === "string" ? each : `${pascalCase(each.label)}Webhook`),
    // Reserved names come first, so that they keep their names.
    (each) => (typeof each === "string" ? `0 ${each}` : `1 ${each.webhook} ${each.method}`),
  );
  return drafts.map((draft) => {
    const { webhook, method, node, pathItem } = draft;
    const typeName = names.get(draft) ?? "";
    return {
      ...buildExchange(pathItem, node, method, "client", context),
      id: text(node, "operationId") ?? webhook,
      webhook,
      name: typeName,
      typeName,
      path: webhook,
      route: "",
      routePattern: undefined,
      when: [],
      safe: flag(node, "x-safe"),
      security: buildSecurity(node, context),
      servers: [],
    };
  });
}

function draftsOf(webhook: string, item: Node, context: BuildContext): Draft[] {
  const pathItem = context.deref(item);
  if (!pathItem) return [];
  const operations = operationNodes(pathItem);
  return operations.map(([method, node]) => ({
    webhook,
    method,
    node,
    pathItem,
    label: text(node, "operationId") ?? (operations.length > 1 ? `${webhook} ${method}` : webhook),
  }));
}
