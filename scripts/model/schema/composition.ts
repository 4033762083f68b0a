import { isObject } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { isInPlace } from "../../json-schema/keywords.js";
import type { Schema } from "./schema.js";

/** Lists the schemas that a value must also match: the target of `$ref` and the members of `allOf`. */
export function listConjuncts(schema: Schema): Schema[] {
  const { reference } = schema;
  return [...(reference ? [reference] : []), ...schema.subschemaList("allOf")];
}

/** Lists the target of `$ref`, the members of `allOf`, and the branches of `anyOf` and `oneOf`. */
export function listComposedParts(schema: Schema): Schema[] {
  return [...listConjuncts(schema), ...schema.unions.flat()];
}

/** Lists the schemas that apply to the same value as a schema, always or for some values, except the schema of `not`. */
export function listInPlaceSchemas(schema: Schema): Schema[] {
  return listLinkedSchemas(schema, (keyword) => isInPlace(keyword) && keyword !== "not");
}

/** Lists the target of `$ref` and the subschemas whose keyword passes a filter. */
export function listLinkedSchemas(schema: Schema, includes = (_keyword: string): boolean => true): Schema[] {
  const { reference } = schema;
  const linked = reference ? [reference] : [];
  for (const { keyword, schema: subschema } of schema.subschemas())
    if (includes(keyword)) linked.push(subschema);
  return linked;
}

export function listSubschemas(schema: Schema): Schema[] {
  return [...schema.subschemas()].map((member) => member.schema);
}

/** Maximum number of schemas in a composition; more are ignored. */
const MAX_COMPOSED_SCHEMAS = 2000;

/** Returns a schema and all schemas that it is composed of through `$ref`, `allOf`, `anyOf` and `oneOf`, in document order. */
export function collectComposedSchemas(schema: Schema): ReadonlySet<Schema> {
  const composed = new Set<Schema>();
  const pending = [schema];
  for (let next = pending.pop(); next; next = pending.pop()) {
    if (composed.has(next) || composed.size >= MAX_COMPOSED_SCHEMAS) continue;
    composed.add(next);
    pending.push(...listComposedParts(next).reverse());
  }
  return composed;
}

/** Returns the properties of a schema and of its composed schemas. Maps each name to one schema per declaration. */
export function collectDeclaredProperties(schema: Schema): ReadonlyMap<string, readonly Schema[]> {
  const properties = new Map<string, Schema[]>();
  for (const part of collectComposedSchemas(schema)) {
    for (const [name, property] of part.properties)
      getOrCreate(properties, name, (): Schema[] => []).push(property);
  }
  return properties;
}

/** Maximum depth of composition for inferences. Beyond it, they are less precise but still correct. */
const MAX_INFERENCE_DEPTH = 6;

/** Memoizes an inference by schema and by the remaining depth of composition. `getDefault` is for boolean schemas, and beyond the depth. */
export function memoizeByDepth<T>(
  infer: (schema: Schema, depth: number) => T,
  getDefault: (schema: Schema) => T,
  maxDepth = MAX_INFERENCE_DEPTH,
): (schema: Schema, depth?: number) => T {
  const cache = new WeakMap<Schema, T[]>();
  return (schema, depth = maxDepth) => {
    if (!isObject(schema.value) || depth === 0) return getDefault(schema);
    const results = getOrCreate(cache, schema, (): T[] => []);
    return (results[depth] ??= infer(schema, depth));
  };
}

/** Maximum depth of composition in which the declarations of a property are compared. */
const MAX_DECLARATION_DEPTH = 20;

/** Whether all schemas of a property that apply together, and one branch of each union that declares it, allow something. */
export function canPropertyBe(schema: Schema, name: string, allows: (property: Schema) => boolean): boolean {
  /** The result for a composed schema; undefined if it does not declare the property. */
  const decide = memoizeByDepth<boolean | undefined>(
    (each, depth) => {
      const decideAll = (parts: readonly Schema[]): boolean[] =>
        parts.map((part) => decide(part, depth - 1)).filter((result) => result !== undefined);
      const property = each.properties.get(name);
      const unions = each.unions.map(decideAll).filter((results) => results.length > 0);
      const results = [
        ...(property ? [allows(property)] : []),
        ...decideAll(listConjuncts(each)),
        ...unions.map((branches) => branches.includes(true)),
      ];
      return results.length === 0 ? undefined : !results.includes(false);
    },
    () => undefined,
    MAX_DECLARATION_DEPTH,
  );
  return decide(schema) === true;
}
