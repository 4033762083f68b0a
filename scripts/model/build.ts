import { DiagnosticError, hasErrors, locateProblems, type Position, type Problem } from "../diagnostic.js";
import { compareText, suggestName } from "../text.js";
import { getRequired, groupBy } from "../maps.js";
import { buildComponents } from "./components.js";
import { BuildContext, type Report } from "./context.js";
import { mergePathItems } from "./paths/merge-path-items.js";
import { repairDocument, simplifyPath } from "./repair-document.js";
import { type Api, type HttpMethod, type Operation, type OperationGroup, type Parameter } from "./model.js";
import { type JsonObject, isObject } from "../json.js";
import { toIdentifier, makeGroupName, makeOperationId, toPascalCase, assignUniqueNames } from "./names.js";
import { type DocumentNode, getMember, listMembers, isTrue, listItems, getText } from "./node.js";
import { buildBaseOperation } from "./base-operation.js";
import { listOperations } from "./paths/path-item.js";
import { buildLimitedOperations } from "./limited-operations.js";
import { reportUnsendableRequest } from "./messages.js";
import { buildMultipartSchemas } from "./bodies/multipart-schemas.js";
import { collectComposedSchemas } from "./schema/composition.js";
import { DOCUMENT_URI } from "../json-schema/uri.js";
import { METASCHEMAS } from "../json-schema/generated/metaschemas.js";
import { describeDialectProblem } from "./schema/dialects.js";
import { matchesNoValue } from "./schema/discriminator-values.js";
import { SchemaGraph } from "./schema/graph.js";
import type { Source } from "./schema/resource.js";
import { buildWebhooks } from "./webhooks.js";
import {
  createExactPattern,
  createExpressRoute,
  listAdjacentParameters,
  listPathParameterNames,
  type PathValues,
} from "./paths/route.js";
import { distinguishOperations, distinguishSimilarPaths } from "./paths/same-route.js";
import { buildSecurity, buildSecuritySchemes } from "./security.js";
import { buildServers } from "./paths/servers.js";
import { reportUnsupportedFeatures } from "./unsupported-features.js";

/**
 * Builds the model of a bundled document, which is not changed, and collects the warnings about it.
 * @throws DiagnosticError with every problem found
 */
export function buildApi(
  source: JsonObject,
  locate: (pointer: string) => Position,
): { api: Api; warnings: Problem[] } {
  const problems: Problem[] = [];
  const createReport =
    (severity: Problem["severity"]): Report =>
    (location, message) => {
      const pointer = typeof location === "string" ? location : location.pointer;
      problems.push({ severity, message, pointer });
    };
  const error = createReport("error");
  const warn = createReport("warning");
  const document = repairDocument(mergePathItems(source, warn), error, warn);
  const dialect = String(document.openapi).startsWith("3.0") ? "openapi-3.0" : "openapi-3.1";
  const metaschemas = Object.entries(METASCHEMAS).map(([uri, schema]): Source => ({
    uri,
    document: schema,
    dialect: "json-schema",
  }));
  const schemas = new SchemaGraph([{ uri: DOCUMENT_URI, document, dialect }, ...metaschemas]);
  const context = new BuildContext(document, schemas, error, warn);
  // OpenAPI 3.0 has no `jsonSchemaDialect`. An empty schema has the dialect that it declares.
  const dialectProblem = dialect === "openapi-3.0" ? undefined : describeDialectProblem({}, "", document);
  if (dialectProblem !== undefined)
    error("/jsonSchemaDialect", `The schemas cannot be read: ${dialectProblem}.`);
  reportUnsupportedFeatures(context);
  reportMismatchedDiscriminatorValues(context);
  const exact = distinguishSimilarPaths(buildOperations(context), context);
  const operations = distinguishOperations(exact, context);
  const groups = createGroups(operations, context);
  const typeNames = operations.map(({ typeName }) => typeName);
  const webhooks = buildWebhooks(typeNames, context);
  if (hasErrors(problems)) throw new DiagnosticError(locateProblems(problems, locate));
  const info = getMember(context.root, "info");
  const api: Api = {
    title: getText(info, "title") ?? "",
    version: getText(info, "version") ?? "",
    description: getText(info, "description") ?? "",
    document,
    schemas,
    multipartSchemas: buildMultipartSchemas(operations, schemas),
    components: buildComponents(context),
    servers: buildServers([context.root], context),
    securitySchemes: buildSecuritySchemes(context),
    groups,
    operations: groups.flatMap((group) => group.operations),
    webhooks,
  };
  return { api, warnings: problems };
}

