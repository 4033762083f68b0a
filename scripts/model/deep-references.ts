import { compareText } from "../diagnostic.js";
import { type JsonObject, type JsonValue, METHODS } from "./model.js";
import { pascalCase } from "./names.js";
import { at, escapePointer, isObject, resolve } from "./node.js";
import { mapItems, mapMembers, mapSubschemas } from "./subschemas.js";

/** What a part of a document is: a component of this kind, or something that has components in it. */
type Kind =
  | "schemas"
  | "parameters"
  | "headers"
  | "responses"
  | "requestBodies"
  | "examples"
  | "links"
  | "callbacks"
  | "pathItem"
  | "operation"
  | "mediaType"
  | "encoding"
  | "components"
  | "root";
type Shape = [is: "one" | "list" | "map", kind: Kind];

const MEDIA_TYPES: Shape = ["map", "mediaType"];
const PARAMETER: Record<string, Shape> = {
  schema: ["one", "schemas"],
  content: MEDIA_TYPES,
  examples: ["map", "examples"],
};
const PATH_ITEMS: Shape = ["map", "pathItem"];

/** What the members of each kind are; those that can have no reference in them are left out. */
const MEMBERS: Partial<Record<Kind, Record<string, Shape>>> = {
  root: { paths: PATH_ITEMS, webhooks: PATH_ITEMS, components: ["one", "components"] },
  components: {
    schemas: ["map", "schemas"],
    parameters: ["map", "parameters"],
    headers: ["map", "headers"],
    responses: ["map", "responses"],
    requestBodies: ["map", "requestBodies"],
    examples: ["map", "examples"],
    links: ["map", "links"],
    callbacks: ["map", "callbacks"],
    pathItems: PATH_ITEMS,
    mediaTypes: MEDIA_TYPES,
  },
  pathItem: {
    parameters: ["list", "parameters"],
    additionalOperations: ["map", "operation"],
    ...Object.fromEntries(
      [...METHODS, "query"].map((method): [string, Shape] => [method, ["one", "operation"]]),
    ),
  },
  operation: {
    parameters: ["list", "parameters"],
    requestBody: ["one", "requestBodies"],
    responses: ["map", "responses"],
    callbacks: ["map", "callbacks"],
  },
  parameters: PARAMETER,
  headers: PARAMETER,
  requestBodies: { content: MEDIA_TYPES },
  responses: { content: MEDIA_TYPES, headers: ["map", "headers"], links: ["map", "links"] },
  mediaType: {
    schema: ["one", "schemas"],
    itemSchema: ["one", "schemas"],
    examples: ["map", "examples"],
    encoding: ["map", "encoding"],
  },
  encoding: { headers: ["map", "headers"] },
};

/** Kinds that a reference can name as a component. */
const NAMED: ReadonlySet<Kind> = new Set<Kind>([
  "schemas",
  "parameters",
  "headers",
  "responses",
  "requestBodies",
  "examples",
  "links",
  "callbacks",
]);
/** Parts of a pointer that say nothing about what it leads to. */
const SILENT = new Set(
  "components schemas paths properties definitions $defs content schema responses parameters items allOf".split(
    " ",
  ),
);

export interface Named {
  document: JsonObject;
  /** Where each component that was made stood, both as JSON pointers. */
  origins: Map<string, string>;
}

/**
 * Gives what a `$ref` names deep inside something else, e.g. `#/components/schemas/Pet/properties/owner`, a name of
 * its own among the components, because types can be referenced by their name alone.
 *
 * @param document is not changed: what differs is copied
 */
export function nameDeepReferences(document: JsonObject): Named {
  const targets = new Map<string, Kind>();
  const open: [kind: Kind, value: JsonValue][] = [["root", document]];
  for (let next = open.pop(); next; next = open.pop()) {
    // What is found first lies outside of what is named by it: the walk reaches all but unknown members.
    new Walk((ref, kind) => {
      const pointer = deepPointer(document, ref);
      if (pointer === undefined || targets.has(pointer)) return ref;
      targets.set(pointer, kind);
      open.push([kind, at(document, pointer)?.value ?? null]);
      return ref;
    }).visit(...next, undefined);
  }
  if (targets.size === 0) return { document, origins: new Map() };

  const names = nameTargets(document, targets);
  const refTo = (pointer: string, kind: Kind): string =>
    `#/components/${kind}/${escapePointer(names.get(pointer) ?? "")}`;
  const rewrite = (ref: string, kind: Kind): string => {
    const pointer = deepPointer(document, ref);
    return pointer === undefined ? ref : refTo(pointer, targets.get(pointer) ?? kind);
  };
  const walk = new Walk(rewrite, (pointer, kind) =>
    targets.get(pointer) === kind ? { $ref: refTo(pointer, kind) } : undefined,
  );
  const result = walk.visit("root", document, "");
  if (!isObject(result)) throw new Error("a document is an object");
  const components: JsonObject = isObject(result.components) ? { ...result.components } : {};
  const origins = new Map<string, string>();
  const made = new Map<Kind, [name: string, value: JsonValue][]>();
  for (const [pointer, name] of names) {
    const kind = targets.get(pointer) ?? "schemas";
    const value = walk.visitMembers(kind, at(document, pointer)?.value ?? null, pointer);
    made.set(kind, [...(made.get(kind) ?? []), [name, value]]);
    origins.set(`/components/${kind}/${escapePointer(name)}`, pointer);
  }
  for (const [kind, members] of made) {
    const known = components[kind];
    const all = [...(isObject(known) ? Object.entries(known) : []), ...members];
    components[kind] = Object.fromEntries(all.sort(([a], [b]) => compareText(a, b)));
  }
  return { document: { ...result, components }, origins };
}

