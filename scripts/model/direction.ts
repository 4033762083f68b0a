import { Affected, type Direction } from "./affected.js";
import { type Children, childrenByParent, componentName, discriminatorMapping } from "./discriminators.js";
import { type JsonObject, type JsonValue, METHODS } from "./model.js";
import { type Node, escapePointer, isObject } from "./node.js";
import { IN_PLACE, mapItems, mapMembers, mapSubschemas } from "./subschemas.js";

/** Who speaks first: the client, or, in a webhook or a callback, the owner of the data. */
type Flow = "call" | "event";

/** What the schemas around a schema say about the same value. */
interface Around {
  direction: Direction;
  /** Names of properties that they take away: no `required` may ask for them. */
  lost: ReadonlySet<string>;
  /** Names of properties that tell the branches of a union apart: they stay. */
  kept: ReadonlySet<string>;
}

/** A schema as a component of its own for what is around it. */
interface Form {
  name: string;
  target: Node;
  around: Around;
}

/** What may stand beside a `$ref` of OpenAPI 3.0, where everything else is to be ignored: it is meant all the same. */
const BESIDE_REF_30: ReadonlySet<string> = new Set([
  "$ref",
  "nullable",
  "readOnly",
  "writeOnly",
  "deprecated",
  "title",
  "description",
]);
const NONE: ReadonlySet<string> = new Set();
const RESPONSE: Around = { direction: "response", lost: NONE, kept: NONE };

/**
 * The document as the two sides of a message see it, from which types and validators are made.
 *
 * A component schema that `readOnly` or `writeOnly` makes a difference for, itself or through what it references, has
 * two forms: the one for responses keeps its name and is without the writeOnly properties, the one for requests is
 * called `<Name>Request` and is without the readOnly ones. Any other schema is changed where it stands, as a part of
 * what it stands in. In webhooks and callbacks the owner of the data asks: there requests carry the form for responses
 * and the other way round.
 *
 * What is taken away is required no more. A property that a discriminator names stays, as an option: without it nobody
 * could tell the branches of the union apart. A property that is both readOnly and writeOnly stays. Each discriminator
 * names all its values in `mapping`. Beside a `$ref` of OpenAPI 3.0 what is to be ignored is gone.
 *
 * A request that carries a readOnly property all the same: the type does not have it; the validator refuses it where
 * the schema is closed (`additionalProperties: false`) and lets it pass as any other unknown property where it is open.
 *
 * Pointers into the document lead to the same places in the result.
 *
 * @param document is not changed: what differs is copied
 */
export function directDocument(document: JsonObject): JsonObject {
  return new Directions(document).document();
}

class Directions {
  private readonly children: Children;
  private readonly affected: Affected;
  private readonly isOld: boolean;
  /** The forms that have been asked for, by pointer of the schema and what is around it. */
  private readonly forms = new Map<string, Form>();
  private readonly names: Set<string>;
  /** Parts that are being copied to the place of a reference, by pointer: one that contains itself is not copied again. */
  private readonly copying = new Set<string>();

  constructor(private readonly source: JsonObject) {
    this.children = childrenByParent(source);
    this.affected = new Affected(source, this.children);
    this.isOld = typeof source.openapi === "string" && source.openapi.startsWith("3.0");
    const { components } = source;
    const schemas = isObject(components) && isObject(components.schemas) ? components.schemas : {};
    this.names = new Set(Object.keys(schemas));
  }

  document(): JsonObject {
    const result = { ...this.source };
    const { paths, webhooks, components } = result;
    if (isObject(paths)) {
      result.paths = mapMembers(paths, (item, path) =>
        path.startsWith("/") ? this.pathItem(item, "call") : item,
      );
    }
    if (isObject(webhooks)) result.webhooks = mapMembers(webhooks, (item) => this.pathItem(item, "event"));
    if (isObject(components)) result.components = this.components(components);
    return result;
  }

