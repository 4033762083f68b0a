import type { JsonObject } from "./model.js";
import { type Node, child, entries, isObject, items, resolve, text } from "./node.js";

/** A schema that extends others: by the pointer of each that it names in `allOf`. */
export type Children = ReadonlyMap<string, readonly string[]>;

/** Component schemas by the pointer of the schema that they name in `allOf`, in the order of the document. */
export function childrenByParent(document: JsonObject): Children {
  const children = new Map<string, string[]>();
  const components = child({ value: document, pointer: "" }, "components");
  for (const [, schema] of entries(components && child(components, "schemas"))) {
    for (const member of items(child(schema, "allOf"))) {
      const ref = text(member, "$ref");
      const parent = ref === undefined ? undefined : resolve(document, ref);
      if (!parent) continue;
      const list = children.get(parent.pointer) ?? [];
      list.push(schema.pointer);
      children.set(parent.pointer, list);
    }
  }
  return children;
}

/**
 * What each value of a discriminator stands for: the pointer of a schema. `mapping` says it by reference or by the name
 * of a component; a branch of the union, or a component that extends the schema, that it does not name goes by its own
 * name.
 *
 * @param pointer of the schema, for those that extend it; undefined where it stands inside another
 */
export function discriminatorMapping(
  document: JsonObject,
  schema: JsonObject,
  pointer: string | undefined,
  children: Children,
): Map<string, string> {
  const result = new Map<string, string>();
  const discriminator: Node = { value: schema.discriminator ?? null, pointer: "" };
  for (const [value, { value: target }] of entries(child(discriminator, "mapping"))) {
    if (typeof target !== "string") continue;
    const found =
      resolve(document, `#/components/schemas/${target.replaceAll("~", "~0").replaceAll("/", "~1")}`) ??
      (target.startsWith("#") ? resolve(document, target) : undefined);
    if (found) result.set(value, found.pointer);
  }
  const mapped = new Set(result.values());
  for (const branch of branches(document, schema, pointer, children)) {
    const name = componentName(branch);
    if (name !== undefined && !mapped.has(branch) && !result.has(name)) result.set(name, branch);
  }
  return result;
}

/** Pointers of the schemas that a union is of, or else of those that extend a schema, at any distance. */
function branches(
  document: JsonObject,
  schema: JsonObject,
  pointer: string | undefined,
  children: Children,
): string[] {
  const union = [schema.oneOf, schema.anyOf].flatMap((list) => (Array.isArray(list) ? list : []));
  if (union.length > 0) {
    return union.flatMap((member) => {
      const ref = isObject(member) ? member.$ref : undefined;
      const target = typeof ref === "string" ? resolve(document, ref) : undefined;
      return target ? [target.pointer] : [];
    });
  }
  const found = new Set<string>();
  const queue = pointer === undefined ? [] : [pointer];
  for (const parent of queue) {
    for (const extending of children.get(parent) ?? []) {
      if (found.has(extending)) continue;
      found.add(extending);
      queue.push(extending);
    }
  }
  return [...found];
}

/** The name of the component schema that a pointer leads to, or undefined. */
export function componentName(pointer: string): string | undefined {
  const name = /^\/components\/schemas\/([^/]*)$/.exec(pointer)?.[1];
  return name?.replaceAll("~1", "/").replaceAll("~0", "~");
}
