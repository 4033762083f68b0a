import { walkGraph } from "../../walk-graph.js";
import { listLinkedSchemas } from "./composition.js";
import type { Schema } from "./schema.js";

/** Dynamic scope (JSON Schema 2020-12, section 7.1): maps each anchor to the outermost schema that declares it. */
export interface DynamicScope {
  readonly anchors: ReadonlyMap<string, Schema>;
  /** Cache key: equal for scopes with the same anchors and targets. */
  readonly key: string;
}

export const EMPTY_SCOPE: DynamicScope = { anchors: new Map(), key: "" };

/** Returns the scope inside a schema: the outer scope, plus the anchors of the schema that it lacks. */
export function enterScope(outer: DynamicScope, { dynamicAnchors }: Schema): DynamicScope {
  if (dynamicAnchors.size === 0) return outer;
  const added = [...dynamicAnchors].filter(([name]) => !outer.anchors.has(name));
  if (added.length === 0) return outer;
  const anchors = new Map([...outer.anchors, ...added]);
  const keys = [...anchors].map(([name, target]) => `${name} ${target.key}`);
  return { anchors, key: keys.sort().join("\n") };
}

/** Resolves a `$dynamicRef` to the outermost schema with its anchor, or else to its static target, if there is one. */
export function resolveDynamicReference(schema: Schema, scope: DynamicScope): Schema | undefined {
  const reference = schema.dynamicReference;
  return (
    (reference?.anchor === undefined ? undefined : scope.anchors.get(reference.anchor)) ?? reference?.schema
  );
}

/**
 * Whether a reachable `$dynamicRef` has another target in `scope` than by default, e.g. the items of a generic list. The schema is then
 * printed inline, because its named type does not fit.
 */
export function resolvesDifferentlyInScope(schema: Schema, scope: DynamicScope): boolean {
  if (scope.anchors.size === 0) return false;
  const defaultScope = enterScope(EMPTY_SCOPE, schema);
  for (const each of walkGraph([schema], (linked) => listLinkedSchemas(linked)))
    if (resolveDynamicReference(each, scope) !== resolveDynamicReference(each, defaultScope)) return true;
  return false;
}
