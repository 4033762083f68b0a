import type { JsonValue } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import { listDiscriminatorValues } from "../../model/schema/discriminators.js";
import type { SchemaGraph } from "../../model/schema/graph.js";
import type { Schema } from "../../model/schema/schema.js";
import { walkGraph } from "../../walk-graph.js";
import { selectDiscriminatorValues } from "./discriminator-values.js";
import { createIntersection, createLiteral, createObject, createUnion, type Type } from "./type.js";

/** The values that a discriminator allows for its property. */
interface PropertyValues {
  property: string;
  values: readonly JsonValue[];
}

/** Narrows types to the discriminator values that select their schemas. */
export class DiscriminatedTypes {
  private readonly inherited = new Map<Schema, PropertyValues[]>();

  constructor(private readonly graph: SchemaGraph) {}

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
    return values && !this.inheritsValues(target, { property, values })
      ? createIntersection([type, createObjectWithValues({ property, values })])
      : type;
  }

  private inheritsValues(schema: Schema, { property, values }: PropertyValues): boolean {
    return this.listInheritedValues(schema).some(
      (inherited) =>
        inherited.property === property && JSON.stringify(inherited.values) === JSON.stringify(values),
    );
  }

  /** Lists the discriminator values that a component inherits from the schemas that it extends. */
  private listInheritedValues(schema: Schema): readonly PropertyValues[] {
    return getOrCreate(this.inherited, schema, () => this.findInheritedValues(schema));
  }

  private findInheritedValues(schema: Schema): PropertyValues[] {
    const inherited: PropertyValues[] = [];
    // The values of schemas that extend this one are allowed, too. Variants of a schema have the same original.
    const originals = new Set([schema.original ?? schema, ...this.graph.findDescendants(schema)]);
    for (const ancestor of walkGraph(listParents(schema), listParents)) {
      const { discriminator } = ancestor;
      // A schema that extends itself in a cycle is its own ancestor.
      if (ancestor === schema || !discriminator) continue;
      const names = listDiscriminatorValues(discriminator, (each) => originals.has(each.original ?? each));
      const values = selectDiscriminatorValues(schema, discriminator.propertyName, names);
      if (values) inherited.push({ property: discriminator.propertyName, values });
    }
    return inherited;
  }
}

/** Lists the schemas that a schema extends directly. */
function listParents(schema: Schema): Schema[] {
  return schema.subschemaList("allOf").flatMap(({ reference }) => reference ?? []);
}

/** Creates the type of an object whose property has one of the given values. */
function createObjectWithValues({ property, values }: PropertyValues): Type {
  const type = createUnion(values.map(createLiteral));
  return createObject([{ name: property, type, isOptional: true, docs: [] }]);
}
