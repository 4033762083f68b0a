import { type HttpMethod } from "./model.js";
import { type JsonObject, type JsonValue, isObject } from "../json.js";
import { compareText, MAX_COMPARED_NAMES, suggestName } from "../text.js";
import { listOperations } from "./path-item.js";
import { findFreeName, makeOperationId } from "./names.js";
import { formatParameterKey } from "./parameters.js";
import { type DocumentNode, getMember, deref, listMembers, listItems, getText } from "./node.js";
import { listPathParameterNames, type QueryMember, parseTemplateQuery } from "./route.js";

interface RepairContext {
  document: JsonObject;
  error(node: DocumentNode, message: string): void;
  warn(node: DocumentNode, message: string): void;
}

/**
 * Corrects common mistakes of documents, with a warning for each: every operation gets a unique operationId, a missing
 * path parameter becomes a string, and a query string in a path becomes query parameters. Warns about path parameters that
 * the path does not name, which the model ignores. The document itself is not modified: the result has copies of the
 * changed parts.
 */
export function repairDocument(context: RepairContext): JsonObject {
  const { document } = context;
  const members = listMembers(getMember({ value: document, pointer: "" }, "paths"));
  const pathItems = new Map<string, DocumentNode>();
  for (const [path, item] of members) {
    const pathItem = path.startsWith("/") ? deref(document, item) : undefined;
    if (pathItem && isObject(pathItem.value)) pathItems.set(path, pathItem);
  }
  const ids = assignOperationIds(pathItems, context);
  const changed = new Map<string, JsonObject>();
  for (const [path, pathItem] of pathItems) {
    const changes = repairPathItem(path, pathItem, ids, context);
    if (isObject(pathItem.value) && Object.keys(changes).length > 0)
      changed.set(path, { ...pathItem.value, ...changes });
  }
  if (changed.size === 0) return document;
  const paths = members.map(([path, item]) => [path, changed.get(path) ?? item.value] as const);
  return { ...document, paths: Object.fromEntries(paths) };
}

/** Returns the members of a path item that change: `parameters` and operations. */
function repairPathItem(
  path: string,
  pathItem: DocumentNode,
  ids: Map<string, string>,
  context: RepairContext,
): JsonObject {
  const template = readTemplate(path, pathItem, context);
  const pathItemParameters = repairParameters(template, pathItem, new Set(), context);
  const changes: JsonObject = pathItemParameters.changed ? { parameters: pathItemParameters.list } : {};
  for (const [method, operation] of listOperations(pathItem)) {
    const operationParameters = repairParameters(template, operation, pathItemParameters.declared, context);
    const isDeclared = (location: string, name: string): boolean =>
      [pathItemParameters, operationParameters].some(({ declared }) =>
        declared.has(formatParameterKey(location, name)),
      );
    const missing = template.parameterNames.filter((name) => !isDeclared("path", name));
    const intendedNames = new Set([
      ...pathItemParameters.intendedNames,
      ...operationParameters.intendedNames,
    ]);
    for (const name of missing.filter((each) => !intendedNames.has(each)))
      context.warn(
        operation,
        `The path parameter {${name}} of ${path} is not declared, so it is read as a string. Declare it.`,
      );
    const added = [
      ...missing.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...template.queryMembers
        .filter(({ name }) => !isDeclared("query", name))
        .map((member) => createQueryParameter(member)),
    ];
    const id = ids.get(formatOperationKey(path, method));
    if (operationParameters.changed || added.length > 0 || id !== getText(operation, "operationId")) {
      const parameters = [...operationParameters.list, ...added];
      changes[method] = {
        ...operation.value,
        ...(id === undefined ? {} : { operationId: id }),
        ...(parameters.length > 0 || operationParameters.changed ? { parameters } : {}),
      };
    }
  }
  return changes;
}

/** A path template such as `/pages/{id}?version={version}`. */
interface PathTemplate {
  path: string;
  /** Names of the parameters before the query string. */
  parameterNames: string[];
  queryMembers: QueryMember[];
}

/** Parses a path template. Reports its query string, which OpenAPI does not allow in a path. */
function readTemplate(path: string, pathItem: DocumentNode, context: RepairContext): PathTemplate {
  const members = parseTemplateQuery(path);
  if (members.length > 0) {
    const hasTemplateText = members.some((member) => "value" in member && /[{}]/.test(member.value));
    if (hasTemplateText) {
      context.error(
        pathItem,
        `The query string of ${path} cannot be read. Declare its members as query parameters.`,
      );
    } else {
      context.warn(
        pathItem,
        `The query string of ${path} is read as required query parameters. Declare them as such instead.`,
      );
    }
  }
  return { path, parameterNames: [...new Set(listPathParameterNames(path))], queryMembers: members };
}

