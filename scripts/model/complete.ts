import { type HttpMethod, type JsonObject, type JsonValue, METHODS } from "./model.js";
import { compareText } from "../diagnostic.js";
import { operationIdFor } from "./names.js";
import { type Node, child, deref, entries, isObject, items, text } from "./node.js";
import { pathParameterNames, type QueryMember, queryMembers } from "./route.js";

interface Report {
  document: JsonObject;
  error(node: Node, message: string): void;
  warn(node: Node, message: string): void;
}

/**
 * Corrects common mistakes of documents, with a warning for each: every operation gets a unique operationId, a missing
 * path parameter becomes a string, a parameter that the path does not name is dropped, and a query string in a path
 * becomes query parameters.
 *
 * @param document stays unchanged; changed parts are copied
 */
export function completeDocument(document: JsonObject, report: Report): JsonObject {
  const members = entries(child({ value: document, pointer: "" }, "paths"));
  const pathItems = new Map<string, Node>();
  for (const [path, item] of members) {
    const pathItem = path.startsWith("/") ? deref(document, item) : undefined;
    if (pathItem && isObject(pathItem.value)) pathItems.set(path, pathItem);
  }
  const ids = operationIds(pathItems, report);
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

/** Returns the corrected members of a path item. */
function completePathItem(
  path: string,
  pathItem: Node,
  ids: Map<string, string>,
  report: Report,
): JsonObject {
  const template = readTemplate(path, pathItem, report);
  const shared = completeParameters(template, pathItem, report);
  const changes: JsonObject = shared.changed ? { parameters: shared.list } : {};
  for (const method of METHODS) {
    const operation = child(pathItem, method);
    if (!operation || !isObject(operation.value)) continue;
    const own = completeParameters(template, operation, report);
    const isDeclared = (location: string, name: string): boolean =>
      shared.names.has(`${location} ${name}`) || own.names.has(`${location} ${name}`);
    const missing = template.names.filter((name) => !isDeclared("path", name));
    for (const name of missing) {
      report.warn(
        operation,
        `the path parameter {${name}} of ${path} is not declared; it is read as a string`,
      );
    }
    const added = [
      ...missing.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...template.queryMembers
        .filter(({ name }) => !isDeclared("query", name))
        .map((member) => queryParameter(member)),
    ];
    const id = ids.get(operationKey(path, method));
    if (own.changed || added.length > 0 || id !== text(operation, "operationId")) {
      const parameters = [...own.list, ...added];
      changes[method] = {
        ...operation.value,
        ...(id === undefined ? {} : { operationId: id }),
        ...(parameters.length > 0 || own.changed ? { parameters } : {}),
      };
    }
  }
  return changes;
}

/** A path, the names of its parameters, and the members of its query string. */
interface Template {
  path: string;
  names: string[];
  queryMembers: QueryMember[];
}

function readTemplate(path: string, pathItem: Node, report: Report): Template {
  const members = queryMembers(path);
  if (members.length > 0) {
    const hasTemplateText = members.some((member) => "value" in member && /[{}]/.test(member.value));
    if (hasTemplateText) {
      report.error(
        pathItem,
        `the query string of ${path} cannot be read; declare what is in it as query parameters`,
      );
    } else {
      report.warn(
        pathItem,
        `the query string of ${path} is read as required query parameters; declare them as such instead`,
      );
    }
  }
  return { path, names: [...new Set(pathParameterNames(path))], queryMembers: members };
}

/** Converts a member of a path's query string to a parameter. */
function queryParameter(member: QueryMember): JsonObject {
  const schema: JsonObject =
    "value" in member ? { type: "string", enum: [member.value] } : { type: "string" };
  return { name: member.name, in: "query", required: true, schema };
}

/**
 * Returns the parameters of an operation or a path item without path parameters that the path does not contain. A
 * parameter in the query string of the path becomes a query parameter.
 */
function completeParameters(template: Template, owner: Node, report: Report) {
  const names = new Set<string>();
  let changed = false;
  const list: JsonValue[] = [];
  for (const item of items(child(owner, "parameters"))) {
    const parameter = deref(report.document, item);
    const name = text(parameter, "name");
    const location = text(parameter, "in");
    const member = template.queryMembers.find((each) => "parameter" in each && each.parameter === name);
    if (name === undefined || location !== "path" || template.names.includes(name)) {
      names.add(`${location} ${name}`);
      list.push(item.value);
    } else if (member && isObject(parameter?.value)) {
      // Lists in a path are separated by commas, which is not the default of a query.
      const { style: _, ...rest } = parameter.value;
      names.add(`query ${member.name}`);
      list.push({ ...rest, name: member.name, in: "query", required: true, explode: false });
      changed = true;
    } else {
      report.warn(item, `the path ${template.path} has no parameter {${name}}; it is left out`);
      changed = true;
    }
  }
  return { names, list, changed };
}

/**
 * Assigns unique IDs to all operations. If two paths share an operation through a `$ref`, the first path keeps its ID.
 * Conflicts are resolved by path and method, not by the position in the document.
 */
function operationIds(pathItems: Map<string, Node>, report: Report): Map<string, string> {
  const operations = [...pathItems]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([path, pathItem]) =>
      METHODS.flatMap((method) => {
        const node = child(pathItem, method);
        return node ? [{ path, method, node, declared: text(node, "operationId") }] : [];
      }),
    );
  const ids = new Map<string, string>();
  const owners = new Map<string, string>();
  for (const { path, method, node, declared } of operations) {
    if (declared === undefined || declared === "" || owners.has(declared)) continue;
    owners.set(declared, node.pointer);
    ids.set(operationKey(path, method), declared);
  }
  for (const { path, method, node, declared } of operations) {
    if (ids.has(operationKey(path, method))) continue;
    const base = operationIdFor(method, path);
    let id = base;
    for (let suffix = 2; owners.has(id); suffix += 1) id = `${base}${suffix}`;
    owners.set(id, node.pointer);
    ids.set(operationKey(path, method), id);
    if (declared && owners.get(declared) !== node.pointer) {
      report.warn(
        node,
        `the operationId ${JSON.stringify(declared)} belongs to another operation; this one is called ${id}`,
      );
    }
  }
  return ids;
}

function operationKey(path: string, method: HttpMethod): string {
  return `${path} ${method}`;
}
