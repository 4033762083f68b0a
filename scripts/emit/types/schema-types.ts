import type { JsonValue } from "../../model/model.js";
import { isObject } from "../../model/node.js";
import { getJsonType } from "../../model/schema/composition.js";
import type { SchemaGraph } from "../../model/schema/graph.js";
import type { Schema } from "../../model/schema/schema.js";
import { listUnions, type TypeCycles, type Composition } from "./type-cycles.js";
import { selectDiscriminatorValues } from "./discriminator-values.js";
import { describeSchema } from "./docs.js";
import { createIndexSignatures, matchesPattern, parseNamePattern } from "./patterns.js";
import {
  ANY_NAME,
  createIntersection,
  createLiteral,
  type Member,
  NEVER,
  NO_PROPERTIES,
  NULL,
  ANY_JSON_VALUE,
  type Signature,
  type Type,
  createUnion,
  UNKNOWN,
  createWord,
} from "./type.js";

/** The type alias that is being declared, and how it contains the schema. Not set inside properties and items. */
interface AliasContext {
  owner: Schema;
  composition: Composition;
}

const SCALAR_TYPES: ReadonlyMap<string, Type> = new Map([
  ["string", createWord("string")],
  ["number", createWord("number")],
  ["integer", createWord("number")],
  ["boolean", createWord("boolean")],
  ["null", NULL],
]);

/** The values that a discriminator allows for its property. */
interface PropertyValues {
  property: string;
  values: readonly JsonValue[];
}

/**
 * Translates schemas to types. A type allows every value that its schema allows, except for two conventions: a
 * schema with properties allows only objects, and the type of an object with properties lists only the named ones.
 */
export class SchemaTypes {
  private readonly inherited = new Map<Schema, PropertyValues[]>();
  /** Schemas whose base type is being printed inline. */
  private readonly inlining = new Set<Schema>();

  /** @param nameOf returns the name of the type alias for the target of a reference */
  constructor(
    private readonly graph: SchemaGraph,
    private readonly cycles: TypeCycles,
    private readonly nameOf: (schema: Schema) => string,
  ) {}

  /** Translates a schema that has a declaration of its own. */
  translateDeclaration(schema: Schema): Type {
    const type = this.translate(schema, { owner: schema, composition: "intersection" });
    return createIntersection([type, ...this.listInheritedValues(schema).map(createObjectWithValues)]);
  }

  /** Translates a schema where it is used. */
  translate(schema: Schema, context?: AliasContext): Type {
    if (schema.boolean === false) return NEVER;
    if (!isObject(schema.value)) return UNKNOWN;
    const isUnion = schema.unions.length > 0;
    const unions = listUnions(schema).map((branches) => this.translateUnion(branches, schema, context));
    return this.translateParts(schema, isUnion, unions, context);
  }

  /** Translates the keywords of a schema, except unions, and intersects them with the given types. */
  private translateParts(
    schema: Schema,
    isUnion: boolean,
    unions: readonly Type[],
    context: AliasContext | undefined,
  ): Type {
    const { reference, listedValues, nullable } = schema;
    const allOf = schema.subschemaList("allOf");
    const isComposed = reference !== undefined || allOf.length > 0 || isUnion;
    const own = listedValues
      ? createLiteralUnion(schema, listedValues)
      : this.translateKeywords(schema, isComposed);
    const type = createIntersection([
      ...(reference ? [this.translateReference(reference, context)] : []),
      ...(own ? [own] : []),
      ...allOf.map((member) => this.translate(member, context)),
      ...unions,
    ]);
    return nullable ? createUnion([type, NULL]) : type;
  }

