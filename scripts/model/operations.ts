import { suggestName } from "../text.js";
import { getRequired } from "../maps.js";
import { isObject } from "../json.js";
import type { BuildContext } from "./context.js";
import { simplifyPath } from "./repair-document.js";
import type { HttpMethod, Operation, Parameter } from "./model.js";
import { assignUniqueNames, makeOperationId, toIdentifier, toPascalCase } from "./names.js";
import { type DocumentNode, getMember, getText, isTrue, listMembers } from "./node.js";
import { buildBaseOperation } from "./base-operation.js";
import { buildLimitedOperations } from "./limited-operations.js";
import { listOperations } from "./paths/path-item.js";
import { reportUnsendableRequest } from "./messages.js";
import { collectComposedSchemas } from "./schema/composition.js";
import {
  createExactPattern,
  createExpressRoute,
  describeRouteProblem,
  listAdjacentParameters,
  listPathParameterNames,
  type PathValues,
} from "./paths/route.js";
import { buildSecurity } from "./security.js";
import { buildServers } from "./paths/servers.js";

/** An operation before it is built: unique names can be chosen only when all operations are known. */
interface UnnamedOperation {
  id: string;
  method: HttpMethod;
  path: string;
  node: DocumentNode;
  pathItem: DocumentNode;
}

/** Builds the operations of all paths, and gives them unique names. */
export function buildOperations(context: BuildContext): Operation[] {
  const unnamed = findOperations(context);
  const makeName = ({ id, method, path }: UnnamedOperation): string =>
    toIdentifier(id) || makeOperationId(method, path);
  const names = assignUniqueNames(unnamed, makeName, ({ id }) => id);
  for (const operation of unnamed) {
    const name = getRequired(names, operation);
    if (name === makeName(operation)) continue;
    context.warn(
      getMember(operation.node, "operationId") ?? operation.node,
      `The operationId ${JSON.stringify(operation.id)} gives the same name as another one, so this operation is called ${name}. Choose a more different operationId.`,
    );
  }
  // Names that differ can give the same type name: a_b and aB.
  const typeNames = assignUniqueNames(
    unnamed,
    (operation) => toPascalCase(getRequired(names, operation)) || "Operation",
    ({ id }) => id,
  );
  const build = (operation: UnnamedOperation): Operation => ({
    ...buildOperation(operation, context),
    name: getRequired(names, operation),
    typeName: getRequired(typeNames, operation),
  });
  return buildLimitedOperations(unnamed, build, context);
}

/** Describes why a path cannot be read; undefined for a valid one. */
function describeInvalidPath(path: string, pathItem: DocumentNode | undefined): string | undefined {
  const name = JSON.stringify(path);
  if (!path.startsWith("/")) return `The path ${name} must begin with a slash. Add it.`;
  if (!path.isWellFormed())
    return `The path ${name} contains half of a surrogate pair, which no URL can contain. Remove it.`;
  if (path.length > MAX_PATH_LENGTH)
    return `This path has ${path.length} characters, but servers accept about ${MAX_PATH_LENGTH}. Shorten it.`;
  return isObject(pathItem?.value)
    ? undefined
    : `The path item of ${path} cannot be resolved. Correct its $ref or add the target.`;
}

/** Maximum number of characters of a path template: the length of URIs that all software supports (RFC 9110, section 4.1). */
const MAX_PATH_LENGTH = 8000;

function findOperations(context: BuildContext): UnnamedOperation[] {
  const unnamed: UnnamedOperation[] = [];
  for (const [key, item] of listMembers(getMember(context.root, "paths"))) {
    if (key.startsWith("x-")) continue;
    const pathItem = context.deref(item);
    const problem = describeInvalidPath(key, pathItem);
    if (problem !== undefined) context.error(item, problem);
    if (problem !== undefined || !pathItem) continue;
    const path = simplifyPath(key, pathItem, context.document);
    for (const [method, node] of listOperations(pathItem)) {
      // repairDocument gives every operation an operationId.
      const id = getText(node, "operationId") ?? "";
      unnamed.push({ id, method, path, node, pathItem });
    }
  }
  return unnamed;
}

function buildOperation(
  { id, method, path, node, pathItem }: UnnamedOperation,
  context: BuildContext,
): Omit<Operation, "name" | "typeName"> {
  const operation = buildBaseOperation(pathItem, node, method, context);
  reportUnsendableRequest(node, method, context);
  const keys = [node, pathItem].flatMap((owner) => listMembers(owner).map(([key]) => key));
  // The structural check reports responses without an entry, with a misspelt name, or beside the operation.
  const isMisspelt = (key: string): boolean =>
    !key.startsWith("x-") && suggestName(key, ["responses"]) !== undefined;
  if (!keys.includes("responses") && !keys.some(isMisspelt))
    context.warn(
      node,
      "The operation declares no responses, so handlers and calls have no result. Declare a response, such as default.",
    );
  const pathNames = listPathParameterNames(path);
  const parameters = operation.parameters.filter(
    (parameter) => parameter.in !== "path" || pathNames.includes(parameter.name),
  );
  return {
    ...operation,
    parameters,
    id,
    path,
    ...buildRoute(path, pathItem, parameters, context),
    conditions: [],
    safe: isTrue(node, "x-safe"),
    security: buildSecurity(node, context),
    servers: buildServers([node, pathItem, context.root], context),
  };
}

/** Builds the route of a path, or the regular expression for a path with adjacent parameters. */
function buildRoute(
  path: string,
  pathItem: DocumentNode,
  parameters: readonly Parameter[],
  context: BuildContext,
): Pick<Operation, "route" | "routePattern"> {
  const describeValues = (name: string): PathValues | undefined => describePathValues(parameters, name);
  const adjacent = listAdjacentParameters(path);
  const routePattern = adjacent.length > 0 ? createExactPattern(path, describeValues) : undefined;
  if (routePattern !== undefined) {
    for (const name of adjacent.filter((each) => !describeValues(each)))
      context.warn(
        pathItem,
        `${path}: nothing shows where {${name}} begins, so the parameter before it gets one character. Put text between the two parameters, or list the values of {${name}} in an enum.`,
      );
    return { route: "", routePattern };
  }
  const problem = describeRouteProblem(path);
  // Building continues, so that all problems are reported together.
  if (problem !== undefined)
    context.error(pathItem, `${path} cannot be converted to a route: ${problem}. Correct the path.`);
  return { route: problem === undefined ? createExpressRoute(path) : "", routePattern };
}

/** Describes the values of a path parameter whose style has a prefix, or whose schema is an enum of strings for URLs. */
function describePathValues(parameters: readonly Parameter[], name: string): PathValues | undefined {
  const { style, schema } = parameters.find((each) => each.in === "path" && each.name === name) ?? {};
  if (style === "label") return { prefix: "." };
  if (style === "matrix") return { prefix: ";" };
  const enums =
    schema && schema.unions.length === 0
      ? [...collectComposedSchemas(schema)].map((part) => part.keyword("enum"))
      : [];
  const values = enums.find((list) => Array.isArray(list)) ?? [];
  const texts = values.filter((value) => typeof value === "string" && value !== "" && value.isWellFormed());
  return texts.length > 0 && texts.length === values.length ? { listed: texts.map(String) } : undefined;
}
