import type { Api, Operation, Parameter, ResponseHeader } from "../../model/model.js";
import { getOrCreate, getRequired } from "../../maps.js";
import { toPascalCase, assignUniqueNames } from "../../model/names.js";
import type { Schema } from "../../model/schema/schema.js";
import { groupParameters } from "../../model/parameters/parameter-groups.js";
import { listDeclaredSchemas } from "./declared-schemas.js";
import { listRequestBodies, listSuccessBodies, type TypedBody } from "./typed-bodies.js";

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
export type OperationTypeNames = Readonly<Partial<Record<OperationPart, string>>>;

type OperationPart = Parameter["in"] | "requestBody" | "responseBody";

const TYPE_NAME_SUFFIXES: Readonly<Record<OperationPart, string>> = {
  path: "Path",
  query: "Query",
  header: "Headers",
  cookie: "Cookies",
  requestBody: "RequestBody",
  responseBody: "ResponseBody",
};

/** Names that types.ts declares or uses itself. */
const RESERVED_TYPE_NAMES = ["paths", "webhooks", "components", "operations", "NonNullable", "Record"];

/** The names of each API. Three emitters need them, and GitHub's take 2 % of the time. */
const namesByApi = new WeakMap<Api, TypeNames>();

/** Names the types of types.ts. Schemas take precedence, so that an operation never renames a schema. */
export function nameTypes(api: Api): TypeNames {
  return getOrCreate(namesByApi, api, () => createNames(api));
}

function createNames(api: Api): TypeNames {
  const operations = [...api.operations, ...api.webhooks];
  const getName = ({ name }: { name: string }): string => name;
  const schemas = assignUniqueNames(
    listDeclaredSchemas(api),
    ({ name }) => toTypeName(name),
    getName,
    RESERVED_TYPE_NAMES,
  );
  const parts = operations.flatMap((operation) => listParts(operation, schemas));
  const reserved = [...RESERVED_TYPE_NAMES, ...schemas.values()];
  const partNames = assignUniqueNames(parts, getName, getName, reserved);
  reserved.push(...partNames.values());
  const headers = assignUniqueNames(nameResponseHeaders(api, operations), getName, getName, reserved);
  const byOperation = new Map<Operation, Partial<Record<OperationPart, string>>>(
    operations.map((operation) => [operation, {}]),
  );
  for (const [{ operation, part }, name] of partNames) getRequired(byOperation, operation)[part] = name;
  return {
    schemas,
    operations: byOperation,
    headers: new Map([...headers].map(([{ headers: list }, name]) => [list, name])),
  };
}

/** Lists the parts of an operation that have a type, with the names that they get if these are unique. */
function listParts(
  operation: Operation,
  schemaNames: ReadonlyMap<Schema, string>,
): { operation: Operation; part: OperationPart; name: string }[] {
  const createPart = (part: OperationPart) => ({
    operation,
    part,
    name: operation.typeName + TYPE_NAME_SUFFIXES[part],
  });
  const bodies: [OperationPart, TypedBody[]][] = [
    ["requestBody", listRequestBodies(operation)],
    ["responseBody", listSuccessBodies(operation)],
  ];
  return [
    ...groupParameters(operation).map(({ location }) => createPart(location)),
    ...bodies.flatMap(([part, alternatives]) => {
      const created = createPart(part);
      const hasComponentOfThatName = alternatives.some(
        ({ referencedComponent }) =>
          referencedComponent && schemaNames.get(referencedComponent) === created.name,
      );
      return alternatives.length === 0 || hasComponentOfThatName ? [] : [created];
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
      if (!names.has(headers)) names.set(headers, `${typeName}${key === "default" ? "Default" : key}Headers`);
  return [...names].flatMap(([headers, name]) => (headers.length > 0 ? [{ headers, name }] : []));
}

/** Converts the name of a schema to a type name. A name that is a valid type name stays as it is. */
function toTypeName(name: string): string {
  return /^[A-Z][A-Za-z0-9_]*$/.test(name) ? name : toPascalCase(name) || "Schema";
}