function createQueryParameter(member: QueryMember): JsonObject {
  const schema: JsonObject =
    "value" in member ? { type: "string", enum: [member.value] } : { type: "string" };
  return { name: member.name, in: "query", required: true, schema };
}

/** The corrected parameters of an operation or a path item. */
interface RepairedParameters {
  list: JsonValue[];
  /** Location and name of each parameter, such as `query page`. */
  declared: ReadonlySet<string>;
  /** Names in the path that misnamed parameters probably stand for. */
  intendedNames: string[];
  /** Whether the list differs from the document. */
  changed: boolean;
}

/**
 * Corrects the parameters of an operation or a path item: a path parameter that the path does not contain becomes a query
 * parameter if it is in the query string. Otherwise it stays, because removing it would break references to it and to later parameters.
 *
 * @param inherited location and name of each parameter of the path item, for an operation
 */
function repairParameters(
  template: PathTemplate,
  owner: DocumentNode,
  inherited: ReadonlySet<string>,
  context: RepairContext,
): RepairedParameters {
  const declared = new Set<string>();
  const ignored: { item: DocumentNode; name: string }[] = [];
  let changed = false;
  const list: JsonValue[] = [];
  for (const item of listItems(getMember(owner, "parameters"))) {
    const parameter = deref(context.document, item);
    const name = getText(parameter, "name");
    const location = getText(parameter, "in");
    const member = template.queryMembers.find((each) => "parameter" in each && each.parameter === name);
    if (name === undefined || location !== "path" || template.parameterNames.includes(name)) {
      declared.add(formatParameterKey(location ?? "", name ?? ""));
      list.push(item.value);
    } else if (member && isObject(parameter?.value)) {
      // Lists in a path are separated by commas, which is not the default of a query.
      const { style: _, ...rest } = parameter.value;
      declared.add(formatParameterKey("query", member.name));
      list.push({ ...rest, name: member.name, in: "query", required: true, explode: false });
      changed = true;
    } else {
      ignored.push({ item, name });
      list.push(item.value);
    }
  }
  const undeclaredNames = template.parameterNames.filter(
    (name) => ![declared, inherited].some((keys) => keys.has(formatParameterKey("path", name))),
  );
  const intendedNames = ignored.flatMap(({ item, name }) => {
    const isOnlyPair = undeclaredNames.length === 1 && ignored.length === 1;
    const intendedName = isOnlyPair
      ? undeclaredNames[0]
      : suggestName(name, undeclaredNames, MAX_COMPARED_NAMES);
    const remedy = template.path.includes(`:${name}`)
      ? `Write {${name}} instead of :${name}.`
      : intendedName === undefined
        ? "It is ignored."
        : `It is ignored. Did you mean {${intendedName}}?`;
    // An unclosed brace is reported with the route.
    if (!/\{[^}]*(?:\{|$)/.test(template.path))
      context.warn(item, `The path ${template.path} has no parameter {${name}}. ${remedy}`);
    return intendedName ?? [];
  });
  return { list, declared, intendedNames, changed };
}

/**
 * Assigns a unique ID to each operation, by path and method. If several operations have the same ID, or two paths share an
 * operation through a `$ref`, the first path in alphabetical order keeps it, so that the order of the document does not
 * matter.
 */
function assignOperationIds(
  pathItems: Map<string, DocumentNode>,
  context: RepairContext,
): Map<string, string> {
  const operations = [...pathItems]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([path, pathItem]) =>
      listOperations(pathItem).map(([method, node]) => ({
        path,
        method,
        node,
        declared: getText(node, "operationId"),
      })),
    );
  const ids = new Map<string, string>();
  /** Pointers of the operations by ID. */
  const owners = new Map<string, string>();
  // Declared IDs first, so that no generated ID takes one of them.
  for (const { path, method, node, declared } of operations) {
    if (declared === undefined || declared === "" || owners.has(declared)) continue;
    owners.set(declared, node.pointer);
    ids.set(formatOperationKey(path, method), declared);
  }
  for (const { path, method, node, declared } of operations) {
    if (ids.has(formatOperationKey(path, method))) continue;
    const id = findFreeName(makeOperationId(method, path), (each) => owners.has(each));
    owners.set(id, node.pointer);
    ids.set(formatOperationKey(path, method), id);
    if (declared && owners.get(declared) !== node.pointer)
      context.warn(
        node,
        `The operationId ${JSON.stringify(declared)} belongs to another operation, so this one is called ${id}. Give it its own operationId.`,
      );
  }
  return ids;
}

function formatOperationKey(path: string, method: HttpMethod): string {
  return `${path} ${method}`;
}
