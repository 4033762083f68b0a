import {
  compareText,
  type Diagnostic,
  DiagnosticError,
  type Position,
  sortDiagnostics,
} from "../diagnostic.js";
import { groupBy } from "../group-by.js";
import { buildComponents } from "./components.js";
import { BuildContext, DOCUMENT_URI } from "./context.js";
import { completeDocument } from "./complete-document.js";
import {
  type Api,
  type Condition,
  type HttpMethod,
  type Operation,
  type OperationGroup,
  type Parameter,
} from "./model.js";
import { type JsonObject, isObject } from "./json.js";
import { toCamelCase, makeGroupName, makeOperationId, toPascalCase, assignUniqueNames } from "./names.js";
import { type Node, getMember, listMembers, isTrue, listItems, getText } from "./node.js";
import { buildExchange } from "./http-exchange.js";
import { listOperations } from "./path-item.js";
import { reportUnsendableRequest } from "./request-body.js";
import { collectComposedSchemas } from "./schema/composition.js";
import { METASCHEMAS } from "./schema/generated/metaschemas.js";
import { SchemaGraph } from "./schema/graph.js";
import type { Source } from "./schema/resource.js";
import { buildWebhooks } from "./webhooks.js";
import { listAdjacentParameters, createRoutePattern, createExpressRoute, type PathValues } from "./route.js";
import { distinguishOperations } from "./same-route.js";
import { buildSecurity, buildSecuritySchemes } from "./security.js";
import { buildServers } from "./servers.js";
import { reportUnsupported32 } from "./version-3-2.js";

/** The model with the warnings about its document. */
export interface BuiltApi {
  api: Api;
  warnings: Diagnostic[];
  /** Returns the source location of a JSON pointer into the document of the model. */
  locate(pointer: string): Position;
}

/** An operation before it is built: unique names can be chosen only when all operations are known. */
interface Draft {
  /** The operationId. */
  id: string;
  tag: string;
  method: HttpMethod;
  path: string;
  node: Node;
  pathItem: Node;
}

/**
 * Builds the model of a bundled document.
 *
 * @param source the bundled document; it is not changed
 * @param locate returns the source location of a JSON pointer of the document
 * @throws DiagnosticError with every problem found
 */
export function buildApi(source: JsonObject, locate: (pointer: string) => Position): BuiltApi {
  const errors: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const error = (location: Node | string, message: string): void => {
    errors.push({ severity: "error", message, position: locate(getPointer(location)) });
  };
  const warn = (location: Node | string, message: string): void => {
    warnings.push({ severity: "warning", message, position: locate(getPointer(location)) });
  };
  const document = completeDocument(source, { document: source, error, warn });
  const dialect = String(document.openapi).startsWith("3.0") ? "openapi-3.0" : "openapi-3.1";
  const metaschemas = Object.entries(METASCHEMAS).map(([uri, schema]): Source => ({
    uri,
    document: schema,
    dialect: "json-schema",
  }));
  const schemas = new SchemaGraph([{ uri: DOCUMENT_URI, document, dialect, locate }, ...metaschemas]);
  const context = new BuildContext(document, schemas, error, warn);
  reportUnsupported32(context);
  const drafts = findOperations(context);
  const names = assignUniqueNames(
    drafts,
    (draft) => toCamelCase(draft.id) || makeOperationId(draft.method, draft.path),
    makeSortKey,
  );
  // Names that differ can give the same type name: a_b and aB.
  const typeNames = assignUniqueNames(
    drafts,
    (draft) => toPascalCase(names.get(draft) ?? "") || "Operation",
    makeSortKey,
  );
  const draftByOperation = new Map(
    drafts.map((draft) => [
      buildOperation(draft, names.get(draft) ?? "", typeNames.get(draft) ?? "", context),
      draft,
    ]),
  );
  const conditions = distinguishOperations([...draftByOperation.keys()], (operation, earlier) => {
    warn(
      draftByOperation.get(operation)?.node ?? "",
      `requests for ${describeOperation(operation)} cannot be distinguished from those for ${describeOperation(earlier)}, whose handler gets both; give each operation a different path, or a required query or header parameter`,
    );
  });
  const operationsByTag = groupBy(
    draftByOperation.keys(),
    (operation) => draftByOperation.get(operation)?.tag ?? "",
  );
  const groups = createGroups(operationsByTag, conditions, context);
  const webhooks = buildWebhooks([...typeNames.values()], context);
  if (errors.length > 0) throw new DiagnosticError(sortDiagnostics([...errors, ...warnings]));
  const info = getMember(context.root, "info");
  const api: Api = {
    title: getText(info, "title") ?? "",
    version: getText(info, "version") ?? "",
    description: getText(info, "description") ?? "",
    document,
    schemas,
    components: buildComponents(context),
    servers: buildServers(context, context.root),
    securitySchemes: buildSecuritySchemes(context),
    groups,
    operations: groups.flatMap((group) => group.operations),
    webhooks,
  };
  return { api, warnings, locate };
}

