import { isObject } from "../json.js";
import type { Discriminator, Schema } from "./schema.js";

/**
 * Reads the discriminator of a schema. `mapping` identifies schemas by reference or by component name. A schema that
 * `mapping` does not contain is selected by its component name.
 *
 * @param resolve resolves a reference of the schema
 * @param component returns a component schema by name
 * @param extending returns the component schemas that extend a schema directly
 */
export function readDiscriminator(
  schema: Schema,
  resolve: (reference: string) => Schema | undefined,
  component: (name: string) => Schema | undefined,
  extending: (schema: Schema) => readonly Schema[],
): Discriminator | undefined {
  const value = schema.keyword("discriminator");
  if (!isObject(value) || typeof value.propertyName !== "string") return undefined;
  const mapping = new Map<string, Schema>();
  for (const [name, target] of Object.entries(isObject(value.mapping) ? value.mapping : {})) {
    if (typeof target !== "string") continue;
    const found = component(target) ?? (target.startsWith("#") ? resolve(target) : undefined);
    if (found) mapping.set(name, found);
  }
  const mapped = new Set(mapping.values());
  for (const branch of listBranches(schema, extending)) {
    const name = branch.component;
    if (name !== undefined && !mapped.has(branch) && !mapping.has(name)) mapping.set(name, branch);
  }
  return { propertyName: value.propertyName, mapping };
}

/** Lists the referenced branches of a union; without a union, all component schemas that extend the schema. */
function listBranches(schema: Schema, extending: (schema: Schema) => readonly Schema[]): Iterable<Schema> {
  const unions = schema.unions.flat();
  if (unions.length > 0) return unions.flatMap((branch) => branch.reference ?? []);
  return findDescendants(schema, extending);
}

/** Returns the component schemas that extend a schema directly or indirectly. */
export function findDescendants(
  schema: Schema,
  extending: (schema: Schema) => readonly Schema[],
): ReadonlySet<Schema> {
  const found = new Set<Schema>(extending(schema));
  for (const each of found) for (const child of extending(each)) found.add(child);
  return found;
}
