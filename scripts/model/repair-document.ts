import { isDeepStrictEqual } from "node:util";
import type { Reports } from "./context.js";
import type { HttpMethod } from "./model.js";
import { type JsonObject, type JsonValue, isObject } from "../json.js";
import { getOrCreate, getRequired, groupBy } from "../maps.js";
import { compareText, MAX_COMPARED_NAMES, suggestName } from "../text.js";
import { listOperations } from "./paths/path-item.js";
import { findFreeName, makeOperationId } from "./names.js";
import { formatParameterKey } from "./parameters/parameters.js";
import { type DocumentNode, getMember, deref, listMembers, listItems, getText } from "./node.js";
import {
  describeRouteProblem,
  listPathParameterNames,
  type QueryMember,
  parseTemplateQuery,
  simplifyExpressions,
} from "./paths/route.js";

interface RepairContext extends Reports {
  document: JsonObject;
  /** Filled while path items are repaired. */
  ignoredParameters: IgnoredParameter[];
  /** Values of the parameters that a path contains. Their JSON pointers would take long to compare. */
  usedParameters: Set<JsonValue>;
}

/** A path parameter that is declared for a path that does not contain it. */
interface IgnoredParameter {
  path: string;
  name: string;
  /** The entry in the list of parameters, which can be a reference to the parameter. */
  item: DocumentNode;
  parameter: DocumentNode;
  remedy: string;
}

/**
 * Corrects common mistakes in a copy of the document, with a warning for each: every operation gets a unique operationId, a missing path
 * parameter becomes a string, and a query string in a path becomes query parameters. Also warns about expressions such as `{+id}`, which
 * `simplifyPath` reads, and about path parameters that the path does not name, which the model ignores.
 */
export function repairDocument(document: JsonObject, reports: Reports): JsonObject {
  const context: RepairContext = {
    ...reports,
    document,
    ignoredParameters: [],
    usedParameters: new Set(),
  };
  const members = listMembers(getMember({ value: document, pointer: "" }, "paths"));
  const pathItems = new Map<string, DocumentNode>();
  for (const [path, item] of members) {
    const pathItem = path.startsWith("/") ? deref(document, item) : undefined;
    if (pathItem && isObject(pathItem.value)) pathItems.set(path, pathItem);
  }
  const ids = assignOperationIds(pathItems, context);
  const changed = new Map<string, JsonObject>();
  for (const [path, pathItem] of pathItems) {
    const repaired = repairPathItem(path, pathItem, ids, context);
    if (!isDeepStrictEqual(repaired, pathItem.value)) changed.set(path, repaired);
  }
  reportIgnoredParameters(context);
  if (changed.size === 0) return document;
  const paths = members.map(([path, item]) => [path, changed.get(path) ?? item.value] as const);
  return { ...document, paths: Object.fromEntries(paths) };
}

function repairPathItem(
  path: string,
  pathItem: DocumentNode,
  ids: ReadonlyMap<string, string>,
  context: RepairContext,
): JsonObject {
  const template = readTemplate(path, pathItem, context);
  const shared = repairParameters(template, pathItem, new Set(), context);
  const result: JsonObject = { ...(isObject(pathItem.value) ? pathItem.value : {}) };
  if (shared.list.length > 0) result.parameters = shared.list;
  const operations = listOperations(pathItem);
  /** Operations that do not declare a parameter of the path, by its name. */
  const undeclared = new Map<string, DocumentNode[]>();
  for (const [method, operation] of operations) {
    const own = repairParameters(template, operation, shared.declared, context);
    const isDeclared = (location: string, name: string): boolean =>
      [shared, own].some(({ declared }) => declared.has(formatParameterKey(location, name)));
    const missing = template.parameterNames.filter((name) => !isDeclared("path", name));
    const intendedNames = [...shared.intendedNames, ...own.intendedNames];
    for (const name of missing.filter((each) => !intendedNames.includes(each)))
      getOrCreate(undeclared, name, () => []).push(operation);
    const queryMembers = template.queryMembers.filter(({ name }) => !isDeclared("query", name));
    const parameters = [
      ...own.list,
      ...missing.map((name) => ({ name, in: "path", required: true, schema: { type: "string" } })),
      ...queryMembers.map(createQueryParameter),
    ];
    result[method] = {
      ...operation.value,
      operationId: getRequired(ids, formatOperationKey(path, method)),
      ...(parameters.length > 0 ? { parameters } : {}),
    };
  }
  // A path without a route is an error, and can be the reason why its parameters look undeclared.
  if (describeRouteProblem(template.path) !== undefined) return result;
  for (const [name, owners] of undeclared)
    for (const owner of owners.length > 1 && owners.length === operations.length ? [pathItem] : owners)
      context.warn(
        owner,
        `The path parameter {${name}} of ${template.path} is not declared, so it is read as a string. Declare it.`,
      );
  return result;
}

