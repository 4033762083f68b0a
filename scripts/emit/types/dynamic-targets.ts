import {
  type DynamicScope,
  EMPTY_SCOPE,
  enterScope,
  resolveDynamicReference,
} from "../../model/schema/dynamic-scope.js";
import type { Schema } from "../../model/schema/schema.js";

/**
 * Whether a `$dynamicRef` that is reachable from a schema resolves to another schema in a scope than without it. The type of the
 * schema then differs from the type with its name, as for a list whose items another schema declares.
 */
export function resolvesDifferentlyInScope(schema: Schema, scope: DynamicScope): boolean {
  if (scope.anchors.size === 0) return false;
  const ownScope = enterScope(EMPTY_SCOPE, schema);
  const visited = new Set<Schema>();
  const pending = [schema];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (visited.has(next)) continue;
    visited.add(next);
    if (resolveDynamicReference(next, scope) !== resolveDynamicReference(next, ownScope)) return true;
    if (next.reference) pending.push(next.reference);
    for (const { schema: subschema } of next.subschemas()) pending.push(subschema);
  }
  return false;
}
