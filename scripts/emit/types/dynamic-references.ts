import { listLinks } from "../../model/schema/composition.js";
import {
  type DynamicScope,
  EMPTY_SCOPE,
  enterScope,
  resolveDynamicReference,
} from "../../model/schema/dynamic-scope.js";
import type { Schema } from "../../model/schema/schema.js";
import { walkGraph } from "../../walk-graph.js";

/**
 * Whether a `$dynamicRef` that is reachable from a schema has another target in `scope` than by default. The named type of the
 * schema then does not fit, and its type is printed inline. An example is a generic list whose items the schema that refers to
 * the list declares.
 */
export function resolvesDifferentlyInScope(schema: Schema, scope: DynamicScope): boolean {
  if (scope.anchors.size === 0) return false;
  const defaultScope = enterScope(EMPTY_SCOPE, schema);
  for (const each of walkGraph([schema], (linked) => listLinks(linked)))
    if (resolveDynamicReference(each, scope) !== resolveDynamicReference(each, defaultScope)) return true;
  return false;
}
