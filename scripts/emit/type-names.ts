import { stringLiteral } from "../code/encode.js";
import { compareText } from "../diagnostic.js";
import type {
  Api,
  Exchange,
  MediaType,
  Operation,
  Parameter,
  RequestBody,
  Response,
  ResponseHeader,
} from "../model/model.js";
import { pascalCase, uniqueNames } from "../model/names.js";
import type { Schema } from "../model/schema/schema.js";
import { listSuccessResponses } from "./success-responses.js";

/** The names of the exported types of types.ts. */
export interface TypeNames {
  /** Schemas with a declaration of their own, sorted by their name in the document. */
  readonly schemas: ReadonlyMap<Schema, string>;
  /** Operations and webhooks. */
  readonly operations: ReadonlyMap<Operation, OperationTypeNames>;
  /** The headers of responses. The operations that refer to a component share its headers. */
  readonly headers: ReadonlyMap<readonly ResponseHeader[], string>;
}

/** The names of the types of an operation; undefined for a part that it does not have. */
export interface OperationTypeNames {
  readonly parameters: Readonly<Partial<Record<Parameter["in"], string>>>;
  /** The request body, for all media types except bytes and text. */
  readonly requestBody: string | undefined;
  /** The bodies of the success responses, for all media types except bytes, text and streams. */
  readonly responseBody: string | undefined;
}

