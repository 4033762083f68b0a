import type { JsonValue } from "../../model/model.js";
import { isObject } from "../../model/node.js";
import { jsonTypeOf } from "../../model/schema/composition.js";
import type { SchemaGraph } from "../../model/schema/graph.js";
import type { Schema } from "../../model/schema/schema.js";
import { alternatives, type TypeCycles, type Composition } from "./circles.js";
import { discriminatorValues } from "./discriminator-values.js";
import { schemaDocs } from "./docs.js";
import { matchingNames } from "./patterns.js";
import {
  ANY_NAME,
  intersection,
  literal,
  type Member,
  type Names,
  NEVER,
  NO_PROPERTIES,
  NULL,
  PRESENT,
  type Signature,
  type Type,
  union,
  UNKNOWN,
  word,
} from "./type.js";

/** The type alias that is being declared, and how it contains the schema. Not set inside properties and items. */
interface AliasContext {
  owner: Schema;
  composition: Composition;
}

const SCALARS: ReadonlyMap<string, Type> = new Map([
  ["string", word("string")],
  ["number", word("number")],
  ["integer", word("number")],
  ["boolean", word("boolean")],
  ["null", NULL],
]);

/** Part of a discriminator's effect on a type: the values that its property has. */
interface PropertyValues {
  property: string;
  values: readonly JsonValue[];
}

/**
 * Translates schemas to types. A type allows at least the values that its schema allows, except for two conventions: a
 * schema with properties is that of an object, and an object has the properties that are named.
 */
export class SchemaTypes {
  private readonly inherited = new Map<Schema, PropertyValues[]>();
  /** Schemas whose base is being written into another. */
  private readonly inlining = new Set<Schema>();

  /** @param nameOf returns the name of the type alias for the target of a reference */
  constructor(
    private readonly graph: SchemaGraph,
    private readonly cycles: TypeCycles,
    private readonly nameOf: (schema: Schema) => string,
  ) {}

  /** The type of a schema that has a declaration of its own. */
  declaration(schema: Schema): Type {
    const type = this.type(schema, { owner: schema, composition: "all" });
    return intersection([type, ...this.inheritedValues(schema).map(withValues)]);
  }

  /** The type of a schema where it is used. */
  type(schema: Schema, context?: AliasContext): Type {
    if (schema.boolean === false) return NEVER;
    if (!isObject(schema.value)) return UNKNOWN;
    const { reference, listedValues } = schema;
    const parts: Type[] = reference ? [this.reference(reference, context)] : [];
    const unions = alternatives(schema);
    const isComposed = reference !== undefined || schema.list("allOf").length + schema.unions.length > 0;
    const own = listedValues ? literals(schema, listedValues) : this.ownType(schema, isComposed);
    if (own) parts.push(own);
    for (const member of schema.list("allOf")) parts.push(this.type(member, context));
    for (const branches of unions) parts.push(this.union(branches, schema, context));
    const type = intersection(parts);
    return schema.nullable ? union([type, NULL]) : type;
  }

  private union(branches: readonly Schema[], owner: Schema, context: AliasContext | undefined): Type {
    const { discriminator } = owner;
    const inner: AliasContext | undefined = context && { ...context, composition: "one" };
    const types = branches.map((branch): Type => {
      const type = this.type(branch, inner);
      const target = branch.reference;
      if (!discriminator || !target || type === NEVER) return type;
      const { propertyName: property, mapping } = discriminator;
      const names = [...mapping].filter(([, schema]) => schema === target).map(([name]) => name);
      const values = discriminatorValues(target, property, names);
      const isKnown = this.inheritedValues(target).some(
        (known) => known.property === property && JSON.stringify(known.values) === JSON.stringify(values),
      );
      return values && !isKnown ? intersection([type, withValues({ property, values })]) : type;
    });
    return union(types);
  }