function findOperations(context: BuildContext): Draft[] {
  const drafts: Draft[] = [];
  for (const [path, item] of listMembers(getMember(context.root, "paths"))) {
    if (path.startsWith("x-")) continue;
    if (!path.startsWith("/")) {
      context.error(item, `the path ${JSON.stringify(path)} must begin with a slash`);
      continue;
    }
    const pathItem = context.deref(item);
    if (!pathItem || !isObject(pathItem.value)) {
      context.error(item, `the path item of ${path} cannot be resolved`);
      continue;
    }
    for (const [method, node] of listOperations(pathItem)) {
      // completeDocument gives every operation an operationId.
      const id = getText(node, "operationId") ?? "";
      drafts.push({ id, tag: readTag(node), method, path, node, pathItem });
    }
  }
  return drafts;
}

function readTag(node: Node): string {
  const tag = listItems(getMember(node, "tags"))[0]?.value;
  return typeof tag === "string" && tag !== "" ? tag : "default";
}

function buildOperation(draft: Draft, name: string, typeName: string, context: BuildContext): Operation {
  const { id, method, path, node, pathItem } = draft;
  const exchange = buildExchange(pathItem, node, method, "server", context);
  const routePattern = createRoutePattern(path, (name) => describePathValues(exchange.parameters, name));
  for (const parameter of routePattern === undefined ? [] : listAdjacentParameters(path)) {
    if (describePathValues(exchange.parameters, parameter)) continue;
    context.warn(
      node,
      `${path}: nothing shows where {${parameter}} begins, so the parameter before it gets one character; put text between the two parameters, or list the values of {${parameter}} in an enum`,
    );
  }
  let route = "";
  try {
    if (routePattern === undefined) route = createExpressRoute(path);
  } catch (error) {
    context.error(
      node,
      `${path} cannot be made a route: ${error instanceof Error ? error.message : String(error)}`,
    );
    // Building continues, so that all problems are reported together.
  }
  reportUnsendableRequest(node, method, context);
  return {
    ...exchange,
    id,
    name,
    typeName,
    path,
    route,
    routePattern,
    conditions: [],
    safe: isTrue(node, "x-safe"),
    security: buildSecurity(node, context),
    servers: buildServers(context, node, pathItem, context.root),
  };
}

/** Creates the groups of operations, given the operations of each tag and the conditions that select operations. */
function createGroups(
  operationsByTag: ReadonlyMap<string, readonly Operation[]>,
  conditions: ReadonlyMap<Operation, readonly Condition[]>,
  { root }: BuildContext,
): OperationGroup[] {
  const tagObjects = listItems(getMember(root, "tags"));
  const tags = [...operationsByTag.keys()].sort(compareText);
  const names = assignUniqueNames(
    tags,
    (tag) => makeGroupName(tag) || "untitled",
    (tag) => tag,
  );
  const typeNames = assignUniqueNames(
    tags,
    (tag) => toPascalCase(names.get(tag) ?? "") || "Untitled",
    (tag) => tag,
  );
  return tags.map((tag) => ({
    tag,
    description:
      getText(
        tagObjects.find((each) => getText(each, "name") === tag),
        "description",
      ) ?? "",
    name: names.get(tag) ?? "",
    interfaceName: `${typeNames.get(tag)}Handlers`,
    operations: (operationsByTag.get(tag) ?? []).map((operation) => ({
      ...operation,
      conditions: conditions.get(operation) ?? [],
    })),
  }));
}

/** Describes the values of a path parameter that has a style with a prefix, or whose schema is an enum of strings. */
function describePathValues(parameters: readonly Parameter[], name: string): PathValues | undefined {
  const { style, schema } = parameters.find((each) => each.in === "path" && each.name === name) ?? {};
  if (style === "label") return { prefix: "." };
  if (style === "matrix") return { prefix: ";" };
  const enums =
    schema && schema.unions.length === 0
      ? [...collectComposedSchemas(schema)].map((part) => part.keyword("enum"))
      : [];
  const values = enums.find((list) => Array.isArray(list)) ?? [];
  const texts = values.filter((value) => typeof value === "string" && value !== "");
  return texts.length > 0 && texts.length === values.length ? { listed: texts.map(String) } : undefined;
}

function describeOperation({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

function makeSortKey(draft: Draft): string {
  return `${draft.path} ${draft.method}`;
}

function getPointer(node: Node | string): string {
  return typeof node === "string" ? node : node.pointer;
}
