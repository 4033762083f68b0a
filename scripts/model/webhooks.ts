import { type HttpMethod, type JsonObject, METHODS, type Operation } from "./model.js";
import { pascalCase, uniqueNames } from "./names.js";
import { type Node, child, deref, entries, flag, isObject, text } from "./node.js";
import { buildParameters } from "./parameters.js";
import { buildBody, buildResponses } from "./payloads.js";
import type { Report } from "./report.js";

interface Draft {
  webhook: string;
  method: HttpMethod;
  node: Node;
  pathItem: Node;
  /** What the type is named after. */
  label: string;
}

/**
 * The operations of the document's webhooks: requests that the owner of the data sends. They have types and no routes.
 *
 * @param directed the document that `direction.ts` makes: in a webhook the forms go the other way
 * @param taken type names of the operations
 */
export function buildWebhooks(directed: JsonObject, taken: string[], problems: Report): Operation[] {
  const report: Report = { ...problems, document: directed };
  const drafts = entries(child({ value: directed, pointer: "" }, "webhooks")).flatMap(([webhook, item]) =>
    webhook.startsWith("x-") ? [] : draftsOf(webhook, item, directed),
  );
  const names = uniqueNames<Draft | string>(
    [...taken, ...drafts],
    (each) => (typeof each === "string" ? each : `${pascalCase(each.label)}Webhook`),
    // The operations come first: they keep their names.
    (each) => (typeof each === "string" ? `0 ${each}` : `1 ${each.webhook} ${each.method}`),
  );
  return drafts.map((draft) => {
    const { webhook, method, node, pathItem } = draft;
    const typeName = names.get(draft) ?? "";
    return {
      id: text(node, "operationId") ?? webhook,
      webhook,
      name: typeName,
      typeName,
      method,
      path: webhook,
      route: "",
      routePattern: undefined,
      when: [],
      summary: text(node, "summary") ?? "",
      description: text(node, "description") ?? "",
      deprecated: flag(node, "deprecated"),
      safe: flag(node, "x-safe"),
      parameters: buildParameters(pathItem, node, report),
      body: buildBody(node, report),
      responses: buildResponses(node, report),
    };
  });
}

function draftsOf(webhook: string, item: Node, document: JsonObject): Draft[] {
  const pathItem = deref(document, item);
  if (!pathItem) return [];
  const operations = METHODS.flatMap((method) => {
    const node = child(pathItem, method);
    return node && isObject(node.value) ? [{ method, node }] : [];
  });
  return operations.map(({ method, node }) => ({
    webhook,
    method,
    node,
    pathItem,
    label: text(node, "operationId") ?? (operations.length > 1 ? `${webhook} ${method}` : webhook),
  }));
}