  /** The discriminator values of a component that it has from the schemas that it extends. */
  private inheritedValues(schema: Schema): readonly PropertyValues[] {
    const known = this.inherited.get(schema);
    if (known) return known;
    const found: PropertyValues[] = [];
    this.inherited.set(schema, found);
    const ancestors = new Set<Schema>();
    addParents(schema, ancestors);
    for (const ancestor of ancestors) addParents(ancestor, ancestors);
    for (const ancestor of ancestors) {
      const { discriminator } = ancestor;
      if (ancestor === schema || !discriminator) continue;
      const origins = new Set([schema.origin ?? schema, ...this.graph.descendants(schema)]);
      const names = [...discriminator.mapping]
        .filter(([, target]) => origins.has(target.origin ?? target))
        .map(([name]) => name);
      const values = discriminatorValues(schema, discriminator.propertyName, names);
      if (values) found.push({ property: discriminator.propertyName, values });
    }
    return found;
  }

  private reference(target: Schema, context: AliasContext | undefined): Type {
    const replacement = context && this.cycles.replacement(context.owner, target, context.composition);
    if (context && replacement === "nothing") return context.owner === target ? NEVER : UNKNOWN;
    if (context && replacement === "base") return this.base(target, context.owner);
    return word(this.nameOf(target));
  }

  /** The type of a schema without its unions, written instead of a reference to it. */
  private base(target: Schema, owner: Schema): Type {
    if (this.inlining.has(target) || target === owner) return UNKNOWN;
    this.inlining.add(target);
    const context: AliasContext = { owner, composition: "all" };
    const { reference, listedValues } = target;
    const isComposed = reference !== undefined || target.list("allOf").length > 0;
    const own = listedValues ? literals(target, listedValues) : this.ownType(target, isComposed);
    const type = intersection([
      ...(reference ? [this.reference(reference, context)] : []),
      ...(own ? [own] : []),
      ...target.list("allOf").map((member) => this.type(member, context)),
    ]);
    this.inlining.delete(target);
    return target.nullable ? union([type, NULL]) : type;
  }

  /** The type that `type` and the keywords for arrays and objects describe; undefined when they describe none. */
  private ownType(schema: Schema, isComposed: boolean): Type | undefined {
    const types = schema.declaredTypes ?? impliedTypes(schema);
    if (types.length === 0) return undefined;
    const parts: Type[] = [];
    for (const type of types) {
      const scalar = SCALARS.get(type);
      if (scalar) parts.push(scalar);
      else if (type === "array") parts.push(this.array(schema));
      else if (type === "object") {
        const object = this.object(schema, isComposed);
        if (object) parts.push(object);
        // The other schemas of the value describe it well enough.
        else if (types.length === 1) return undefined;
        else parts.push(word("object"));
      } else return undefined;
    }
    return union(parts);
  }

  private array(schema: Schema): Type {
    const items = schema.one("items");
    const first = schema.list("prefixItems");
    if (first.length === 0) {
      if (items?.boolean === false) return { kind: "tuple", items: [], least: 0, rest: undefined };
      return { kind: "array", item: items ? this.type(items) : UNKNOWN };
    }
    const others = items ?? schema.one("unevaluatedItems");
    const minItems = schema.keyword("minItems");
    const maxItems = schema.keyword("maxItems");
    const most = typeof maxItems === "number" ? maxItems : Infinity;
    const types = first.slice(0, most).map((item) => this.type(item));
    const isClosed = others?.boolean === false || most <= types.length;
    return {
      kind: "tuple",
      items: types,
      least: Math.min(typeof minItems === "number" ? minItems : 0, types.length),
      rest: isClosed ? undefined : others ? this.type(others) : UNKNOWN,
    };
  }

  /** An object with its properties; undefined when only the type is declared and other schemas describe the rest. */
  private object(schema: Schema, isComposed: boolean): Type | undefined {
    const required = new Set(schema.required);
    const members = [...schema.properties].map(([name, property]): Member => ({
      name,
      type: this.type(property),
      isOptional: !required.has(name),
      docs: schemaDocs(property),
    }));
    const { patterns, additional } = this.unnamedProperties(schema, isComposed);
    const isOpen = additional === UNKNOWN;
    for (const name of required) {
      if (schema.properties.has(name)) continue;
      const types = isOpen
        ? []
        : [...patterns, ...(additional ? [{ names: ANY_NAME, type: additional }] : [])]
            .filter(({ names }) => fits(name, names))
            .map(({ type }) => type);
      members.push({
        name,
        type: types.length > 0 ? intersection(types) : PRESENT,
        isOptional: false,
        docs: [],
      });
    }
    const signatures = indexSignatures(patterns, additional, members);
    if (members.length + signatures.length > 0) return { kind: "object", members, signatures };
    if (isComposed) return undefined;
    const isEmpty = ["additionalProperties", "unevaluatedProperties"].some(
      (keyword) => schema.one(keyword)?.boolean === false,
    );
    return isEmpty
      ? NO_PROPERTIES
      : { kind: "object", members, signatures: [{ names: ANY_NAME, type: UNKNOWN }] };
  }

