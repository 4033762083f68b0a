import { type HttpMethod, type JsonObject, METHODS } from "./model.js";
import { compareText } from "../diagnostic.js";
import { operationIdFor } from "./names.js";
import { type Node, child, deref, entries, isObject, items, text } from "./node.js";
import type { Report } from "./report.js";
import { pathParameterNames } from "./route.js";

/**
 * The document with what all its readers rely on: an operationId of its own on each operation, and path parameters
 * that are those of the path. Documents from elsewhere often declare one too few or one too many: a missing one
 * becomes a string, one that the path does not name is left out; both are reported as warnings.
 *
 * @param document is not changed: what differs is copied
 */
export function completeDocument(document: JsonObject, report: Report): JsonObject {
  const members = entries(child({ value: document, pointer: "" }, "paths"));
  const pathItems = new Map<string, Node>();
  for (const [path, item] of members) {
    const pathItem = path.startsWith("/") ? deref(document, item) : undefined;
    if (pathItem && isObject(pathItem.value)) pathItems.set(path, pathItem);
  }
  const ids = operationIds(pathItems);
  const changed = new Map<string, JsonObject>();
  for (const [path, pathItem] of pathItems) {
    const changes = completePathItem(path, pathItem, ids, report);
    if (isObject(pathItem.value) && Object.keys(changes).length > 0) {
      changed.set(path, { ...pathItem.value, ...changes });
    }
  }
  if (changed.size === 0) return document;
  const paths = members.map(([path, item]) => [path, changed.get(path) ?? item.value] as const);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** The members of a path item that must differ. */
function completePathItem(
  path: string,
  pathItem: Node,
  ids: Map<string, string>,
  report: Report,
): JsonObject {
  const named = [...new Set(pathParameterNames(path))];
  const { dropped, ...shared } = pathParameters(path, pathItem, named, report);
  const changes: JsonObject = dropped ? { parameters: shared.kept } : {};
  for (const method of METHODS) {
    const operation = child(pathItem, method);
    if (!operation || !isObject(operation.value)) continue;
    const own = pathParameters(path, operation, named, report);
    const missing = named.filter((name) => !shared.names.has(name) && !own.names.has(name));
    for (const name of missing) {
      report.warn(
        operation,
        `the path parameter {${name}} of ${path} is not declared; it is read as a string`,
      );
    }
    const added = missing.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } }));
    const id = ids.get(operationKey(path, method));
    if (own.dropped || added.length > 0 || id !== text(operation, "operationId")) {
      const parameters = [...own.kept, ...added];
      changes[method] = {
        ...operation.value,
        ...(id === undefined ? {} : { operationId: id }),
        ...(parameters.length > 0 || own.dropped ? { parameters } : {}),
      };
    }
  }
  return changes;
}

/** The parameters of an operation or a path item without the path parameters that the path does not name. */
function pathParameters(path: string, owner: Node, named: string[], report: Report) {
  const names = new Set<string>();
  const list = items(child(owner, "parameters"));
  const kept = list.filter((item) => {
    const parameter = deref(report.document, item);
    const name = text(parameter, "name");
    if (name === undefined || text(parameter, "in") !== "path") return true;
    if (named.includes(name)) return Boolean(names.add(name));
    report.warn(item, `the path ${path} has no parameter {${name}}; it is left out`);
    return false;
  });
  return { names, kept: kept.map((item) => item.value), dropped: kept.length < list.length };
}

/**
 * An id for each operation that no other has. Two paths can share an operation through a `$ref`: it is the first
 * one's. Ties are broken by path and method, not by the place in the document.
 */
function operationIds(pathItems: Map<string, Node>): Map<string, string> {
  const operations = [...pathItems]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([path, pathItem]) =>
      METHODS.flatMap((method) => {
        const operation = child(pathItem, method);
        return operation ? [{ path, method, declared: text(operation, "operationId") }] : [];
      }),
    );
  const ids = new Map<string, string>();
  const used = new Set<string>();
  for (const { path, method, declared } of operations) {
    if (declared === undefined || used.has(declared)) continue;
    used.add(declared);
    ids.set(operationKey(path, method), declared);
  }
  for (const { path, method } of operations) {
    if (ids.has(operationKey(path, method))) continue;
    const base = operationIdFor(method, path);
    let id = base;
    for (let serial = 2; used.has(id); serial += 1) id = `${base}${serial}`;
    used.add(id);
    ids.set(operationKey(path, method), id);
  }
  return ids;
}

function operationKey(path: string, method: HttpMethod): string {
  return `${path} ${method}`;
}
