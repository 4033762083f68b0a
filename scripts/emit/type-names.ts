import { compareText } from "../text.js";
import type { Api, Exchange, Operation, Parameter, ResponseHeader } from "../model/model.js";
import { getRequired } from "../maps.js";
import { toPascalCase, assignUniqueNames } from "../model/names.js";
import type { Schema } from "../model/schema/schema.js";
import { groupParameters } from "../model/parameter-groups.js";
import {
  findReferencedComponent,
  listRequestBodies,
  listSuccessBodies,
  type TypedBody,
} from "./typed-bodies.js";

/** The names of the exported types of types.ts. */
export interface TypeNames {
  /** Schemas with a declaration of their own, sorted by their name in the document. */
  readonly schemas: ReadonlyMap<Schema, string>;
  /** Operations and webhooks. */
  readonly operations: ReadonlyMap<Operation, OperationTypeNames>;
  /** The headers of responses. The operations that refer to a component share its headers. */
  readonly headers: ReadonlyMap<readonly ResponseHeader[], string>;
}

/**
 * The names of the types of an operation: of its parameters by location, of the request body for all media types except
 * bytes and text, and of the bodies of the success responses for all media types except bytes, text and streams. Absent
 * for a part that the operation does not have, and for a body that is a component with the same name.
 */
export type OperationTypeNames = Readonly<Partial<Record<Part, string>>>;

type Part = Parameter["in"] | "requestBody" | "responseBody";

/** The suffixes of the type names. */
const SUFFIXES: Readonly<Record<Part, string>> = {
  path: "Path",
  query: "Query",
  header: "Headers",
  cookie: "Cookies",
  requestBody: "RequestBody",
  responseBody: "ResponseBody",
};

/** Keywords whose subschemas do not affect a type. */
const KEYWORDS_WITHOUT_TYPE: ReadonlySet<string> = new Set([
  "not",
  "if",
  "contains",
  "contentSchema",
  "$defs",
  "definitions",
]);

/** Names that types.ts declares or uses itself. */
const RESERVED = ["paths", "webhooks", "components", "operations", "NonNullable", "Record"];

const cache = new WeakMap<Api, TypeNames>();

/** Names the types of types.ts. Schemas take precedence, so that an operation never renames a schema. */
export function nameTypes(api: Api): TypeNames {
  const names = cache.get(api) ?? createNames(api);
  cache.set(api, names);
  return names;
}

function createNames(api: Api): TypeNames {
  const operations = [...api.operations, ...api.webhooks];
  const schemas = assignTypeNames(RESERVED, listDeclaredSchemas(api), ({ name }) => toTypeName(name));
  const parts = operations.flatMap((operation) => listParts(operation, schemas));
  const partNames = assignTypeNames([...RESERVED, ...schemas.values()], parts, ({ name }) => name);
  const headers = assignTypeNames(
    [...RESERVED, ...schemas.values(), ...partNames.values()],
    nameResponseHeaders(api, operations),
    ({ name }) => name,
  );
  const byOperation = new Map<Operation, Partial<Record<Part, string>>>(
    operations.map((operation) => [operation, {}]),
  );
  for (const [{ operation, part }, name] of partNames) getRequired(byOperation, operation)[part] = name;
  return {
    schemas,
    operations: byOperation,
    headers: new Map([...headers].map(([{ headers: list }, name]) => [list, name])),
  };
}

/** Assigns unique names that are not reserved. Of items with the same name, the first by its name in the document keeps it. */
function assignTypeNames<T extends object & { name: string }>(
  reserved: readonly string[],
  items: readonly T[],
  getName: (item: T) => string,
): Map<T, string> {
  const names = assignUniqueNames(items, getName, ({ name }) => name, reserved);
  // In the order of the items.
  return new Map(items.map((item) => [item, getRequired(names, item)]));
}

/** Lists the parts of an operation that have a type, with the names that they get if these are unique. */
function listParts(
  operation: Operation,
  schemaNames: ReadonlyMap<Schema, string>,
): { operation: Operation; part: Part; name: string }[] {
  const createPart = (part: Part) => ({ operation, part, name: operation.typeName + SUFFIXES[part] });
  const bodies: [Part, TypedBody[]][] = [
    ["requestBody", listRequestBodies(operation)],
    ["responseBody", listSuccessBodies(operation)],
  ];
  return [
    ...groupParameters(operation).map(({ location }) => createPart(location)),
    ...bodies.flatMap(([part, alternatives]) => {
      const created = createPart(part);
      const components = alternatives.flatMap(({ schema }) => findReferencedComponent(schema) ?? []);
      const isNamed = components.some((component) => schemaNames.get(component) === created.name);
      return alternatives.length === 0 || isNamed ? [] : [created];
    }),
  ];
}

/** Names the headers of each response component, and of each inline response by its status or `Default`. */
function nameResponseHeaders(
  { components }: Api,
  operations: readonly Operation[],
): { headers: readonly ResponseHeader[]; name: string }[] {
  const names = new Map<readonly ResponseHeader[], string>();
  for (const [component, { headers }] of components.responses)
    names.set(headers, `${toTypeName(component)}Headers`);
  for (const { typeName, responses } of operations)
    for (const { key, headers } of responses)
      if (!names.has(headers)) names.set(headers, `${typeName}${key.replace(/^d/, "D")}Headers`);
  return [...names].flatMap(([headers, name]) => (headers.length > 0 ? [{ headers, name }] : []));
}

/** Lists the response variants of all components, and all targets of references in the variant in which they are used. */
function listDeclaredSchemas(api: Api): Schema[] {
  const declared = new Set<Schema>();
  for (const component of api.schemas.components().values()) declared.add(component.response);
  // A set also iterates over the schemas that the loop adds.
  const reached = new Set([...listMessageSchemas(api), ...declared]);
  for (const schema of reached) {
    const { reference } = schema;
    if (reference) {
      declared.add(reference);
      reached.add(reference);
    }
    for (const { keyword, schema: subschema } of schema.subschemas())
      if (!KEYWORDS_WITHOUT_TYPE.has(keyword)) reached.add(subschema);
  }
  return [...declared].sort((a, b) => compareText(a.name, b.name));
}

/** Converts the name of a schema to a type name. A name that is a valid type name stays as it is. */
function toTypeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : toPascalCase(name) || "Schema";
}

/** Lists the schemas of all parameters, bodies and headers, including those of unused components. */
function listMessageSchemas({ operations, webhooks, components }: Api): Schema[] {
  const exchanges = [...operations, ...webhooks].flatMap(listExchanges);
  const bodies = exchanges.flatMap(({ body }) => body ?? []);
  const responses = [...exchanges.flatMap((each) => each.responses), ...components.responses.values()];
  const mediaTypes = [...bodies, ...components.requestBodies.values(), ...responses].flatMap(
    (each) => each.mediaTypes,
  );
  return [
    ...exchanges.flatMap(({ parameters }) => parameters),
    ...components.parameters.values(),
    ...responses.flatMap(({ headers }) => headers),
    ...components.headers.values(),
    ...mediaTypes,
    ...mediaTypes.flatMap(({ item }) => item ?? []),
  ].flatMap(({ schema }) => schema ?? []);
}

/** Lists an exchange and those of its callbacks. */
function listExchanges(exchange: Exchange): Exchange[] {
  const expressions = exchange.callbacks.flatMap((callback) => callback.expressions);
  return [exchange, ...expressions.flatMap(({ exchanges }) => exchanges).flatMap(listExchanges)];
}