/** Warns about path parameters that are in no path: once per path and name, or once for a shared parameter that no path contains. */
function reportIgnoredParameters({ ignoredParameters, usedParameters, warn }: RepairContext): void {
  const firstOfPaths = [...groupBy(ignoredParameters, ({ path }) => path).values()].flatMap((items) =>
    [...groupBy(items, ({ name }) => name).values()].flatMap(([first]) => first ?? []),
  );
  for (const [value, [first, ...others]] of groupBy(firstOfPaths, ({ parameter }) => parameter.value)) {
    if (!first) continue;
    if (others.length > 0 && !usedParameters.has(value)) {
      const paths = `${first.path}${others.length > 1 ? ` and ${others.length} other paths` : ` and ${others[0]?.path}`}`;
      warn(first.parameter, `The paths ${paths} have no parameter {${first.name}}. ${first.remedy}`);
    } else
      for (const { path, name, item, remedy } of [first, ...others])
        warn(item, `The path ${path} has no parameter {${name}}. ${remedy}`);
  }
}

/** A path template such as `/pages/{id}?version={version}`. */
interface PathTemplate {
  path: string;
  /** Names of the parameters before the query string. */
  parameterNames: string[];
  queryMembers: QueryMember[];
}

/** Parses a path template. Reports its query string, which OpenAPI does not allow in a path. */
function readTemplate(key: string, pathItem: DocumentNode, context: RepairContext): PathTemplate {
  const path = simplifyPath(key, pathItem, context.document);
  const isOptional = key.includes("?}") && !path.includes("?}");
  const rule = isOptional ? "a path parameter is always required" : "OpenAPI allows only names in braces";
  const addition = isOptional ? ", and add a path without the parameter if it is optional" : "";
  if (path !== key)
    context.warn(
      pathItem,
      `The path ${key} is read as ${path}, because ${rule}. Write it like that${addition}.`,
    );
  const queryMembers = parseTemplateQuery(path);
  if (queryMembers.some((member) => "value" in member && /[{}]/.test(member.value)))
    context.error(
      pathItem,
      `The query string of ${path} cannot be read. Declare its members as query parameters.`,
    );
  else if (queryMembers.length > 0)
    context.warn(
      pathItem,
      `The query string of ${path} is read as required query parameters. Declare them as such instead.`,
    );
  return { path, parameterNames: [...new Set(listPathParameterNames(path))], queryMembers };
}

/** Returns a path whose parameters are in the form of OpenAPI if they are declared, e.g. `/{id}` for `/{+id}`. */
export function simplifyPath(path: string, pathItem: DocumentNode, document: JsonObject): string {
  const owners = [pathItem, ...listOperations(pathItem).map(([, operation]) => operation)];
  /** Styles by location and name. The first of several parameters counts. */
  const styles = new Map<string, string>();
  for (const item of owners.flatMap((owner) => listItems(getMember(owner, "parameters")))) {
    const parameter = deref(document, item);
    const key = formatParameterKey(getText(parameter, "in") ?? "", getText(parameter, "name") ?? "");
    getOrCreate(styles, key, () => getText(parameter, "style") ?? "simple");
  }
  return simplifyExpressions(path, (location, name) => styles.get(formatParameterKey(location, name)));
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
}