  /** The types of properties without names: by pattern, and of all others, undefined where there can be no others. */
  private unnamedProperties(
    schema: Schema,
    isComposed: boolean,
  ): { patterns: Signature[]; additional: Type | undefined } {
    const patterns: Signature[] = [];
    for (const [pattern, property] of schema.named("patternProperties")) {
      const type = this.type(property);
      if (type !== NEVER) patterns.push({ names: matchingNames(pattern) ?? ANY_NAME, type });
    }
    const unevaluated = schema.one("unevaluatedProperties");
    // Composed schemas evaluate properties, too, which the type of the rest cannot exclude.
    const isMixed = isComposed && unevaluated !== undefined && unevaluated.boolean === undefined;
    const rest = schema.one("additionalProperties");
    const additional = rest ? this.type(rest) : isMixed ? UNKNOWN : unevaluated && this.type(unevaluated);
    return { patterns, additional: additional === NEVER ? undefined : additional };
  }
}

function addParents(schema: Schema, ancestors: Set<Schema>): void {
  for (const { reference } of schema.list("allOf")) if (reference) ancestors.add(reference);
}

/** Index signatures. TypeScript wants the type of each to allow that of every property that it covers. */
function indexSignatures(
  patterns: readonly Signature[],
  additional: Type | undefined,
  members: readonly Member[],
): Signature[] {
  const all = additional ? [...patterns, { names: ANY_NAME, type: additional }] : patterns;
  const byNames = new Map<string, Signature[]>();
  for (const signature of all) {
    const key = JSON.stringify(signature.names);
    byNames.set(key, [...(byNames.get(key) ?? []), signature]);
  }
  return [...byNames.values()].map((same): Signature => {
    const names = same[0]?.names ?? ANY_NAME;
    const covers = ({ prefix, suffix }: Names): boolean =>
      prefix.startsWith(names.prefix) && suffix.endsWith(names.suffix);
    const covered = members.filter(({ name }) => fits(name, names));
    const types = [
      ...all.filter((signature) => covers(signature.names)).map(({ type }) => type),
      ...covered.map(({ type }) => type),
    ];
    const hasOptional = covered.some(({ isOptional }) => isOptional);
    return { names, type: union(hasOptional ? [...types, word("undefined")] : types) };
  });
}

function fits(name: string, { prefix, suffix }: Names): boolean {
  return name.startsWith(prefix) && name.endsWith(suffix);
}

/** The values of `const` or `enum` that the declared types allow. */
function literals(schema: Schema, listed: readonly JsonValue[]): Type {
  const { declaredTypes } = schema;
  const values = listed.filter(
    (value) =>
      (typeof value !== "number" || Number.isFinite(value)) &&
      (!declaredTypes || declaredTypes.some((type) => isOfType(value, type))),
  );
  return union(values.map(literal));
}

function isOfType(value: JsonValue, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : jsonTypeOf(value) === type;
}

/** The types that the keywords of a schema without `type` are about. */
function impliedTypes(schema: Schema): string[] {
  const isAboutObjects =
    schema.keyword("properties") !== undefined ||
    schema.keyword("patternProperties") !== undefined ||
    schema.keyword("additionalProperties") !== undefined ||
    schema.required.length > 0;
  const isAboutArrays = schema.keyword("items") !== undefined || schema.keyword("prefixItems") !== undefined;
  return [...(isAboutObjects ? ["object"] : []), ...(isAboutArrays ? ["array"] : [])];
}

/** An object whose property has one of some values. */
function withValues({ property, values }: PropertyValues): Type {
  const type = union(values.map(literal));
  return { kind: "object", members: [{ name: property, type, isOptional: true, docs: [] }], signatures: [] };
}
