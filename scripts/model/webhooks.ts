import { buildSecurity } from "./security.js";
import { buildExchange } from "./http-exchange.js";
import { listOperations } from "./path-item.js";
import type { HttpMethod, Operation } from "./model.js";
import type { BuildContext } from "./context.js";
import { toPascalCase, assignUniqueNames } from "./names.js";
import { type Node, getMember, listMembers, isTrue, getText } from "./node.js";

/** A webhook operation without its type name. Names can be assigned only when all operations are known. */
interface WebhookDraft {
  webhookName: string;
  method: HttpMethod;
  operation: Node;
  pathItem: Node;
  /** The text that its type name is derived from. */
  nameSource: string;
}

/** Builds the operations of the webhooks: requests that the API sends to its clients. */
export function buildWebhooks(reservedTypeNames: string[], context: BuildContext): Operation[] {
  const drafts = listMembers(getMember(context.root, "webhooks")).flatMap(([webhookName, reference]) =>
    // A specification extension is not a webhook.
    webhookName.startsWith("x-") ? [] : draftOperations(webhookName, reference, context),
  );
  const typeNames = assignUniqueNames(
    drafts,
    ({ nameSource }) => `${toPascalCase(nameSource)}Webhook`,
    ({ webhookName, method }) => `${webhookName} ${method}`,
    reservedTypeNames,
  );
  return drafts.map((draft) => {
    const { webhookName, method, operation, pathItem } = draft;
    const typeName = typeNames.get(draft);
    if (typeName === undefined) throw new Error(`the webhook ${webhookName} has no type name`);
    return {
      // The direction is reversed: the client receives the request.
      ...buildExchange(pathItem, operation, method, "client", context),
      id: getText(operation, "operationId") ?? webhookName,
      webhook: webhookName,
      name: typeName,
      typeName,
      // A webhook has no route: its receiver chooses the URL.
      path: webhookName,
      route: "",
      routePattern: undefined,
      conditions: [],
      safe: isTrue(operation, "x-safe"),
      security: buildSecurity(operation, context),
      servers: [],
    };
  });
}

function draftOperations(webhookName: string, reference: Node, context: BuildContext): WebhookDraft[] {
  const pathItem = context.deref(reference);
  if (!pathItem) return [];
  const operations = listOperations(pathItem);
  return operations.map(([method, operation]) => ({
    webhookName,
    method,
    operation,
    pathItem,
    nameSource:
      getText(operation, "operationId") ?? (operations.length > 1 ? `${webhookName} ${method}` : webhookName),
  }));
}