/** An operation before it is built: unique names can be chosen only when all operations are known. */
interface UnnamedOperation {
  id: string;
  method: HttpMethod;
  path: string;
  node: DocumentNode;
  pathItem: DocumentNode;
}

/** Builds the operations of all paths, and gives them unique names. */
function buildOperations(context: BuildContext): Operation[] {
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
  return buildLimitedOperations(
    unnamed,
    (operation) =>
      buildOperation(operation, getRequired(names, operation), getRequired(typeNames, operation), context),
    context,
  );
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
  unnamed: UnnamedOperation,
  name: string,
  typeName: string,
  context: BuildContext,
): Operation {
  const { id, method, path, node, pathItem } = unnamed;
  const operation = buildBaseOperation(pathItem, node, method, context);
  reportUnsendableRequest(node, method, context);
  // The structural check reports responses without an entry, with a misspelt name, or beside the operation.
  const isResponses = ([key]: [string, unknown]): boolean =>
    key === "responses" || (!key.startsWith("x-") && suggestName(key, ["responses"]) !== undefined);
  if (![node, pathItem].some((owner) => listMembers(owner).some(isResponses)))
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
    name,
    typeName,
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
    for (const name of adjacent) {
      if (describeValues(name)) continue;
      context.warn(
        pathItem,
        `${path}: nothing shows where {${name}} begins, so the parameter before it gets one character. Put text between the two parameters, or list the values of {${name}} in an enum.`,
      );
    }
    return { route: "", routePattern };
  }
  try {
    return { route: createExpressRoute(path), routePattern };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    context.error(pathItem, `${path} cannot be converted to a route: ${reason}. Correct the path.`);
    // Building continues, so that all problems are reported together.
    return { route: "", routePattern };
  }
}

/** Warns about each component that a discriminator selects only by values that its property, such as an integer, cannot have. */
function reportMismatchedDiscriminatorValues({ schemas, warn }: BuildContext): void {
  for (const { discriminator, pointer } of schemas.components().values()) {
    if (!discriminator) continue;
    const { propertyName, mapping } = discriminator;
    for (const [target, entries] of groupBy(mapping, ([, schema]) => schema)) {
      const values = entries.map(([value]) => value);
      if (!matchesNoValue(target, propertyName, values)) continue;
      const list = values.map((value) => JSON.stringify(value)).join(", ");
      warn(
        `${pointer}/discriminator`,
        `The property ${propertyName} of ${target.component} cannot be ${list}, which selects this schema. Correct \`mapping\` or the type of the property.`,
      );
    }
  }
}

function createGroups(operations: readonly Operation[], context: BuildContext): OperationGroup[] {
  const tagObjects = listItems(getMember(context.root, "tags"));
  const operationsByTag = groupBy(operations, ({ tags: [tag] }) => tag || "default");
  const tags = [...operationsByTag.keys()].sort(compareText);
  const names = assignUniqueNames(
    tags,
    (tag) => makeGroupName(tag) || "untitled",
    (tag) => tag,
  );
  const typeNames = assignUniqueNames(
    tags,
    (tag) => toPascalCase(getRequired(names, tag)) || "Untitled",
    (tag) => tag,
  );
  const groups = tags.map((tag): OperationGroup => {
    const tagObject = tagObjects.find((each) => getText(each, "name") === tag);
    return {
      tag,
      description: getText(tagObject, "description") ?? "",
      name: getRequired(names, tag),
      interfaceName: `${getRequired(typeNames, tag)}Handlers`,
      operations: getRequired(operationsByTag, tag),
    };
  });
  reportSimilarTags(groups, context);
  return groups;
}

/** Warns about each tag whose interface has a number in its name, because another tag gives the same name. */
function reportSimilarTags(groups: readonly OperationGroup[], { warn }: BuildContext): void {
  const tags = new Map(groups.map(({ tag, interfaceName }) => [interfaceName.toLowerCase(), tag]));
  for (const { tag, interfaceName, operations } of groups) {
    const other = tags.get(`${toPascalCase(makeGroupName(tag))}Handlers`.toLowerCase()) ?? tag;
    if (other !== tag)
      warn(
        `${operations[0]?.pointer}/tags/0`,
        `The tags ${JSON.stringify(other)} and ${JSON.stringify(tag)} give the same name, so the operations of ${JSON.stringify(tag)} are in ${interfaceName}. Write both alike, or rename one.`,
      );
  }
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
