import type { JsonObject, JsonValue } from "../model/model.js";
import { escapePointer, isObject } from "../model/node.js";
import {
  DATA,
  KNOWN_DIALECTS,
  OLD_DIALECT,
  OLD_KEYWORDS,
  type Holds,
  SUBSCHEMAS,
  VOCABULARIES,
} from "./keywords.js";
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
function enter(node: SchemaNode): SchemaNode {
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

/**
 * Every document that schemas come from, and where references in them lead. What is not looked for is not read: the
 * index of `$id`s and anchors is made when the first reference asks for it.
 */
export class Registry {
  private readonly documents = new Map<string, Source>();
  private readonly resources = new Map<string, SchemaNode>();
  private readonly anchors = new Map<string, SchemaNode>();
  private readonly dynamic = new Map<string, Map<string, SchemaNode>>();
  private readonly followed = new Map<string, SchemaNode>();
  private indexed = false;
  private dynamicReferences: boolean | undefined;

  constructor(sources: readonly Source[]) {
    for (const source of sources) this.documents.set(source.uri, source);
  }

  /** The schema at a pointer of a document. */
  at(uri: string, pointer: string): SchemaNode | undefined {
    const source = this.documents.get(uri);
    return source && this.walk(this.root(source), pointer);
  }

  /**
   * The schema that a reference in `node` leads to.
   * @throws SchemaProblem when there is none
   */
  follow(node: SchemaNode, reference: string): SchemaNode {
    const key = `${node.resource.source.uri} ${node.resource.uri} ${reference}`;
    const target = this.followed.get(key) ?? this.find(node, reference);
    this.followed.set(key, target);
    return target;
  }

  private find(node: SchemaNode, reference: string): SchemaNode {
    const { uri, fragment } = resolveUri(node.resource.uri, reference);
    const pointer = decode(fragment);
    const target =
      fragment === "" || pointer.startsWith("/") ? this.inside(uri, pointer) : this.anchor(uri, pointer);
    if (target && !isDocument(target)) return target;
    // OpenAPI's `#/components/...` means the document, whatever $id the schema around it has given itself.
    const { source } = node.resource;
    const inDocument =
      source.dialect !== "json-schema" && reference.startsWith("#/")
        ? this.walk(this.root(source), decode(reference.slice(1)))
        : undefined;
    if (inDocument && !isDocument(inDocument)) return inDocument;
    throw new SchemaProblem(node, `$ref leads nowhere: ${reference}`);
  }

  /** The `$dynamicAnchor`s of the resource that a node belongs to, by name. */
  dynamicAnchors(node: SchemaNode): ReadonlyMap<string, SchemaNode> {
    // Without an index there is no reference that asks for them.
    if (!this.usesDynamicReferences()) return NONE;
    return this.dynamic.get(node.resource.uri) ?? NONE;
  }

  /** Whether any document has a `$dynamicRef`; most have none, and their functions need not know who calls them. */
  private usesDynamicReferences(): boolean {
    this.dynamicReferences ??= [...this.documents.values()].some(
      ({ document, dialect }) => dialect !== "openapi-3.0" && holdsKey(document, "$dynamicRef"),
    );
    if (this.dynamicReferences) this.index();
    return this.dynamicReferences;
  }

  private inside(uri: string, pointer: string): SchemaNode | undefined {
    const source = this.documents.get(uri);
    if (!source) this.index();
    const base = source ? this.root(source) : this.resources.get(uri);
    return base && this.walk(base, pointer);
  }

  private anchor(uri: string, name: string): SchemaNode | undefined {
    this.index();
    return this.anchors.get(`${uri}#${name}`);
  }

  private root(source: Source): SchemaNode {
    const { document, uri, dialect } = source;
    const own = dialect === "json-schema" && isObject(document) ? document.$id : undefined;
    const base = typeof own === "string" ? resolveUri(uri, own).uri : uri;
    const keywords = dialect === "json-schema" ? this.vocabulary(document) : undefined;
    return {
      value: document,
      pointer: "",
      resource: { uri: base, source, root: document, pointer: "", keywords },
    };
  }

  /**
   * The keywords that count in a document whose metaschema leaves some out.
   * @throws SchemaProblem when its dialect is not known or needs a vocabulary that is not
   */
  private vocabulary(document: JsonValue): ReadonlySet<string> | undefined {
    const dialect = isObject(document) ? document.$schema : undefined;
    if (typeof dialect !== "string" || KNOWN_DIALECTS.has(dialect.replace(/#$/, ""))) return undefined;
    const refuse = (why: string): never => {
      const source: Source = { uri: "", document, dialect: "json-schema" };
      const resource = { uri: "", source, root: document, pointer: "", keywords: undefined };
      throw new SchemaProblem({ pointer: "", resource }, why);
    };
    const metaschema = this.documents.get(dialect.replace(/#$/, ""))?.document;
    if (!isObject(metaschema) || !isObject(metaschema.$vocabulary)) {
      return refuse(`the dialect ${JSON.stringify(dialect)} is not known; write it in draft 2020-12`);
    }
    const keywords = new Set<string>(VOCABULARIES.values().next().value);
    for (const [name, required] of Object.entries(metaschema.$vocabulary)) {
      const known = VOCABULARIES.get(name);
      if (!known && required === true) return refuse(`the vocabulary ${JSON.stringify(name)} is not known`);
      for (const keyword of known ?? []) keywords.add(keyword);
    }
    return keywords;
  }

  /** Follows a JSON pointer, noticing on the way where schemas with an `$id` begin. */
  private walk(from: SchemaNode, pointer: string): SchemaNode | undefined {
    let node = from;
    let place: Place =
      from.pointer !== "" || from.resource.source.dialect === "json-schema" ? "schema" : "document";
    for (const step of pointer.split("/").slice(1)) {
      const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
      const { value } = node;
      const member: JsonValue | undefined = Array.isArray(value)
        ? /^(?:0|[1-9]\d*)$/.test(key)
          ? value[Number(key)]
          : undefined
        : isObject(value) && Object.hasOwn(value, key)
          ? value[key]
          : undefined;
      if (member === undefined) return undefined;
      node = { value: member, pointer: `${node.pointer}/${escapePointer(key)}`, resource: node.resource };
      place = nextPlace(place, key);
      if (place === "schema") node = enter(node);
    }
    return place === "schema" ? node : enter(node);
  }

  private index(): void {
    if (this.indexed) return;
    this.indexed = true;
    for (const source of this.documents.values()) {
      if (source.dialect === "openapi-3.0") continue;
      // A document that cannot be read is a problem of whoever refers to it.
      let root: SchemaNode;
      try {
        root = this.root(source);
      } catch {
        continue;
      }
      if (source.dialect === "json-schema") this.indexSchema(root);
      else for (const schema of this.schemasOf(root)) this.indexSchema(schema);
    }
  }

  /** The outermost schemas of an OpenAPI document. */
  private schemasOf(root: SchemaNode): SchemaNode[] {
    const found: SchemaNode[] = [];
    const visit = (value: JsonValue, pointer: string, named: boolean): void => {
      if (Array.isArray(value)) value.forEach((item, index) => visit(item, `${pointer}/${index}`, false));
      if (!isObject(value)) return;
      for (const [key, member] of Object.entries(value)) {
        const at = `${pointer}/${escapePointer(key)}`;
        if (pointer === "/components/schemas" || (key === "schema" && !named)) {
          found.push(enter({ value: member, pointer: at, resource: root.resource }));
        } else if (named || !DATA.has(key)) visit(member, at, NAMED.has(key) && !named);
      }
    };
    visit(root.value, "", false);
    return found;
  }

  private indexSchema(node: SchemaNode): void {
    const { value, resource } = node;
    if (!isObject(value)) return;
    if (node.pointer === resource.pointer) this.resources.set(resource.uri, node);
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const anchor = value[keyword];
      if (typeof anchor === "string") this.anchors.set(`${resource.uri}#${anchor}`, node);
    }
    if (typeof value.$dynamicAnchor === "string") {
      const anchors = this.dynamic.get(resource.uri) ?? new Map<string, SchemaNode>();
      anchors.set(value.$dynamicAnchor, node);
      this.dynamic.set(resource.uri, anchors);
    }
    for (const [keyword, member] of Object.entries(value)) {
      for (const { keys } of membersOf(keyword, member)) this.indexSchema(below(node, ...keys));
    }
  }
}

/** Whether it is a whole OpenAPI document, or all its schemas, and no schema. */
function isDocument({ pointer, resource }: SchemaNode): boolean {
  return resource.source.dialect !== "json-schema" && (pointer === "" || pointer === "/components/schemas");
}

const NONE: ReadonlyMap<string, SchemaNode> = new Map();

/** Members of an OpenAPI document whose own members go by names that it chose. */
const NAMED = new Set(
  "paths schemas parameters requestBodies responses headers pathItems callbacks webhooks content encoding examples links securitySchemes".split(
    " ",
  ),
);

/** What a pointer has led to: a schema, an object or list of schemas, another part of an OpenAPI document, or data. */
type Place = "schema" | "schemas" | "document" | "data";

function nextPlace(place: Place, key: string): Place {
  if (place === "schemas") return "schema";
  if (place === "schema") {
    const holds = SUBSCHEMAS.get(key);
    if (holds === undefined) return "data";
    return holds === "one" ? "schema" : "schemas";
  }
  if (place === "data") return "data";
  if (key === "schema") return "schema";
  return key === "schemas" ? "schemas" : "document";
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}

function holdsKey(value: JsonValue, key: string): boolean {
  if (Array.isArray(value)) return value.some((item) => holdsKey(item, key));
  if (!isObject(value)) return false;
  return Object.hasOwn(value, key) || Object.values(value).some((member) => holdsKey(member, key));
}