  private components(components: JsonObject): JsonObject {
    const each =
      (change: (member: JsonValue) => JsonValue) =>
      (members: JsonValue): JsonValue =>
        isObject(members) ? mapMembers(members, change) : members;
    const result = changeMembers(components, {
      responses: each((member) => this.content(member, "response")),
      headers: each((member) => this.content(member, "response")),
      parameters: each((member) => this.content(member, "request")),
      requestBodies: each((member) => this.content(member, "request")),
      pathItems: each((member) => this.pathItem(member, "call")),
      callbacks: each((member) => this.callback(member, "event")),
    });
    const schemas = isObject(components.schemas) ? Object.entries(components.schemas) : [];
    const own = schemas.map(([name, schema]): [string, JsonValue] => [
      name,
      this.form({ value: schema, pointer: `/components/schemas/${escapePointer(name)}` }, RESPONSE),
    ]);
    const made: [string, JsonValue][] = [];
    // To make one form can ask for others: they come at the end of the map while it is gone through.
    for (const { name, target, around } of this.forms.values()) made.push([name, this.form(target, around)]);
    return own.length + made.length === 0
      ? result
      : { ...result, schemas: Object.fromEntries([...own, ...made]) };
  }

  private form(target: Node, around: Around): JsonValue {
    if (around.lost.size === 0 && this.affected.isPlain(target)) return target.value;
    const kept = new Set([...around.kept, ...this.affected.namesTelling(target)]);
    return this.schema(target.value, { ...around, kept }, target.pointer);
  }

  private pathItem(item: JsonValue, flow: Flow): JsonValue {
    if (!isObject(item)) return item;
    if (typeof item.$ref === "string") {
      return this.elsewhere<Flow>(item, "call", flow, (target, way) => this.pathItem(target, way));
    }
    const operation = (value: JsonValue): JsonValue => this.operation(value, flow);
    const members = Object.fromEntries([...METHODS, "query"].map((method) => [method, operation]));
    return changeMembers(item, {
      ...members,
      additionalOperations: (operations) =>
        isObject(operations) ? mapMembers(operations, operation) : operations,
      parameters: (list) => this.parameters(list, flow),
    });
  }

  private operation(operation: JsonValue, flow: Flow): JsonValue {
    if (!isObject(operation)) return operation;
    const asked: Direction = flow === "call" ? "request" : "response";
    const answered: Direction = flow === "call" ? "response" : "request";
    return changeMembers(operation, {
      parameters: (list) => this.parameters(list, flow),
      requestBody: (body) => this.message(body, "request", asked),
      responses: (responses) =>
        isObject(responses)
          ? mapMembers(responses, (response) => this.message(response, "response", answered))
          : responses,
      callbacks: (callbacks) =>
        isObject(callbacks)
          ? mapMembers(callbacks, (member) => this.callback(member, flow === "call" ? "event" : "call"))
          : callbacks,
    });
  }

  private callback(callback: JsonValue, flow: Flow): JsonValue {
    if (!isObject(callback)) return callback;
    if (typeof callback.$ref === "string") {
      return this.elsewhere<Flow>(callback, "event", flow, (target, way) => this.callback(target, way));
    }
    return mapMembers(callback, (item, key) => (key.startsWith("x-") ? item : this.pathItem(item, flow)));
  }

  private parameters(list: JsonValue, flow: Flow): JsonValue {
    const direction = flow === "call" ? "request" : "response";
    return Array.isArray(list) ? mapItems(list, (item) => this.message(item, "request", direction)) : list;
  }

  private message(message: JsonValue, usual: Direction, direction: Direction): JsonValue {
    if (!isObject(message)) return message;
    if (typeof message.$ref !== "string") return this.content(message, direction);
    return this.elsewhere(message, usual, direction, (target, way) => this.content(target, way));
  }

