import { isObject } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { walkGraph } from "../../walk-graph.js";
import type { Discriminator, SchemaResolver, Schema } from "./schema.js";
import { SchemaError } from "./schema-error.js";

/** Maximum number of schemas that a selected schema extends. The time grows with its third power. Real documents have about ten. */
const MAX_ANCESTORS = 64;

/**
 * Reads the discriminator of a schema. A schema that `mapping` does not contain is selected by the values that a schema which it extends
 * maps to it, or else by its component name.
 */
export function readDiscriminator(schema: Schema, resolver: SchemaResolver): Discriminator | undefined {
  const declared = schema.keyword("discriminator");
  if (!isObject(declared) || typeof declared.propertyName !== "string") return undefined;
  const { propertyName } = declared;
  const mappings = new Map<Schema, Map<string, Schema>>();
  const getMapping = (owner: Schema): Map<string, Schema> =>
    getOrCreate(mappings, owner, () => readMapping(owner));
  const mapping = readMapping(schema);
  const mapped = new Set(mapping.values());
  const unions = schema.unions.flat();
  // Without a union, the branches are the component schemas that extend the schema.
  const branches =
    unions.length > 0 ? unions.flatMap(({ reference }) => reference ?? []) : resolver.findDescendants(schema);
  for (const branch of branches) {
    if (mapped.has(branch)) continue;
    const ancestors = [...findAncestors(branch)];
    if (ancestors.length > MAX_ANCESTORS)
      throw new SchemaError(
        branch,
        `a discriminator selects it, and it extends more than ${MAX_ANCESTORS} schemas`,
      );
    const inherited = ancestors.flatMap((ancestor) =>
      listDiscriminatorValues({ mapping: getMapping(ancestor) }, branch),
    );
    const names = inherited.length > 0 ? inherited : [branch.component];
    for (const name of names) if (name !== undefined && !mapping.has(name)) mapping.set(name, branch);
  }
  return { propertyName, mapping };

  function readMapping(owner: Schema): Map<string, Schema> {
    const targets = new Map<string, Schema>();
    const discriminator = owner.keyword("discriminator");
    if (!isObject(discriminator) || discriminator.propertyName !== propertyName) return targets;
    const entries = isObject(discriminator.mapping) ? Object.entries(discriminator.mapping) : [];
    for (const [name, target] of entries) {
      if (typeof target !== "string") continue;
      // Bundling has made all references to files local, so another text is only the name of a component.
      const selected =
        resolver.components().get(target) ??
        (target.startsWith("#") ? resolver.resolveReference(owner, target) : undefined);
      if (selected) targets.set(name, selected);
    }
    return targets;
  }
}

/** Visits the schemas that a schema extends with `allOf`, directly or indirectly. */
export function findAncestors(schema: Schema): Iterable<Schema> {
  return walkGraph(listParents(schema), listParents);
}

/** Lists the schemas that a schema extends directly. */
export function listParents(schema: Schema): Schema[] {
  return schema.subschemaList("allOf").flatMap(({ reference }) => reference ?? []);
}

/** Maximum depth of unions in unions whose discriminator values are found. */
const MAX_UNION_DEPTH = 4;

/** Lists the values of a discriminator that select a branch or, if it is a union itself, one of its branches. */
export function listBranchValues(discriminator: Discriminator, branch: Schema): string[] {
  const parts = new Set([branch]);
  for (let depth = 0; depth < MAX_UNION_DEPTH; depth++)
    for (const nested of [...parts].flatMap(({ unions }) => unions.flat()))
      parts.add(nested.reference ?? nested);
  const values = [...parts].flatMap((part) => {
    const own = part.discriminator;
    const isSame = own?.propertyName === discriminator.propertyName;
    return [...listDiscriminatorValues(discriminator, part), ...(isSame ? own.mapping.keys() : [])];
  });
  return [...new Set(values)];
}

/** Lists the values of a discriminator that select a schema, in any of its variants. */
function listDiscriminatorValues({ mapping }: Pick<Discriminator, "mapping">, selected: Schema): string[] {
  const getOriginal = (schema: Schema): Schema => schema.original ?? schema;
  const entries = [...mapping].filter(([, schema]) => getOriginal(schema) === getOriginal(selected));
  return entries.map(([value]) => value);
}