/** Keywords whose subschemas do not affect a type. */
const KEYWORDS_WITHOUT_TYPE: ReadonlySet<string> = new Set([
  "not",
  "if",
  "contains",
  "propertyNames",
  "contentSchema",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

/** Names that types.ts declares or uses itself. */
const RESERVED = ["paths", "webhooks", "components", "operations", "Record"];

const cache = new WeakMap<Api, TypeNames>();

/** Names the types of types.ts. Schemas take precedence, so that an operation never renames a schema. */
export function typeNames(api: Api): TypeNames {
  const names = cache.get(api) ?? nameTypes(api);
  cache.set(api, names);
  return names;
}

/** A body whose type depends on its schema, unlike the types of bytes, text and streams. */
export interface TypedBody {
  schema: Schema;
  /** The type of the body as a path in types.ts. */
  path: string;
  /** Whether the body is declared inline, not in a component. */
  isInline: boolean;
}

/** The request bodies of an operation, one for each media type. */
export function requestBodies(operation: Operation, namespace = ""): TypedBody[] {
  const { body } = operation;
  return body ? typedBodies(body, `NonNullable<${operationPath(operation, namespace)}["requestBody"]>`) : [];
}

/** The bodies of the success responses of an operation, one for each status and media type. */
export function successBodies(operation: Operation, namespace = ""): TypedBody[] {
  return listSuccessResponses(operation).flatMap((response) =>
    responseBodies(operation, response, namespace),
  );
}

/** The bodies of a response, one for each media type. */
export function responseBodies(operation: Operation, response: Response, namespace = ""): TypedBody[] {
  return typedBodies(response, responsePath(operation, response, namespace));
}

/** The type of an operation as a path in types.ts. */
function operationPath({ id, webhook, method }: Operation, namespace: string): string {
  return webhook === undefined
    ? `${namespace}operations[${stringLiteral(id)}]`
    : `${namespace}webhooks[${stringLiteral(webhook)}]["${method}"]`;
}

/** The type of a response as a path in types.ts. */
export function responsePath(operation: Operation, { key }: Response, namespace = ""): string {
  const status = /^[0-9]+$/.test(key) ? key : stringLiteral(key);
  return `${operationPath(operation, namespace)}["responses"][${status}]`;
}

function typedBodies({ mediaTypes, component }: RequestBody | Response, path: string): TypedBody[] {
  return mediaTypes.flatMap(({ name, kind, schema }) =>
    schema && KINDS_WITH_TYPE.has(kind)
      ? [{ schema, path: `${path}["content"][${stringLiteral(name)}]`, isInline: component === undefined }]
      : [],
  );
}

const KINDS_WITH_TYPE: ReadonlySet<MediaType["kind"]> = new Set(["json", "form", "multipart"]);

/** The component that a schema refers to without any addition that changes its type. */
export function referencedSchema({ reference, value }: Schema): Schema | undefined {
  const isPlain = Object.keys(Object(value)).every((key) => key === "$ref" || ANNOTATIONS.has(key));
  return isPlain ? reference : undefined;
}

const ANNOTATIONS: ReadonlySet<string> = new Set([
  "title",
  "description",
  "default",
  "deprecated",
  "example",
  "examples",
]);

function nameTypes(api: Api): TypeNames {
  const schemas = uniqueTypeNames(RESERVED, declaredSchemas(api), ({ name }) => typeName(name));
  const operations = [...api.groups.flatMap((group) => group.operations), ...api.webhooks];
  const parts = operations.flatMap((operation) =>
    operationParts(operation).filter((part) => !isNamedByComponent(part, schemas)),
  );
  const names = uniqueTypeNames([...RESERVED, ...schemas.values()], parts, ({ name }) => name);
  const headers = uniqueTypeNames(
    [...RESERVED, ...schemas.values(), ...names.values()],
    nameResponseHeaders(api, operations),
    ({ name }) => name,
  );
  const byOperation = new Map(operations.map((operation) => [operation, new Map<PartSuffix, string>()]));
  for (const [{ operation, suffix }, name] of names) byOperation.get(operation)?.set(suffix, name);
  const namesOf = (operation: Operation, named: ReadonlyMap<PartSuffix, string>): OperationTypeNames => ({
    parameters: {
      path: named.get("Path"),
      query: named.get("Query"),
      header: named.get("Headers"),
      cookie: named.get("Cookies"),
    },
    requestBody: named.get("RequestBody"),
    responseBody: named.get("ResponseBody"),
  });
  return {
    schemas,
    operations: new Map([...byOperation].map(([operation, named]) => [operation, namesOf(operation, named)])),
    headers: new Map([...headers].map(([{ headers }, name]) => [headers, name])),
  };
}

/** Assigns unique names that are not reserved. The first items take precedence. */
function uniqueTypeNames<T extends object & { name: string }>(
  reserved: readonly string[],
  items: readonly T[],
  nameOf: (item: T) => string,
): Map<T, string> {
  const names = uniqueNames<T | string>(
    [...reserved, ...items],
    (each) => (typeof each === "string" ? each : nameOf(each)),
    (each) => (typeof each === "string" ? `0 ${each}` : `1 ${each.name}`),
  );
  return new Map(items.map((item) => [item, names.get(item) ?? ""]));
}

/** Whether a body is a component that already has the name that the body would get. */
function isNamedByComponent({ operation, suffix, name }: Part, names: ReadonlyMap<Schema, string>): boolean {
  const bodies =
    suffix === "RequestBody" ? requestBodies : suffix === "ResponseBody" ? successBodies : () => [];
  return bodies(operation).some(({ schema }) => {
    const component = referencedSchema(schema);
    return component !== undefined && names.get(component) === name;
  });
}

type PartSuffix = "Path" | "Query" | "Headers" | "Cookies" | "RequestBody" | "ResponseBody";

/** A part of an operation that has a named type. */
interface Part {
  operation: Operation;
  suffix: PartSuffix;
  name: string;
}

function operationParts(operation: Operation): Part[] {
  const has = (location: Parameter["in"]): boolean =>
    operation.parameters.some((each) => each.in === location);
  const suffixes: [PartSuffix, boolean][] = [
    ["Path", has("path")],
    ["Query", has("query")],
    ["Headers", has("header")],
    ["Cookies", has("cookie")],
    ["RequestBody", requestBodies(operation).length > 0],
    ["ResponseBody", successBodies(operation).length > 0],
  ];
  return suffixes.flatMap(([suffix, exists]) =>
    exists ? [{ operation, suffix, name: operation.typeName + suffix }] : [],
  );
}

/** Names the headers of each response component, and of each inline response by its status or `Default`. */
function nameResponseHeaders(
  { components }: Api,
  operations: readonly Operation[],
): { headers: readonly ResponseHeader[]; name: string }[] {
  const names = new Map<readonly ResponseHeader[], string>();
  for (const [component, { headers }] of components.responses)
    names.set(headers, `${typeName(component)}Headers`);
  for (const { typeName, responses } of operations)
    for (const { key, headers } of responses)
      if (!names.has(headers)) names.set(headers, `${typeName}${key.replace(/^d/, "D")}Headers`);
  return [...names].flatMap(([headers, name]) => (headers.length > 0 ? [{ headers, name }] : []));
}

/** The response forms of all components, and all targets of references in the form in which they are used. */
function declaredSchemas(api: Api): Schema[] {
  const declared = new Set<Schema>();
  for (const component of api.schemas.components().values()) declared.add(component.response);
  const pending = [...messageSchemas(api), ...declared];
  const seen = new Set(pending);
  const visit = (schema: Schema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    pending.push(schema);
  };
  for (let schema = pending.pop(); schema; schema = pending.pop()) {
    const { reference } = schema;
    if (reference) {
      declared.add(reference);
      visit(reference);
    }
    for (const { keyword, schema: subschema } of schema.subschemas()) {
      if (!KEYWORDS_WITHOUT_TYPE.has(keyword)) visit(subschema);
    }
  }
  return [...declared].sort((a, b) => compareText(a.name, b.name));
}

/** The type name for a schema: its name in the document if that is a valid type name. */
function typeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : pascalCase(name) || "Schema";
}

/** The schemas of all parameters, bodies and headers, including those of unused components. */
function* messageSchemas({ groups, webhooks, components }: Api): Generator<Schema> {
  const operations: Exchange[] = [...groups.flatMap((group) => group.operations), ...webhooks];
  for (const exchange of operations) yield* exchangeSchemas(exchange);
  const { parameters, requestBodies, responses, headers } = components;
  yield* defined([...parameters.values(), ...headers.values()].map(({ schema }) => schema));
  for (const { mediaTypes } of [...requestBodies.values(), ...responses.values()])
    yield* contentSchemas(mediaTypes);
  for (const response of responses.values()) yield* defined(response.headers.map(({ schema }) => schema));
}

function* exchangeSchemas({ parameters, body, responses, callbacks }: Exchange): Generator<Schema> {
  yield* defined(parameters.map(({ schema }) => schema));
  if (body) yield* contentSchemas(body.mediaTypes);
  for (const { mediaTypes, headers } of responses) {
    yield* defined(headers.map(({ schema }) => schema));
    yield* contentSchemas(mediaTypes);
  }
  for (const { expressions } of callbacks) {
    for (const exchange of expressions.flatMap(({ exchanges }) => exchanges))
      yield* exchangeSchemas(exchange);
  }
}

function* contentSchemas(mediaTypes: readonly MediaType[]): Generator<Schema> {
  yield* defined(mediaTypes.flatMap(({ schema, item }) => [schema, item?.schema]));
}

function* defined(schemas: readonly (Schema | undefined)[]): Generator<Schema> {
  for (const schema of schemas) if (schema) yield schema;
}
