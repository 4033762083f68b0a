import { isObject } from "../../json.js";
import { walkGraph } from "../../walk-graph.js";
import type { Discriminator, Schema } from "./schema.js";

/**
 * Reads the discriminator of a schema. `mapping` identifies schemas by component name or by reference. A schema that
 * `mapping` does not contain is selected by its component name.
 *
 * @param resolveReference resolves a reference of the schema
 * @param components the component schemas by name
 * @param listExtending returns the component schemas that extend a schema directly
 */
export function readDiscriminator(
  schema: Schema,
  resolveReference: (reference: string) => Schema | undefined,
  components: ReadonlyMap<string, Schema>,
  listExtending: (schema: Schema) => readonly Schema[],
): Discriminator | undefined {
  const declared = schema.keyword("discriminator");
  if (!isObject(declared) || typeof declared.propertyName !== "string") return undefined;
  const mapping = new Map<string, Schema>();
  for (const [name, target] of Object.entries(isObject(declared.mapping) ? declared.mapping : {})) {
    if (typeof target !== "string") continue;
    // Bundling has made all references to files local, so another text is only the name of a component.
    const selected =
      components.get(target) ?? (target.startsWith("#") ? resolveReference(target) : undefined);
    if (selected) mapping.set(name, selected);
  }
  const mapped = new Set(mapping.values());
  for (const branch of listBranches(schema, listExtending)) {
    const name = branch.component;
    if (name !== undefined && !mapped.has(branch) && !mapping.has(name)) mapping.set(name, branch);
  }
  return { propertyName: declared.propertyName, mapping };
}

/** Lists the values of a discriminator that select a schema for which the condition holds. */
export function listDiscriminatorValues(
  { mapping }: Discriminator,
  isSelected: (schema: Schema) => boolean,
): string[] {
  return [...mapping].filter(([, schema]) => isSelected(schema)).map(([value]) => value);
}

/** Lists the referenced branches of a union; without a union, all component schemas that extend the schema. */
function listBranches(
  schema: Schema,
  listExtending: (schema: Schema) => readonly Schema[],
): Iterable<Schema> {
  const unions = schema.unions.flat();
  if (unions.length > 0) return unions.flatMap((branch) => branch.reference ?? []);
  return findDescendants(schema, listExtending);
}

/** Returns the component schemas that extend a schema directly or indirectly. */
export function findDescendants(
  schema: Schema,
  listExtending: (schema: Schema) => readonly Schema[],
): ReadonlySet<Schema> {
  return new Set(walkGraph(listExtending(schema), listExtending));
}