/** The place that a reference names, where that is no component by itself. */
function deepPointer(document: JsonObject, ref: string): string | undefined {
  if (!ref.startsWith("#/") || /^#\/components\/[^/]+\/[^/]+$/.test(ref)) return undefined;
  const pointer = resolve(document, ref)?.pointer;
  return pointer === undefined || /^\/components\/[^/]+\/[^/]+$/.test(pointer) ? undefined : pointer;
}

/** Names for what is referenced, made from the way to it: `Pet/properties/owner` gives `PetOwner`. Sorted by the way. */
function nameTargets(document: JsonObject, targets: Map<string, Kind>): Map<string, string> {
  const names = new Map<string, string>();
  const components = isObject(document.components) ? document.components : {};
  const used = new Map<Kind, Set<string>>();
  for (const [pointer, kind] of [...targets].sort(([a], [b]) => compareText(a, b))) {
    const known = components[kind];
    const taken = used.get(kind) ?? new Set(isObject(known) ? Object.keys(known) : []);
    used.set(kind, taken);
    const parts = pointer.split("/").filter((part) => part !== "" && !SILENT.has(part));
    const base = pascalCase(parts.map((part) => part.replace(/~[01]/g, " ")).join(" ")) || "Referenced";
    let name = base;
    for (let serial = 2; taken.has(name); serial += 1) name = `${base}${serial}`;
    taken.add(name);
    names.set(pointer, name);
  }
  return names;
}

/** Goes through what can have references in it; what stays the same keeps its identity. */
class Walk {
  /**
   * @param reference gives what a reference becomes, by the kind of what it names
   * @param replace gives what stands in the place of the part at a pointer, where that is something else
   */
  constructor(
    private readonly reference: (ref: string, kind: Kind) => string,
    private readonly replace: (pointer: string, kind: Kind) => JsonObject | undefined = () => undefined,
  ) {}

  /** @param pointer of the part; undefined where nothing is to be replaced */
  visit(kind: Kind, value: JsonValue, pointer: string | undefined): JsonValue {
    const other = pointer === undefined ? undefined : this.replace(pointer, kind);
    return other ?? this.visitMembers(kind, value, pointer);
  }

  /** The same, but for the part itself, which stays. */
  visitMembers(kind: Kind, value: JsonValue, pointer: string | undefined): JsonValue {
    if (!isObject(value)) return value;
    let result = value;
    if (typeof value.$ref === "string" && NAMED.has(kind)) {
      const $ref = this.reference(value.$ref, kind);
      if ($ref !== value.$ref) result = { ...value, $ref };
    }
    const below = (...keys: string[]): string | undefined =>
      pointer === undefined ? undefined : [pointer, ...keys.map(escapePointer)].join("/");
    if (kind === "schemas") return this.schema(result, below);
    if (kind === "callbacks") {
      return mapMembers(result, (item, key) => this.visit("pathItem", item, below(key)));
    }
    for (const [key, [is, memberKind]] of Object.entries(MEMBERS[kind] ?? {})) {
      const member = result[key];
      if (member === undefined) continue;
      let changed = member;
      if (is === "one") changed = this.visit(memberKind, member, below(key));
      else if (is === "list" && Array.isArray(member)) {
        let index = 0;
        changed = mapItems(member, (item) => this.visit(memberKind, item, below(key, String(index++))));
      } else if (is === "map" && isObject(member)) {
        changed = mapMembers(member, (item, name) => this.visit(memberKind, item, below(key, name)));
      }
      if (changed === member) continue;
      if (result === value) result = { ...value };
      result[key] = changed;
    }
    return result;
  }

  private schema(schema: JsonObject, below: (...keys: string[]) => string | undefined): JsonValue {
    const indices = new Map<string, number>();
    const result = mapSubschemas(schema, (subschema, keyword, name) => {
      const list = Array.isArray(schema[keyword]);
      const index = indices.get(keyword) ?? 0;
      if (list) indices.set(keyword, index + 1);
      const key = name ?? (list ? String(index) : undefined);
      return this.visit("schemas", subschema, key === undefined ? below(keyword) : below(keyword, key));
    });
    const { discriminator } = result;
    if (!isObject(discriminator) || !isObject(discriminator.mapping)) return result;
    const mapping = mapMembers(discriminator.mapping, (target) =>
      typeof target === "string" ? this.reference(target, "schemas") : target,
    );
    if (mapping === discriminator.mapping) return result;
    return { ...result, discriminator: { ...discriminator, mapping } };
  }
}
