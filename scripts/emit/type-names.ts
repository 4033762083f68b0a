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
} from "../model/model.js";
import { pascalCase, uniqueNames } from "../model/names.js";
import type { Schema } from "../model/schema/schema.js";
import { successesOf } from "./successes.js";

/** The names of the exported types of types.ts. */
export interface TypeNames {
  /** Schemas with a declaration of their own, sorted by their name in the document. */
  readonly schemas: ReadonlyMap<Schema, string>;
  /** Operations and webhooks. */
  readonly operations: ReadonlyMap<Operation, OperationTypeNames>;
}

/** The names of the types of an operation; undefined for a part that it does not have. */
export interface OperationTypeNames {
  readonly parameters: Readonly<Partial<Record<Parameter["in"], string>>>;
  /** The declared request body, of all media types whose content is neither bytes nor text. */
  readonly requestBody: string | undefined;
  /** The same for the bodies of the successes. */
  readonly responseBody: string | undefined;
}

/** Keywords whose subschemas have no part in a type. */
const UNTYPED: ReadonlySet<string> = new Set([
  "not",
  "if",
  "contains",
  "propertyNames",
  "contentSchema",
  "dependentSchemas",
  "$defs",
  "definitions",
]);

/** Names of types.ts, and of the types that it uses. */
const TAKEN = ["paths", "webhooks", "components", "operations", "Record"];

const known = new WeakMap<Api, TypeNames>();

/** Names the types of types.ts. Schemas take precedence, so that an operation never renames a schema. */
export function typeNames(api: Api): TypeNames {
  const names = known.get(api) ?? nameTypes(api);
  known.set(api, names);
  return names;
}

/** A body that has a type: that of bytes, of text or of a stream is known without its schema. */
export interface TypedBody {
  schema: Schema;
  /** The type of the body as a path in types.ts. */
  path: string;
  /** Whether the schema belongs to the operation, not to a component. */
  isOwn: boolean;
}

/** The request bodies of an operation, one for each media type. */
export function requestBodies(operation: Operation, namespace = ""): TypedBody[] {
  const { body } = operation;
  return body ? typedBodies(body, `NonNullable<${operationPath(operation, namespace)}["requestBody"]>`) : [];
}

/** The bodies of the successes of an operation, one for each status and media type. */
export function successBodies(operation: Operation, namespace = ""): TypedBody[] {
  return successesOf(operation).flatMap((response) => responseBodies(operation, response, namespace));
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
    schema && TYPED.has(kind)
      ? [{ schema, path: `${path}["content"][${stringLiteral(name)}]`, isOwn: component === undefined }]
      : [],
  );
}

const TYPED: ReadonlySet<MediaType["kind"]> = new Set(["json", "form", "multipart"]);

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
  const schemas = uniqueTypeNames(TAKEN, declaredSchemas(api), ({ name }) => typeName(name));
  const operations = [...api.groups.flatMap((group) => group.operations), ...api.webhooks];
  const parts = operations.flatMap((operation) =>
    operationParts(operation).filter((part) => !isNamedLike(part, schemas)),
  );
  const names = uniqueTypeNames([...TAKEN, ...schemas.values()], parts, ({ name }) => name);
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
  };
}

/** Names that differ from each other and from those that are taken, of which the first items get theirs first. */
function uniqueTypeNames<T extends object & { name: string }>(
  taken: readonly string[],
  items: readonly T[],
  nameOf: (item: T) => string,
): Map<T, string> {
  const names = uniqueNames<T | string>(
    [...taken, ...items],
    (each) => (typeof each === "string" ? each : nameOf(each)),
    (each) => (typeof each === "string" ? `0 ${each}` : `1 ${each.name}`),
  );
  return new Map(items.map((item) => [item, names.get(item) ?? ""]));
}

/** Whether a body is a component that already has the name that the body would get. */
function isNamedLike({ operation, suffix, name }: Part, names: ReadonlyMap<Schema, string>): boolean {
  const bodies =
    suffix === "RequestBody" ? requestBodies : suffix === "ResponseBody" ? successBodies : () => [];
  return bodies(operation).some(({ schema }) => {
    const component = referencedSchema(schema);
    return component !== undefined && names.get(component) === name;
  });
}

type PartSuffix = "Path" | "Query" | "Headers" | "Cookies" | "RequestBody" | "ResponseBody";

/** A part of an operation that gets a type. */
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

/** The components in the form of responses, and all schemas that references name, in the form in which they are used. */
function declaredSchemas(api: Api): Schema[] {
  const declared = new Set<Schema>();
  for (const component of api.schemas.components().values()) declared.add(component.response);
  const open = [...messageSchemas(api), ...declared];
  const seen = new Set(open);
  const visit = (schema: Schema): void => {
    if (seen.has(schema)) return;
    seen.add(schema);
    open.push(schema);
  };
  for (let schema = open.pop(); schema; schema = open.pop()) {
    const { reference } = schema;
    if (reference) {
      declared.add(reference);
      visit(reference);
    }
    for (const { keyword, schema: subschema } of schema.subschemas()) {
      if (!UNTYPED.has(keyword)) visit(subschema);
    }
  }
  return [...declared].sort((a, b) => compareText(a.name, b.name));
}

/** The name of a type: the name in the document where it is one already. */
function typeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : pascalCase(name) || "Schema";
}

/** The schemas of all messages, those of components that no operation uses among them. */
function* messageSchemas({ groups, webhooks, components }: Api): Generator<Schema> {
  const operations: Exchange[] = [...groups.flatMap((group) => group.operations), ...webhooks];
  for (const exchange of operations) yield* exchangeSchemas(exchange);
  const { parameters, requestBodies, responses, headers } = components;
  yield* present([...parameters.values(), ...headers.values()].map(({ schema }) => schema));
  for (const { mediaTypes } of [...requestBodies.values(), ...responses.values()])
    yield* contentSchemas(mediaTypes);
  for (const response of responses.values()) yield* present(response.headers.map(({ schema }) => schema));
}

function* exchangeSchemas({ parameters, body, responses, callbacks }: Exchange): Generator<Schema> {
  yield* present(parameters.map(({ schema }) => schema));
  if (body) yield* contentSchemas(body.mediaTypes);
  for (const { mediaTypes, headers } of responses) {
    yield* present(headers.map(({ schema }) => schema));
    yield* contentSchemas(mediaTypes);
  }
  for (const { expressions } of callbacks) {
    for (const exchange of expressions.flatMap(({ exchanges }) => exchanges))
      yield* exchangeSchemas(exchange);
  }
}

function* contentSchemas(mediaTypes: readonly MediaType[]): Generator<Schema> {
  yield* present(mediaTypes.flatMap(({ schema, item }) => [schema, item?.schema]));
}

function* present(schemas: readonly (Schema | undefined)[]): Generator<Schema> {
  for (const schema of schemas) if (schema) yield schema;
}
