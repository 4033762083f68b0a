import { isObject } from "../../../json.js";
import { isAssertion } from "../../../json-schema/keywords.js";
import { type DynamicScope, enterScope } from "../../../model/schema/dynamic-scope.js";
import type { Schema } from "../../../model/schema/schema.js";

/**
 * Replaces a schema that contains only a `$ref` by its target, repeatedly. Returns the last schema, and the dynamic scope inside
 * it. Stops at a cycle.
 */
export function followReferences(schema: Schema, outer: DynamicScope): [Schema, DynamicScope] {
  const visited = new Set<Schema>();
  let current = schema;
  let scope = enterScope(outer, schema);
  while (isObject(current.value) && !visited.has(current)) {
    visited.add(current);
    const { nullable, reference } = current;
    const hasOnlyReference =
      reference !== undefined && !nullable && listAssertionKeywords(current).length === 1;
    if (!hasOnlyReference) break;
    current = reference;
    scope = enterScope(scope, current);
  }
  return [current, scope];
}

/** Whether every value matches a schema, because it has no keyword that can reject one. */
export function acceptsEverything(schema: Schema): boolean {
  if (!isObject(schema.value)) return schema.value === true;
  return schema.problem === undefined && listAssertionKeywords(schema).length === 0;
}

/** Lists the keywords of a schema that can reject a value. */
export function listAssertionKeywords({ keywords }: Schema): string[] {
  return Object.keys(keywords).filter((keyword) => isAssertion(keyword));
}
