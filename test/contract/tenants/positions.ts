import type { ApiDocument } from "../../support/api-document.js";

/** A place in the requests of an operation that takes an identifier, or a cursor, which can be one. */
export interface Position {
  /** The operation's id, e.g. `createPage`. */
  readonly operation: string;
  readonly method: string;
  /** The path as the document has it. */
  readonly template: string;
  readonly place: "path" | "query" | "body";
  /** Names on the way to it; 0 stands for any element of a list, `*` for any member of an object. */
  readonly path: readonly (string | 0)[];
}

interface Step {
  readonly schema: unknown;
  readonly path: readonly (string | 0)[];
  /** References on the way: none is followed into itself. */
  readonly through: readonly string[];
}

/** Schemas of identifiers and cursors. */
const WANTED = ["IdInput", "StartCursor"];

/** Finds every position of the document. */
export function positionsOf(document: ApiDocument): Position[] {
  // The cast: what a document of OpenAPI is, which this one was linted to be.
  const { paths } = document.root as { paths: Record<string, Record<string, RawOperation>> };
  return document.operations().flatMap((operation) => {
    const { id, method, path: template } = operation;
    const raw = paths[template]?.[method.toLowerCase()];
    // The cast: beside its operations a path has the parameters that they share.
    const shared = (paths[template] as unknown as { parameters?: RawParameter[] })?.parameters ?? [];
    const parameters = [...shared, ...(raw?.parameters ?? [])].map((parameter) =>
      resolve(document, parameter),
    );
    const found: Position[] = [];
    const at = { operation: id, method, template };
    for (const { name, in: place, schema } of parameters) {
      if (place === "path") found.push({ ...at, place, path: [name] });
      else if (place === "query" && (name === "start_cursor" || search(document, schema).length > 0))
        found.push({ ...at, place, path: [name] });
    }
    const body = raw?.requestBody && resolve(document, raw.requestBody).content["application/json"]?.schema;
    for (const path of search(document, body)) found.push({ ...at, place: "body", path });
    return found;
  });
}

interface RawParameter {
  name: string;
  in: string;
  schema: unknown;
}

interface RawOperation {
  parameters?: RawParameter[];
  requestBody?: { content: Record<string, { schema: unknown }> };
}

/** Paths to the wanted schemas in a schema, each once. */
function search(document: ApiDocument, schema: unknown): (string | 0)[][] {
  const found = new Map<string, (string | 0)[]>();
  const open: Step[] = [{ schema, path: [], through: [] }];
  for (let step = open.pop(); step; step = open.pop()) {
    const { path, through } = step;
    const object = step.schema as Record<string, unknown> | undefined;
    if (typeof object !== "object" || object === null) continue;
    const reference = object.$ref;
    if (typeof reference === "string") {
      if (WANTED.some((name) => reference.endsWith(`/${name}`))) found.set(path.join("."), [...path]);
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