  /**
   * A reference to a part of the document other than a schema. What it names goes the usual way; where it must go the
   * other way and that makes a difference, a copy stands in its place.
   */
  private elsewhere<Way>(
    reference: JsonObject,
    usual: Way,
    way: Way,
    change: (target: JsonValue, way: Way) => JsonValue,
  ): JsonValue {
    const target = typeof reference.$ref === "string" ? this.affected.resolve(reference.$ref) : undefined;
    if (way === usual || !target || this.copying.has(target.pointer)) return reference;
    this.copying.add(target.pointer);
    const changed = change(target.value, way);
    const same = JSON.stringify(changed) === JSON.stringify(change(target.value, usual));
    this.copying.delete(target.pointer);
    return same ? reference : changed;
  }

  /** A parameter, a header, a request body, a response or a media type: whatever holds schemas and headers. */
  private content(value: JsonValue, direction: Direction): JsonValue {
    if (!isObject(value)) return value;
    const schema = (member: JsonValue): JsonValue =>
      this.schema(member, { direction, lost: NONE, kept: NONE });
    const each = (members: JsonValue): JsonValue =>
      isObject(members) ? mapMembers(members, (member) => this.content(member, direction)) : members;
    return changeMembers(value, {
      schema,
      itemSchema: schema,
      content: each,
      headers: each,
      encoding: each,
    });
  }

  private schema(value: JsonValue, around: Around, pointer?: string): JsonValue {
    if (!isObject(value)) return value;
    const { direction } = around;
    let schema = this.isOld ? withoutSiblings(value) : value;
    this.affected.readDiscriminator(schema, pointer);
    const kept = this.keptNames(schema, around.kept);
    const own = this.affected.namesLeftOut(schema, direction);
    const lost = own.size === 0 ? around.lost : new Set([...around.lost, ...own]);
    schema = mapSubschemas(schema, (subschema, keyword, name) => {
      // What must not be, or only decides, stays as it is: with less in it, it would say more.
      if (keyword === "not" || keyword === "if") return subschema;
      if (IN_PLACE.has(keyword)) return this.schema(subschema, { direction, lost, kept });
      const inside = this.schema(subschema, { direction, lost: NONE, kept: NONE });
      if (name === undefined || keyword !== "properties" || kept.has(name)) return inside;
      return this.affected.isLeftOut(subschema, direction) ? REMOVED : inside;
    });
    schema = withoutNames(schema, lost);
    if (schema.discriminator !== undefined) schema = this.withMapping(schema, value, pointer, direction);
    return typeof schema.$ref === "string" ? this.reference(schema, lost, around, kept) : schema;
  }

  /** The names that discriminators know a value by which this schema judges. */
  private keptNames(schema: JsonObject, outside: ReadonlySet<string>): ReadonlySet<string> {
    const own = this.affected.namesToldBy(schema);
    return own.size === 0 ? outside : new Set([...outside, ...own]);
  }

  private reference(
    schema: JsonObject,
    lost: ReadonlySet<string>,
    around: Around,
    kept: ReadonlySet<string>,
  ): JsonValue {
    const { $ref } = schema;
    const target = typeof $ref === "string" ? this.affected.resolve($ref) : undefined;
    if (!target) return schema;
    const { direction } = around;
    const pointer = this.affected.requires(target, lost, direction)
      ? this.newForm(target, { direction, lost, kept })
      : this.formOf(target, direction);
    return pointer === target.pointer ? schema : { ...schema, $ref: referenceTo(pointer) };
  }

  /** Pointer of the form of a schema for a direction: the schema itself where it makes no difference. */
  private formOf(target: Node, direction: Direction): string {
    if (!this.affected.has(target) || usualDirection(target.pointer) === direction) return target.pointer;
    return this.newForm(target, { direction, lost: NONE, kept: NONE });
  }

  /** Pointer of a form that is a component of its own. */
  private newForm(target: Node, around: Around): string {
    const { direction, lost, kept } = around;
    const key = JSON.stringify([target.pointer, direction, [...lost].sort(), [...kept].sort()]);
    let form = this.forms.get(key);
    if (!form) {
      form = { name: this.newName(target.pointer, direction), target, around };
      this.forms.set(key, form);
    }
    return `/components/schemas/${escapePointer(form.name)}`;
  }

