import type { JsonObject, JsonValue } from "../model/model.js";
import { escapePointer, isObject } from "../model/node.js";
import { KNOWN_DIALECTS, OLD_DIALECT, OLD_KEYWORDS, type Holds, SUBSCHEMAS } from "./keywords.js";
import { resolveUri } from "./uri.js";

/**
 * How a document's schemas are read. OpenAPI 3.0 knows no `$id` and no anchors, and its `$ref` stands alone. OpenAPI
 * of both versions is read with `nullable` and with exclusive bounds that are flags: many documents of 3.1 still have
 * them, and they mean the same there.
 */
export type Dialect = "json-schema" | "openapi-3.0" | "openapi-3.1";

/** A JSON document that holds schemas, under the URI that references name it by. */
export interface Source {
  uri: string;
  document: JsonValue;
  dialect: Dialect;
  /** Whether what is described as binary may be anything: in a form it arrives as bytes or as a file. */
  hasFiles?: boolean;
}

/** A schema that is a base for the references below it: a whole document, or a schema with an `$id`. */
export interface Resource {
  uri: string;
  source: Source;
  root: JsonValue;
  pointer: string;
  /** The keywords that count, where a metaschema leaves some out; undefined for all of them. */
  keywords: ReadonlySet<string> | undefined;
}

/** A schema and its place. */
export interface SchemaNode {
  value: JsonValue;
  /** JSON pointer in its document. */
  pointer: string;
  resource: Resource;
}

/** A schema that cannot be compiled, and why. */
export class SchemaProblem extends Error {
  override readonly name = "SchemaProblem";

  constructor(
    readonly node: { pointer: string; resource: Resource },
    message: string,
  ) {
    super(message);
  }
}

/** What a schema says once the differences of its dialect are gone. */
export interface Keywords {
  readonly values: JsonObject;
  /** Whether null is allowed besides. */
  readonly orNull: boolean;
}

const EMPTY: Keywords = { values: {}, orNull: false };

/** Name of a node that no other node has: the URI of its document and its pointer. */
export function nodeKey(node: SchemaNode): string {
  return `${node.resource.source.uri}#${node.pointer}`;
}

/** The member of a schema, or of a list or object of schemas, that `keys` lead to. */
export function below(node: SchemaNode, ...keys: (string | number)[]): SchemaNode {
  let { value } = node;
  let pointer = node.pointer;
  for (const key of keys) {
    // The casts: the caller has seen that there is such a member.
    value = Array.isArray(value)
      ? (value[Number(key)] as JsonValue)
      : ((value as JsonObject)[key] as JsonValue);
    pointer += `/${escapePointer(String(key))}`;
  }
  return enter({ value, pointer, resource: node.resource });
}

/** A schema with an `$id` is a resource of its own. */
export function enter(node: SchemaNode): SchemaNode {
  const { value, pointer, resource } = node;
  if (resource.source.dialect === "openapi-3.0" || !isObject(value)) return node;
  if (typeof value.$id !== "string" || pointer === resource.pointer) return node;
  const { uri } = resolveUri(resource.uri, value.$id);
  return { value, pointer, resource: { ...resource, uri, root: value, pointer } };
}

/**
 * The keywords of an object schema in draft 2020-12.
 *
 * @throws SchemaProblem when it is written in a dialect that is not known
 */
export function keywordsOf(node: SchemaNode): Keywords {
  if (!isObject(node.value)) return EMPTY;
  const { source, keywords } = node.resource;
  let values = node.value;
  if (keywords) {
    values = Object.fromEntries(Object.entries(values).filter(([key]) => keywords.has(key)));
  }
  if (source.hasFiles === true && isBinary(values)) return EMPTY;
  if (source.dialect === "json-schema") return { values, orNull: false };
  if (source.dialect === "openapi-3.0" && typeof values.$ref === "string") {
    return { values: { $ref: values.$ref }, orNull: values.nullable === true };
  }
  if (source.dialect === "openapi-3.1") checkDialect(node, values);
  const flags = [values.exclusiveMinimum, values.exclusiveMaximum].some((flag) => typeof flag === "boolean");
  if (flags) {
    values = { ...values };
    convertBound(values, "exclusiveMinimum", "minimum");
    convertBound(values, "exclusiveMaximum", "maximum");
  }
  return { values, orNull: values.nullable === true };
}

/** OpenAPI 3.0 says `format: binary`; 3.1 a content type without an encoding that would make it text. */
function isBinary(schema: JsonObject): boolean {
  return (
    schema.format === "binary" ||
    (typeof schema.contentMediaType === "string" && schema.contentEncoding === undefined)
  );
}

/** `exclusiveMinimum: true` makes a limit of `minimum`; false says nothing. */
function convertBound(
  schema: JsonObject,
  flag: "exclusiveMinimum" | "exclusiveMaximum",
  bound: "minimum" | "maximum",
): void {
  const exclusive = schema[flag];
  if (typeof exclusive !== "boolean") return;
  delete schema[flag];
  const limit = schema[bound];
  if (!exclusive || limit === undefined) return;
  schema[flag] = limit;
  delete schema[bound];
}

/** An earlier dialect is fine as long as nothing is used that it understands otherwise. */
function checkDialect(node: SchemaNode, schema: JsonObject): void {
  if (typeof schema.$schema !== "string") return;
  const dialect = schema.$schema.replace(/#$/, "");
  if (KNOWN_DIALECTS.has(dialect)) return;
  if (!OLD_DIALECT.test(dialect)) {
    throw new SchemaProblem(
      node,
      `the dialect ${JSON.stringify(dialect)} is not known; write it in draft 2020-12`,
    );
  }
  const used = oldKeyword(schema);
  if (used !== undefined) {
    throw new SchemaProblem(
      node,
      `${used} means something else in ${dialect} than in draft 2020-12, which is what OpenAPI 3.1 uses`,
    );
  }
}

function oldKeyword(schema: JsonObject): string | undefined {
  if (
    schema.$ref !== undefined &&
    Object.keys(schema).some((key) => SUBSCHEMAS.has(key) && !/^(?:\$defs|definitions)$/.test(key))
  ) {
    return "a keyword beside $ref";
  }
  for (const [key, value] of Object.entries(schema)) {
    if (OLD_KEYWORDS.has(key) || (key === "items" && Array.isArray(value))) return key;
    for (const member of membersOf(key, value)) {
      const found = isObject(member.value) ? oldKeyword(member.value) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}

/** The schemas that a keyword holds, with the keys that lead there. */
export function membersOf(
  keyword: string,
  value: JsonValue | undefined,
): { keys: (string | number)[]; value: JsonValue }[] {
  const holds: Holds | undefined = SUBSCHEMAS.get(keyword);
  if (holds === "one" && value !== undefined) return [{ keys: [keyword], value }];
  if (holds === "list" && Array.isArray(value)) {
    return value.map((item, index) => ({ keys: [keyword, index], value: item }));
  }
  if (holds !== "named" || !isObject(value)) return [];
  return Object.entries(value).map(([name, member]) => ({ keys: [keyword, name], value: member }));
}
