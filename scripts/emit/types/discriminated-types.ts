import { isDeepStrictEqual } from "node:util";
import type { JsonValue } from "../../json.js";
import { getOrCreate, groupBy } from "../../maps.js";
import type { Api } from "../../model/model.js";
import { findAncestors, listBranchValues, listParents } from "../../model/schema/discriminators.js";
import { selectDiscriminatorValues } from "../../model/schema/discriminator-values.js";
import type { Schema } from "../../model/schema/schema.js";
import { invertEdges, walkGraph } from "../../walk-graph.js";
import { walkTypedSchemas } from "../common/declared-schemas.js";
import { createIntersection, createLiteral, createObject, createUnion, type Type } from "./type.js";

/** The values that a discriminator allows for its property. */
interface PropertyValues {
  property: string;
  values: readonly JsonValue[];
}

/** A discriminator value, which is text in `mapping`, and the schema that it selects, in its original form. */
interface Selection {
  property: string;
  name: string;
  target: Schema;
}

/** Narrows types to the discriminator values that select their schemas. */
export class DiscriminatedTypes {
  private readonly inherited = new Map<Schema, PropertyValues[]>();
  private unionSelections: readonly Selection[] | undefined;
  /**
   * The schemas that extend a schema with a discriminator, directly or indirectly. To visit the ancestors of all others would take
   * 7 s for a chain of 4,000 schemas.
   */
  private readonly extending: ReadonlySet<Schema>;

  /** @param declared the schemas with declarations of their own */
  constructor(
    private readonly api: Api,
    declared: readonly Schema[],
  ) {
    const listExtending = invertEdges(declared, listParents);
    const discriminated = declared.filter(({ discriminator }) => discriminator);
    this.extending = new Set(walkGraph(discriminated.flatMap(listExtending), listExtending));
  }

  /** Narrows the type of a component to the discriminator values that select it in the schemas it extends with `allOf`. */
  narrowComponent(schema: Schema, type: Type): Type {
    return createIntersection([type, ...this.listInheritedValues(schema).map(createObjectWithValues)]);
  }

  /** Narrows the type of a branch to the discriminator values that select it in its union. */
  narrowBranch(branch: Schema, { discriminator }: Schema, type: Type): Type {
    const target = branch.reference;
    if (!discriminator || !target) return type;
    const { propertyName: property } = discriminator;
    const names = listBranchValues(discriminator, target);
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
    if (!this.extending.has(schema)) return [];
    // The values of schemas that extend this one are allowed, too. Variants of a schema have the same original.
    const originals = new Set([schema.original ?? schema, ...this.api.schemas.findDescendants(schema)]);
    // A schema that extends itself in a cycle is its own ancestor.
    const ancestors = [...findAncestors(schema)].filter((ancestor) => ancestor !== schema);
    const inherited = ancestors.flatMap(listSelections).filter(({ target }) => originals.has(target));
    return [...groupBy(inherited, ({ property }) => property)].flatMap(([property, selections]) => {
      // A union can select the schema by other values than the schema that it extends. Both are allowed.
      const inUnions = [...originals].flatMap((each) => this.findUnionSelections(each, property));
      const names = new Set([...selections, ...inUnions].map(({ name }) => name));
      const values = selectDiscriminatorValues(schema, property, [...names]);
      return values ? { property, values } : [];
    });
  }

  private findUnionSelections(selected: Schema, property: string): Selection[] {
    this.unionSelections ??= [...walkTypedSchemas(this.api)]
      .filter(({ unions }) => unions.length > 0)
      .flatMap(listSelections);
    return this.unionSelections.filter((each) => each.target === selected && each.property === property);
  }
}

function listSelections({ discriminator }: Schema): Selection[] {
  if (!discriminator) return [];
  const { propertyName: property, mapping } = discriminator;
  return [...mapping].map(([name, target]) => ({ property, name, target: target.original ?? target }));
}

function createObjectWithValues({ property, values }: PropertyValues): Type {
  const type = createUnion(values.map(createLiteral));
  return createObject([{ name: property, type, isOptional: true, docs: [] }]);
}