/**
 * Corrects the parameters of an operation or a path item: a path parameter that the path does not contain becomes a query parameter if it
 * is in the query string. Otherwise it stays, because references can lead to it. `inherited` has the keys of the path item's parameters.
 */
function repairParameters(
  template: PathTemplate,
  owner: DocumentNode,
  inherited: ReadonlySet<string>,
  context: RepairContext,
): RepairedParameters {
  const declared = new Set<string>();
  const ignored: Pick<IgnoredParameter, "item" | "name" | "parameter">[] = [];
  const list: JsonValue[] = [];
  for (const item of listItems(getMember(owner, "parameters"))) {
    const parameter = deref(context.document, item);
    const name = getText(parameter, "name");
    const location = getText(parameter, "in");
    const member = template.queryMembers.find((each) => "parameter" in each && each.parameter === name);
    if (!parameter || name === undefined || location !== "path" || template.parameterNames.includes(name)) {
      if (parameter) context.usedParameters.add(parameter.value);
      declared.add(formatParameterKey(location ?? "", name ?? ""));
      list.push(item.value);
    } else if (member && isObject(parameter?.value)) {
      // Lists in a path are separated by commas, which is not the default of a query.
      const { style: _, ...rest } = parameter.value;
      declared.add(formatParameterKey("query", member.name));
      list.push({ ...rest, name: member.name, in: "query", required: true, explode: false });
    } else {
      ignored.push({ item, name, parameter });
      list.push(item.value);
    }
  }
  const undeclaredNames = template.parameterNames.filter(
    (name) => ![declared, inherited].some((keys) => keys.has(formatParameterKey("path", name))),
  );
  const intendedNames = ignored.flatMap(({ item, name, parameter }) => {
    const isOnlyPair = undeclaredNames.length === 1 && ignored.length === 1;
    const intendedName = isOnlyPair
      ? undeclaredNames[0]
      : suggestName(name, undeclaredNames, MAX_COMPARED_NAMES);
    const remedy = template.path.includes(`:${name}`)
      ? `Write {${name}} instead of :${name}.`
      : intendedName === undefined
        ? "It is ignored. Add it to the path, or remove it."
        : `It is ignored. Did you mean {${intendedName}}?`;
    // A brace without a counterpart is reported with the route.
    if (/^(?:[^{}]|\{[^{}]*\})*$/.test(template.path))
      context.ignoredParameters.push({ path: template.path, name, item, parameter, remedy });
    return intendedName ?? [];
  });
  return { list, declared, intendedNames };
}

/**
 * Assigns a unique ID to each operation, by path and method. The first path in alphabetical order keeps a repeated ID, so that the order of
 * the document does not matter.
 */
function assignOperationIds(
  pathItems: ReadonlyMap<string, DocumentNode>,
  context: RepairContext,
): Map<string, string> {
  const operations = [...pathItems]
    .sort(([a], [b]) => compareText(a, b))
    .flatMap(([path, pathItem]) =>
      listOperations(pathItem).map(([method, node]) => ({ path, method, node })),
    );
  const owners = new Map<string, (typeof operations)[number]>();
  // Declared IDs first, so that no generated ID takes one of them.
  for (const operation of operations) {
    const declared = getText(operation.node, "operationId") ?? "";
    if (declared !== "" && !owners.has(declared)) owners.set(declared, operation);
  }
  const ids = operations.map((operation): [string, string] => {
    const { path, method, node } = operation;
    const key = formatOperationKey(path, method);
    const declared = getText(node, "operationId") ?? "";
    const owner = owners.get(declared);
    if (owner === operation) return [key, declared];
    const id = findFreeName(makeOperationId(method, path), (each) => owners.has(each));
    owners.set(id, operation);
    if (owner && owner.node.pointer !== node.pointer)
      context.warn(
        getMember(node, "operationId") ?? node,
        `The operationId ${JSON.stringify(declared)} belongs to ${owner.method.toUpperCase()} ${owner.path}, so this operation is called ${id}. Give it its own operationId.`,
      );
    return [key, id];
  });
  return new Map(ids);
}

function formatOperationKey(path: string, method: HttpMethod): string {
  return `${path} ${method}`;
}