  private newName(pointer: string, direction: Direction): string {
    const base = `${componentName(pointer) ?? nameOfPlace(pointer)}${direction === "request" ? "Request" : "Response"}`;
    let name = base;
    for (let serial = 2; this.names.has(name); serial += 1) name = `${base}${serial}`;
    this.names.add(name);
    return name;
  }

  private withMapping(
    schema: JsonObject,
    original: JsonObject,
    pointer: string | undefined,
    direction: Direction,
  ): JsonObject {
    const { discriminator } = schema;
    if (!isObject(discriminator)) return schema;
    const mapping = [...discriminatorMapping(this.source, original, pointer, this.children)].map(
      ([value, target]): [string, string] => {
        const node = this.affected.resolve(referenceTo(target));
        return [value, referenceTo(node ? this.formOf(node, direction) : target)];
      },
    );
    if (mapping.length === 0) return schema;
    return { ...schema, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } };
  }
}

/** Stands for a property that is to go; no value of a document is the same object. */
const REMOVED: JsonObject = {};

/** The schema without the properties that are to go, and without a `required` of what is lost. */
function withoutNames(schema: JsonObject, lost: ReadonlySet<string>): JsonObject {
  if (lost.size === 0) return schema;
  const keep = (names: JsonValue): JsonValue =>
    Array.isArray(names) && names.some((name) => typeof name === "string" && lost.has(name))
      ? names.filter((name) => typeof name !== "string" || !lost.has(name))
      : names;
  return changeMembers(schema, {
    required: keep,
    dependentRequired: (members) => (isObject(members) ? mapMembers(members, keep) : members),
    properties: (members) =>
      isObject(members) && Object.values(members).includes(REMOVED)
        ? Object.fromEntries(Object.entries(members).filter(([, member]) => member !== REMOVED))
        : members,
  });
}

function withoutSiblings(schema: JsonObject): JsonObject {
  if (typeof schema.$ref !== "string") return schema;
  const members = Object.entries(schema);
  const meant = members.filter(([key]) => BESIDE_REF_30.has(key));
  return meant.length === members.length ? schema : Object.fromEntries(meant);
}

/** The direction of the messages that a place of the document describes; undefined where that depends. */
function usualDirection(pointer: string): Direction | undefined {
  if (pointer.startsWith("/webhooks/") || pointer.includes("/callbacks/")) return undefined;
  if (/^\/components\/(?:schemas|responses|headers)\//.test(pointer)) return "response";
  if (/^\/components\/(?:requestBodies|parameters)\//.test(pointer)) return "request";
  const place =
    /^\/(?:paths|components\/pathItems)\/[^/]+\/(?:[a-z]+\/)?(parameters|requestBody|responses)\//.exec(
      pointer,
    )?.[1];
  if (place === undefined) return undefined;
  return place === "responses" ? "response" : "request";
}

/** A component name for a schema that stands somewhere else, made of the words of its place. */
export function nameOfPlace(pointer: string): string {
  const parts = pointer.replace(/^\/components\/[^/]+\//, "/").split(/[^A-Za-z0-9]+/);
  return parts.filter((part) => part !== "" && part !== "properties" && part !== "paths").join("_");
}

/** The `$ref` that names the place of a pointer. */
function referenceTo(pointer: string): string {
  return `#${pointer.replaceAll("%", "%25")}`;
}

/** Changes members that an object has; gives the same object when none of them changed. */
function changeMembers(
  object: JsonObject,
  changes: Record<string, (member: JsonValue) => JsonValue>,
): JsonObject {
  return mapMembers(object, (member, name) => {
    const change = Object.hasOwn(changes, name) ? changes[name] : undefined;
    return change ? change(member) : member;
  });
}
