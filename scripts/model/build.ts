import { type Diagnostic, DiagnosticError, type Position } from "../diagnostic.js";
import { completeDocument } from "./complete.js";
import { nameDeepReferences } from "./deep-references.js";
import { directDocument } from "./direction.js";
import {
  type Api,
  type HttpMethod,
  type JsonObject,
  METHODS,
  type Operation,
  type OperationGroup,
  type Parameter,
} from "./model.js";
import { camelCase, groupName, operationIdFor, pascalCase, uniqueNames } from "./names.js";
import { type Node, at, child, deref, entries, flag, isObject, items, text } from "./node.js";
import { buildBody, buildResponses, reportUnsent } from "./payloads.js";
import { buildParameters } from "./parameters.js";
import type { Report } from "./report.js";
import { buildWebhooks } from "./webhooks.js";
import { patternFor, routeFor } from "./route.js";
import { tellApart } from "./same-route.js";
import { refuseUnsupported32 } from "./version-3-2.js";

export interface BuiltApi {
  api: Api;
  warnings: Diagnostic[];
  /** Gives the place in the sources for a JSON pointer into the document of the model. */
  locate(pointer: string): Position;
}

/** An operation while it is being built: its final names need all the others. */
interface Draft {
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
 * @param locateSource gives the place in the sources for a JSON pointer into the document
 * @throws DiagnosticError with every problem found
 */
export function buildApi(source: JsonObject, locateSource: (pointer: string) => Position): BuiltApi {
  let origins = new Map<string, string>();
  const locate = (pointer: string): Position => {
    const component = /^(?:\/[^/]*){3}/.exec(pointer)?.[0] ?? "";
    const origin = origins.get(component);
    return locateSource(origin === undefined ? pointer : origin + pointer.slice(component.length));
  };
  const errors: Diagnostic[] = [];
  const warnings: Diagnostic[] = [];
  const problems: Omit<Report, "document"> = {
    error: (node, message) => errors.push({ severity: "error", message, position: locate(pointerOf(node)) }),
    warn: (node, message) =>
      warnings.push({ severity: "warning", message, position: locate(pointerOf(node)) }),
  };
  const named = nameDeepReferences(completeDocument(source, { ...problems, document: source }));
  const { document } = named;
  origins = named.origins;
  const report: Report = { ...problems, document };
  const root: Node = { value: document, pointer: "" };
  refuseUnsupported32(document, report);
  const drafts = findOperations(root, report);
  const names = uniqueNames(
    drafts,
    (draft) => camelCase(draft.id) || operationIdFor(draft.method, draft.path),
    place,
  );
  // Names that differ can give the same type name: a_b and aB.
  const typeNames = uniqueNames(drafts, (draft) => pascalCase(names.get(draft) ?? "") || "Operation", place);
  const operations = new Map<Draft, Operation>();
  for (const draft of drafts) {
    operations.set(draft, buildOperation(draft, names.get(draft) ?? "", typeNames.get(draft) ?? "", report));
  }
  const drafted = new Map([...operations].map(([draft, operation]) => [operation, draft]));
  tellApart([...operations.values()], document, (operation, earlier) => {
    report.warn(
      drafted.get(operation)?.node ?? "",
      `nothing in a request tells ${show(operation)} from ${show(earlier)}, whose handler answers both; give each a path, or a required query or header parameter`,
    );
  });
  const groups = groupByTag(drafts, operations);
  const directed = directDocument(document);
  const webhooks = buildWebhooks(directed, [...typeNames.values()], report);
  if (errors.length > 0) throw new DiagnosticError([...errors, ...warnings]);
  const info = child(root, "info");
  const api: Api = {
    title: text(info, "title") ?? "",
    version: text(info, "version") ?? "",
    document,
    directed,
    groups,
    webhooks,
  };
  return { api, warnings, locate };
}

function findOperations(root: Node, report: Report): Draft[] {
  const drafts: Draft[] = [];
  for (const [path, item] of entries(child(root, "paths"))) {
    if (path.startsWith("x-")) continue;
    if (!path.startsWith("/")) {
      report.error(item, `the path ${JSON.stringify(path)} must begin with a slash`);
      continue;
    }
    const pathItem = deref(report.document, item);
    if (!pathItem || !isObject(pathItem.value)) {
      report.error(item, `the path item of ${path} cannot be resolved`);
      continue;
    }
    for (const method of METHODS) {
      const node = child(pathItem, method);
      if (!node) continue;
      // Present: completeDocument has seen to it.
      const id = text(node, "operationId") ?? "";
      drafts.push({ id, tag: operationTag(node), method, path, node, pathItem });
    }
  }
  return drafts;
}

function operationTag(node: Node): string {
  const tag = items(child(node, "tags"))[0]?.value;
  return typeof tag === "string" && tag !== "" ? tag : "default";
}

function buildOperation(draft: Draft, name: string, typeName: string, report: Report): Operation {
  const { id, method, path, node, pathItem } = draft;
  const parameters = buildParameters(pathItem, node, report);
  const routePattern = patternFor(path, (name) => valuesOf(parameters, name, report.document));
  let route = "";
  try {
    if (routePattern === undefined) route = routeFor(path);
  } catch (error) {
    report.error(
      node,
      `${path} cannot be made a route: ${error instanceof Error ? error.message : String(error)}`,
    );
    // The rest is looked at all the same: everything that is wrong is reported together.
  }
  reportUnsent(node, method, report);
  return {
    id,
    name,
    typeName,
    method,
    path,
    route,
    routePattern,
    when: [],
    summary: text(node, "summary") ?? "",
    description: text(node, "description") ?? "",
    deprecated: flag(node, "deprecated"),
    safe: flag(node, "x-safe"),
    parameters,
    body: buildBody(node, report),
    responses: buildResponses(node, report),
  };
}

function groupByTag(drafts: Draft[], operations: Map<Draft, Operation>): OperationGroup[] {
  const tags = [...new Set(drafts.map((draft) => draft.tag))];
  const names = uniqueNames(
    tags,
    (tag) => groupName(tag) || "untitled",
    (tag) => tag,
  );
  const typeNames = uniqueNames(
    tags,
    (tag) => pascalCase(names.get(tag) ?? "") || "Untitled",
    (tag) => tag,
  );
  return tags.map((tag) => {
    const name = names.get(tag) ?? "";
    const members = drafts.filter((draft) => draft.tag === tag).map((draft) => operations.get(draft));
    return {
      tag,
      name,
      interfaceName: `${typeNames.get(tag)}Handlers`,
      operations: members.filter((operation) => operation !== undefined),
    };
  });
}

/** The texts that a path parameter can be, where its schema lists them. */
function valuesOf(parameters: Parameter[], name: string, document: JsonObject): string[] | undefined {
  const parameter = parameters.find((each) => each.in === "path" && each.name === name);
  const schema = parameter && at(document, parameter.schemaPointer);
  const values = items(schema && child(deref(document, schema) ?? schema, "enum")).map(({ value }) => value);
  const texts = values.filter((value) => typeof value === "string" && value !== "");
  return texts.length > 0 && texts.length === values.length ? texts.map(String) : undefined;
}

function show({ method, path }: Operation): string {
  return `${method.toUpperCase()} ${path}`;
}

function place(draft: Draft): string {
  return `${draft.path} ${draft.method}`;
}

function pointerOf(node: Node | string): string {
  return typeof node === "string" ? node : node.pointer;
}
