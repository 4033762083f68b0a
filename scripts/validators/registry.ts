import type { JsonValue } from "../model/model.js";
import { escapePointer, isObject } from "../model/node.js";
import { DATA, KNOWN_DIALECTS, SUBSCHEMAS, VOCABULARIES } from "./keywords.js";
import { below, enter, membersOf, type SchemaNode, SchemaProblem, type Source } from "./schema.js";
import { resolveUri } from "./uri.js";

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
