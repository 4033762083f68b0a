import { getRequired } from "../maps.js";
import { buildSecurity } from "./security.js";
import { buildBaseOperation } from "./base-operation.js";
import { listOperations } from "./paths/path-item.js";
import type { Operation } from "./model.js";
import type { BuildContext } from "./context.js";
import { toPascalCase, assignUniqueNames } from "./names.js";
import { buildLimitedOperations } from "./limited-operations.js";
import { getMember, listMembers, isTrue, getText } from "./node.js";

/** Builds the operations of the webhooks: requests that the API sends to its clients. */
export function buildWebhooks(reservedTypeNames: string[], context: BuildContext): Operation[] {
  // Names can be assigned only when all operations are known.
  const drafts = listMembers(getMember(context.root, "webhooks")).flatMap(([webhook, reference]) => {
    // A specification extension is not a webhook.
    const pathItem = webhook.startsWith("x-") ? undefined : context.deref(reference);
    if (!pathItem) return [];
    const operations = listOperations(pathItem);
    return operations.map(([method, operation]) => {
      const inlineName = operations.length > 1 ? `${webhook} ${method}` : webhook;
      const nameSource = getText(operation, "operationId") ?? inlineName;
      return { webhook, pathItem, method, operation, nameSource };
    });
  });
  const typeNames = assignUniqueNames(
    drafts,
    ({ nameSource }) => `${toPascalCase(nameSource)}Webhook`,
    ({ webhook, method }) => `${webhook} ${method}`,
    reservedTypeNames,
  );
  const build = (draft: (typeof drafts)[number]): Operation => {
    const { webhook, pathItem, method, operation } = draft;
    const typeName = getRequired(typeNames, draft);
    return {
      ...buildBaseOperation(pathItem, operation, method, context.reverse()),
      id: getText(operation, "operationId") ?? webhook,
      webhook,
      name: typeName,
      typeName,
      // A webhook has no route: its receiver chooses the URL.
      path: webhook,
      route: "",
      routePattern: undefined,
      conditions: [],
      safe: isTrue(operation, "x-safe"),
      security: buildSecurity(operation, context),
      servers: [],
    };
  };
  return buildLimitedOperations(drafts, build, context);
}
