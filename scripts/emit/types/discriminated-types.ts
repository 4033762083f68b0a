import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { findAncestors, listDiscriminatorValues } from "../../model/schema/discriminators.js";
import { selectDiscriminatorValues } from "../../model/schema/discriminator-values.js";
import type { SchemaGraph } from "../../model/schema/graph.js";
import type { Schema } from "../../model/schema/schema.js";
import { createIntersection, createLiteral, createObject, createUnion, type Type } from "./type.js";

/** The values that a discriminator allows for its property. */
interface PropertyValues {
  property: string;
  values: readonly JsonValue[];
}

/** Discriminator values, which are text in `mapping`, by property. */
type PropertyNames = Map<string, Set<string>>;

/** Narrows types to the discriminator values that select their schemas. */
export class DiscriminatedTypes {
  private readonly inherited = new Map<Schema, PropertyValues[]>();
  private namesInUnions: ReadonlyMap<Schema, PropertyNames> | undefined;

  constructor(
    private readonly graph: SchemaGraph,
    private readonly listSchemas: () => Iterable<Schema>,
  ) {}

  /** Narrows the type of a component to the discriminator values that select it in the schemas it extends with `allOf`. */
  narrowComponent(schema: Schema, type: Type): Type {
    return createIntersection([type, ...this.listInheritedValues(schema).map(createObjectWithValues)]);
  }

  /** Narrows the type of a branch to the discriminator values that select it in its union. */
  narrowBranch(branch: Schema, { discriminator }: Schema, type: Type): Type {
    const target = branch.reference;
    if (!discriminator || !target) return type;
    const { propertyName: property } = discriminator;
    const names = listDiscriminatorValues(discriminator, (schema) => schema === target);
    const values = selectDiscriminatorValues(target, property, names);
    const isInherited = this.listInheritedValues(target).some((inherited) =>
      isDeepStrictEqual(inherited, { property, values }),
    );
    if (!values || isInherited) return type;
    return createIntersection([type, createObjectWithValues({ property, values })]);
  }

  /** Lists the discriminator values that a component inherits from the schemas that it extends. */
  private listInheritedValues(schema: Schema): readonly PropertyValues[] {
    return getOrCreate(this.inherited, schema, () => this.findInheritedValues(schema));
  }

  private findInheritedValues(schema: Schema): PropertyValues[] {
    const inherited: PropertyNames = new Map();
    // The values of schemas that extend this one are allowed, too. Variants of a schema have the same original.
    const originals = new Set([schema.original ?? schema, ...this.graph.findDescendants(schema)]);
    for (const ancestor of findAncestors(schema)) {
      const { discriminator } = ancestor;
      // A schema that extends itself in a cycle is its own ancestor.
      if (ancestor === schema || !discriminator) continue;
      const names = listDiscriminatorValues(discriminator, (each) => originals.has(each.original ?? each));
      if (names.length > 0) addNames(inherited, discriminator.propertyName, names);
    }
    return [...inherited].flatMap(([property, names]) => {
      // A union can select the schema by other values than the schema that it extends. Both are allowed.
      const others = [...originals].flatMap((each) => [...(this.getNamesInUnions(each).get(property) ?? [])]);
      const values = selectDiscriminatorValues(schema, property, [...new Set([...names, ...others])]);
      return values ? { property, values } : [];
    });
  }

  private getNamesInUnions(original: Schema): PropertyNames {
    this.namesInUnions ??= this.collectNamesInUnions();
    return this.namesInUnions.get(original) ?? new Map();
  }

  private collectNamesInUnions(): ReadonlyMap<Schema, PropertyNames> {
    const namesByTarget = new Map<Schema, PropertyNames>();
    for (const { discriminator, unions } of this.listSchemas()) {
      if (!discriminator || unions.length === 0) continue;
      for (const [name, target] of discriminator.mapping) {
        const names = getOrCreate(namesByTarget, target.original ?? target, (): PropertyNames => new Map());
        addNames(names, discriminator.propertyName, [name]);
      }
    }
    return namesByTarget;
  }
}

function addNames(all: PropertyNames, property: string, names: readonly string[]): void {
  const known = getOrCreate(all, property, () => new Set<string>());
  for (const name of names) known.add(name);
}

/** Creates the type of an object whose property has one of the given values. */
function createObjectWithValues({ property, values }: PropertyValues): Type {
  const type = createUnion(values.map(createLiteral));
  return createObject([{ name: property, type, isOptional: true, docs: [] }]);
}