  private translateUnion(
    branches: readonly Schema[],
    owner: Schema,
    context: AliasContext | undefined,
  ): Type {
    const { discriminator } = owner;
    const inner: AliasContext | undefined = context && { ...context, composition: "union" };
    const types = branches.map((branch): Type => {
      const type = this.translate(branch, inner);
      const target = branch.reference;
      if (!discriminator || !target || type === NEVER) return type;
      const { propertyName: property, mapping } = discriminator;
      const names = [...mapping].filter(([, schema]) => schema === target).map(([name]) => name);
      const values = selectDiscriminatorValues(target, property, names);
      const isKnown = this.listInheritedValues(target).some(
        (known) => known.property === property && JSON.stringify(known.values) === JSON.stringify(values),
      );
      return values && !isKnown
        ? createIntersection([type, createObjectWithValues({ property, values })])
        : type;
    });
    return createUnion(types);
  }

  /** Lists the discriminator values that a component inherits from the schemas that it extends. */
  private listInheritedValues(schema: Schema): readonly PropertyValues[] {
    const cached = this.inherited.get(schema);
    if (cached) return cached;
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
      const values = selectDiscriminatorValues(schema, discriminator.propertyName, names);
      if (values) found.push({ property: discriminator.propertyName, values });
    }
    return found;
  }

  private translateReference(target: Schema, context: AliasContext | undefined): Type {
    const replacement = context && this.cycles.findReplacement(context.owner, target, context.composition);
    if (context && replacement === "nothing") return context.owner === target ? NEVER : UNKNOWN;
    if (context && replacement === "base") return this.translateBase(target, context.owner);
    return createWord(this.nameOf(target));
  }

  /** Translates a schema without its unions, written instead of a reference to it. */
  private translateBase(target: Schema, owner: Schema): Type {
    if (this.inlining.has(target) || target === owner) return UNKNOWN;
    this.inlining.add(target);
    const type = this.translateParts(target, false, [], { owner, composition: "intersection" });
    this.inlining.delete(target);
    return type;
  }

  /** Translates `type` and the keywords for arrays and objects; undefined when they describe no type. */
  private translateKeywords(schema: Schema, isComposed: boolean): Type | undefined {
    const types = schema.declaredTypes ?? inferTypes(schema);
    if (types.length === 0) return undefined;
    const parts: Type[] = [];
    for (const type of types) {
      const scalar = SCALAR_TYPES.get(type);
      if (scalar) parts.push(scalar);
      else if (type === "array") parts.push(this.translateArray(schema));
      else if (type === "object") {
        const object = this.translateObject(schema, isComposed);
        if (object) parts.push(object);
        // The composed schemas describe the object.
        else if (types.length === 1) return undefined;
        else parts.push(createWord("object"));
      } else return undefined;
    }
    return createUnion(parts);
  }

  private translateArray(schema: Schema): Type {
    const items = schema.subschema("items");
    const first = schema.subschemaList("prefixItems");
    if (first.length === 0) {
      if (items?.boolean === false) return { kind: "tuple", items: [], requiredCount: 0, rest: undefined };
      return { kind: "array", item: items ? this.translate(items) : UNKNOWN };
    }
    const others = items ?? schema.subschema("unevaluatedItems");
    const minItems = schema.keyword("minItems");
    const maxItems = schema.keyword("maxItems");
    const most = typeof maxItems === "number" ? maxItems : Infinity;
    const types = first.slice(0, most).map((item) => this.translate(item));
    const isClosed = others?.boolean === false || most <= types.length;
    return {
      kind: "tuple",
      items: types,
      requiredCount: Math.min(typeof minItems === "number" ? minItems : 0, types.length),
      rest: isClosed ? undefined : others ? this.translate(others) : UNKNOWN,
    };
  }

  /** Translates an object with its properties; undefined when only the type is declared and other schemas describe the rest. */
  private translateObject(schema: Schema, isComposed: boolean): Type | undefined {
    const required = new Set(schema.required);
    const members = [...schema.properties].map(([name, property]): Member => ({
      name,
      type: this.translate(property),
      isOptional: !required.has(name),
      docs: describeSchema(property),
    }));
    const { only, patterns, additional } = this.translateUnnamedProperties(schema, isComposed);
    for (const { name, type } of only) {
      if (!schema.properties.has(name))
        members.push({ name, type, isOptional: !required.has(name), docs: [] });
    }
    const isOpen = additional === UNKNOWN;
    const names = new Set(members.map(({ name }) => name));
    for (const name of required) {
      if (names.has(name)) continue;
      const types = isOpen
        ? []
        : [...patterns, ...(additional ? [{ names: ANY_NAME, type: additional }] : [])]
            .filter(({ names }) => matchesPattern(name, names))
            .map(({ type }) => type);
      members.push({
        name,
        type: types.length > 0 ? createIntersection(types) : ANY_JSON_VALUE,
        isOptional: false,
        docs: [],
      });
    }
    const signatures = createIndexSignatures(patterns, additional, members);
    if (members.length + signatures.length > 0) return { kind: "object", members, signatures };
    if (isComposed) return undefined;
    const isEmpty = ["additionalProperties", "unevaluatedProperties"].some(
      (keyword) => schema.subschema(keyword)?.boolean === false,
    );
    return isEmpty
      ? NO_PROPERTIES
      : { kind: "object", members, signatures: [{ names: ANY_NAME, type: UNKNOWN }] };
  }

  /**
   * Translates the properties outside of `properties`: `only` has those whose pattern matches one name, `patterns` the
   * other patterns, and `additional` the type of all others, undefined if there can be no others.
   */
  private translateUnnamedProperties(
    schema: Schema,
    isComposed: boolean,
  ): { only: Pick<Member, "name" | "type">[]; patterns: Signature[]; additional: Type | undefined } {
    const only: Pick<Member, "name" | "type">[] = [];
    const patterns: Signature[] = [];
    for (const [pattern, property] of schema.subschemaMap("patternProperties")) {
      const type = this.translate(property);
      if (type === NEVER) continue;
      const names = parseNamePattern(pattern) ?? ANY_NAME;
      if ("only" in names) only.push({ name: names.only, type });
      else patterns.push({ names, type });
    }
    const unevaluated = schema.subschema("unevaluatedProperties");
    // Composed schemas evaluate properties, too, which the type of the rest cannot exclude.
    const isMixed = isComposed && unevaluated !== undefined && unevaluated.boolean === undefined;
    const rest = schema.subschema("additionalProperties");
    const additional = rest
      ? this.translate(rest)
      : isMixed
        ? UNKNOWN
        : unevaluated && this.translate(unevaluated);
    return { only, patterns, additional: additional === NEVER ? undefined : additional };
  }
}

