import type { ApiDocument } from "../../support/api-document.js";

/** A position in the requests of an operation that accepts an identifier or a cursor, which can be an identifier. */
export interface Position {
  /** The operation's id, e.g. `createPage`. */
  readonly operation: string;
  readonly method: string;
  /** The path template of the document. */
  readonly template: string;
  readonly place: "path" | "query" | "body";
  /** Names that lead to the value; 0 stands for any element of a list, `*` for any member of an object. */
  readonly path: readonly (string | 0)[];
}

interface Step {
  readonly schema: unknown;
  readonly path: readonly (string | 0)[];
  /** References that lead to the schema. Recursive references are not followed. */
  readonly through: readonly string[];
}

/** Schemas of identifiers and cursors. */
const ID_SCHEMAS = ["IdInput", "StartCursor"];

/** Finds every position in the document. */
export function findPositions(document: ApiDocument): Position[] {
  // The cast: the linted document is a valid OpenAPI document.
  const { paths } = document.root as { paths: Record<string, RawPathItem> };
  return document.operations().flatMap((operation) => {
    const { id, method, path: template } = operation;
    const raw = paths[template]?.[method.toLowerCase()];
    const parameters = [...(paths[template]?.parameters ?? []), ...(raw?.parameters ?? [])].map((parameter) =>
      resolve(document, parameter),
    );
    const found: Position[] = [];
    const at = { operation: id, method, template };
    for (const { name, in: place, schema } of parameters) {
      if (place === "path") found.push({ ...at, place, path: [name] });
      else if (place === "query" && (name === "start_cursor" || findPaths(document, schema).length > 0))
        found.push({ ...at, place, path: [name] });
    }
    const body = raw?.requestBody && resolve(document, raw.requestBody).content["application/json"]?.schema;
    for (const path of findPaths(document, body)) found.push({ ...at, place: "body", path });
    return found;
  });
}

interface RawParameter {
  name: string;
  in: string;
  schema: unknown;
}

/** The operations of a path by method, and the parameters that they share. */
type RawPathItem = Pick<RawOperation, "parameters"> & Record<string, RawOperation>;

interface RawOperation {
  parameters?: RawParameter[];
  requestBody?: { content: Record<string, { schema: unknown }> };
}

/** Finds the paths to schemas of identifiers in a schema, each once. */
function findPaths(document: ApiDocument, schema: unknown): (string | 0)[][] {
  const found = new Map<string, (string | 0)[]>();
  const open: Step[] = [{ schema, path: [], through: [] }];
  for (let step = open.pop(); step; step = open.pop()) {
    const { path, through } = step;
    const object = step.schema as Record<string, unknown> | undefined;
    if (typeof object !== "object" || object === null) continue;
    const reference = object.$ref;
    if (typeof reference === "string") {
      if (ID_SCHEMAS.some((name) => reference.endsWith(`/${name}`))) found.set(path.join("."), [...path]);
      else if (!through.includes(reference)) {
        open.push({ schema: resolve(document, object), path, through: [...through, reference] });
      }
    }
    for (const union of ["allOf", "anyOf", "oneOf"]) {
      for (const branch of (object[union] as unknown[] | undefined) ?? [])
        open.push({ schema: branch, path, through });
    }
    for (const [name, member] of Object.entries(object.properties ?? {})) {
      open.push({ schema: member, path: [...path, name], through });
    }
    if (object.items) open.push({ schema: object.items, path: [...path, 0], through });
    if (object.additionalProperties) {
      open.push({ schema: object.additionalProperties, path: [...path, "*"], through });
    }
  }
  return [...found.values()];
}

/** Resolves a reference; returns other values unchanged. */
function resolve<T>(document: ApiDocument, value: T): T {
  const reference = (value as { $ref?: unknown }).$ref;
  if (typeof reference !== "string") return value;
  return reference
    .slice(2)
    .split("/")
    .map((name) => decodeURIComponent(name).replaceAll("~1", "/").replaceAll("~0", "~"))
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document.root) as T;
}
