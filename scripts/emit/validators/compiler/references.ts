import { isObject } from "../../../model/node.js";
import { isAssertion } from "../../../model/schema/keywords.js";
import type { Schema } from "../../../model/schema/schema.js";

/**
 * Dynamic scope (JSON Schema 2020-12, section 7.1): the targets of `$dynamicRef`s, which are the outermost schemas by
 * anchor.
 */
export interface DynamicScope {
  readonly anchors: ReadonlyMap<string, Schema>;
  /** Equal for equal scopes. */
  readonly key: string;
}

export const EMPTY_SCOPE: DynamicScope = { anchors: new Map(), key: "" };

/** Returns the scope inside a schema: the outer scope, and the anchors of the schema that are not in it. */
export function enterScope(outer: DynamicScope, { dynamicAnchors }: Schema): DynamicScope {
  if (dynamicAnchors.size === 0) return outer;
  const added = [...dynamicAnchors].filter(([name]) => !outer.anchors.has(name));
  if (added.length === 0) return outer;
  const anchors = new Map([...outer.anchors, ...added]);
  const keys = [...anchors].map(([name, target]) => `${name} ${createSchemaKey(target)}`);
  return { anchors, key: keys.sort().join("\n") };
}

/** Resolves a `$dynamicRef`: to the outermost schema with its anchor, otherwise to its static target, if there is one. */
export function resolveDynamicReference(schema: Schema, scope: DynamicScope): Schema | undefined {
  const found = schema.dynamicReference;
  return (found?.anchor === undefined ? undefined : scope.anchors.get(found.anchor)) ?? found?.schema;
}

/** Replaces a schema that contains only a `$ref` by its target. Returns the schema and the scope inside of it. */
export function followReferences(schema: Schema, outer: DynamicScope): [Schema, DynamicScope] {
  const visited = new Set<Schema>();
  let current = schema;
  let scope = enterScope(outer, schema);
  while (isObject(current.value) && !visited.has(current)) {
    visited.add(current);
    const { nullable, reference } = current;
    if (nullable || !reference || listAssertions(current).length !== 1) break;
    current = reference;
    scope = enterScope(scope, current);
  }
  return [current, scope];
}

/** Whether every value matches a schema, because it has no keyword that can reject one. */
export function acceptsEverything(schema: Schema): boolean {
  if (!isObject(schema.value)) return schema.value === true;
  return schema.problem === undefined && listAssertions(schema).length === 0;
}

/** Lists the keywords of a schema that can reject a value. */
export function listAssertions({ keywords }: Schema): string[] {
  return Object.keys(keywords).filter((keyword) => isAssertion(keyword));
}

/** Creates the unique key of a schema: the URI of its document and its unique JSON pointer. */
export function createSchemaKey(schema: Schema): string {
  return `${schema.resource.source.uri}#${schema.uniquePointer}`;
}