function addParents(schema: Schema, ancestors: Set<Schema>): void {
  for (const { reference } of schema.subschemaList("allOf")) if (reference) ancestors.add(reference);
}

/** The values of `const` or `enum` that the declared types allow. */
function createLiteralUnion(schema: Schema, listed: readonly JsonValue[]): Type {
  const { declaredTypes } = schema;
  const values = listed.filter(
    (value) =>
      (typeof value !== "number" || Number.isFinite(value)) &&
      (!declaredTypes || declaredTypes.some((type) => isOfType(value, type))),
  );
  return createUnion(values.map(createLiteral));
}

function isOfType(value: JsonValue, type: string): boolean {
  return type === "integer" ? Number.isInteger(value) : getJsonType(value) === type;
}

/** Infers the types of a schema without `type` from its keywords for objects and arrays. */
function inferTypes(schema: Schema): string[] {
  const has = (keyword: string): boolean => schema.keyword(keyword) !== undefined;
  const isObjectSchema =
    ["properties", "patternProperties", "additionalProperties"].some(has) || schema.required.length > 0;
  const isArraySchema = ["items", "prefixItems"].some(has);
  return [...(isObjectSchema ? ["object"] : []), ...(isArraySchema ? ["array"] : [])];
}

/** Creates the type of an object whose property has one of the given values. */
function createObjectWithValues({ property, values }: PropertyValues): Type {
  const type = createUnion(values.map(createLiteral));
  return { kind: "object", members: [{ name: property, type, isOptional: true, docs: [] }], signatures: [] };
}
