import { isDeepStrictEqual } from "node:util";
import { type JsonValue, isObject } from "../../json.js";
import { getOrCreate } from "../../maps.js";
import type { Api } from "../../model/model.js";
import { listConjuncts } from "../../model/schema/composition.js";
import {
  EMPTY_SCOPE,
  enterScope,
  resolveDynamicReference,
  resolvesDifferentlyInScope,
} from "../../model/schema/dynamic-scope.js";
import { getJsonType, getPossibleTypes, listImpliedTypes } from "../../model/schema/json-types.js";
import type { Schema } from "../../model/schema/schema.js";
import { SchemaError } from "../../model/schema/schema-error.js";
import { listUnions, TypeCycles, type Composition } from "./type-cycles.js";
import { DiscriminatedTypes } from "./discriminated-types.js";
import { collectConditionalProperties } from "../../model/schema/conditional-properties.js";
import { createSchemaDocs } from "./docs.js";
import { createIndexSignatures, listSingleNames, listsNames, parseNamePattern } from "./patterns.js";
import { createRequiredMember, isRequiredByParts, moveRequiredMembers } from "./required-members.js";
import {
  ANY_NAME,
  createIntersection,
  createLiteral,
  type Member,
  NEVER,
  NO_PROPERTIES,
  NULL,
  type IndexSignature,
  type Type,
  createUnion,
  UNKNOWN,
  createTypeName,
} from "./type.js";

/**
 * The schema whose type alias is being declared, and the composition in which the translated schema is a part of it.
 * TypeScript forbids an alias to refer to itself there. Undefined inside properties and items, where it may.
 */
interface AliasContext {
  owner: Schema;
  composition: Composition;
}

const SCALAR_TYPES: ReadonlyMap<string, Type> = new Map([
  ["string", createTypeName("string")],
  ["number", createTypeName("number")],
  ["integer", createTypeName("number")],
  ["boolean", createTypeName("boolean")],
  ["null", NULL],
]);

/**
 * Maximum number of schemas that are translated again where their type is printed inline. Each of them can contain others, so a few
 * schemas could stand for billions. Real documents hardly repeat any.
 */
const MAX_INLINED_SCHEMAS = 10_000;
/** Maximum nesting of such schemas in each other. */
const MAX_INLINING_DEPTH = 100;

/**
 * Translates schemas to types. A type allows every value that its schema allows, except for two conventions: a schema with
 * properties allows only objects, unless a union beside them lists other types, and the type of an object with properties lists only
 * the named ones.
 */
export class SchemaTypes {
  private readonly discriminated: DiscriminatedTypes;
  private readonly cycles: TypeCycles;
  /** Schemas whose type is being printed inline instead of a reference. */
  private readonly inlining = new Set<Schema>();
  private inlinedCount = 0;
  /** The targets of `$dynamicRef`s in the schema that is being translated. */
  private scope = EMPTY_SCOPE;

  /** @param names the schemas with declarations of their own, with the names of these */
  constructor(
    api: Api,
    private readonly names: ReadonlyMap<Schema, string>,
  ) {
    const declared = [...names.keys()];
    this.discriminated = new DiscriminatedTypes(api, declared);
    this.cycles = new TypeCycles(declared);
  }

  /** Returns the name of a schema's declaration; `unknown` if it has none. */
  getName(schema: Schema): string {
    return this.names.get(schema) ?? "unknown";
  }

  /** Translates a schema that has a declaration of its own. */
  translateDeclaration(schema: Schema): Type {
    const type = this.translate(schema, { owner: schema, composition: "intersection" });
    return this.discriminated.narrowComponent(schema, type);
  }

  /** Translates a schema where it is used. */
  translate(schema: Schema, context?: AliasContext): Type {
    if (schema.booleanValue === false || allowsEveryValue(schema.subschema("not"))) return NEVER;
    if (!isObject(schema.value)) return UNKNOWN;
    if (this.inlining.size > 0) this.inlinedCount += 1;
    if (this.inlinedCount > MAX_INLINED_SCHEMAS || this.inlining.size > MAX_INLINING_DEPTH)
      throw new SchemaError(
        schema,
        "a cycle of allOf, or $dynamicRefs with several targets, would repeat the types of schemas too often",
      );
    const outerScope = this.scope;
    this.scope = enterScope(outerScope, schema);
    const isUnion = schema.unions.length > 0;
    const unions = listUnions(schema).map((branches) => this.translateUnion(branches, schema, context));
    const type = this.translateWithUnions(schema, isUnion, unions, context);
    this.scope = outerScope;
    return type;
  }

  /** Translates the keywords of a schema, except unions, and intersects them with the given types. */
  private translateWithUnions(
    schema: Schema,
    isUnion: boolean,
    unions: readonly Type[],
    context: AliasContext | undefined,
  ): Type {
    const { reference, listedValues, nullable } = schema;
    const allOf = schema.subschemaList("allOf");
    // Outside of properties and items, the type of the target could make an alias circular.
    const dynamicTarget = context ? undefined : resolveDynamicReference(schema, this.scope);
    const isComposed = reference !== undefined || dynamicTarget !== undefined || allOf.length > 0 || isUnion;
    const ownType = listedValues
      ? createLiteralUnion(schema, listedValues)
      : this.translateKeywords(schema, isComposed);
    const { own, parts: conjuncts } = moveRequiredMembers(
      ownType,
      allOf.map((member) => this.translate(member, context)),
    );
    const parts = [
      ...(reference ? [this.translateReference(reference, context)] : []),
      ...(dynamicTarget ? [this.translateDynamicTarget(dynamicTarget, schema)] : []),
      ...(own && !(isUnion && schema.unions.some((branches) => isMixed(branches, schema))) ? [own] : []),
      ...conjuncts,
    ];
    if (refinesList(allOf)) parts.reverse();
    const type = createIntersection([...parts, ...unions]);
    return nullable ? createUnion([type, NULL]) : type;
  }

  private translateUnion(
    branches: readonly Schema[],
    owner: Schema,
    context: AliasContext | undefined,
  ): Type {
    const branchContext: AliasContext | undefined = context && { ...context, composition: "union" };
    const ownType = isMixed(branches, owner) ? this.translateKeywords(owner, true) : undefined;
    const types = branches.map((branch) => {
      const type = this.translate(branch, branchContext);
      if (type === NEVER) return type;
      const narrowed = this.discriminated.narrowBranch(branch, owner, type);
      return ownType && allowsImpliedType(branch, owner) ? createIntersection([ownType, narrowed]) : narrowed;
    });
    return createUnion(types);
  }

  private translateReference(target: Schema, context: AliasContext | undefined): Type {
    // TypeScript rejects a type alias that refers to itself outside of properties and items.
    const replacement = context && this.cycles.findReplacement(context.owner, target, context.composition);
    if (context && replacement === "omitted") return context.owner === target ? NEVER : UNKNOWN;
    if (context && replacement === "base") return this.translateBase(target, context.owner);
    if (resolvesDifferentlyInScope(target, this.scope) && !this.inlining.has(target))
      return this.inline(target, () => this.translate(target, context));
    return createTypeName(this.getName(target));
  }

  /** Translates the target of a `$dynamicRef` in the variant of the schema that contains it. */
  private translateDynamicTarget(target: Schema, { variant }: Schema): Type {
    const targetVariant = target[variant?.direction ?? "response"];
    return this.names.has(targetVariant) || this.inlining.has(targetVariant)
      ? createTypeName(this.getName(targetVariant))
      : this.inline(targetVariant, () => this.translate(targetVariant));
  }

  private inline(target: Schema, translate: () => Type): Type {
    this.inlining.add(target);
    const type = translate();
    this.inlining.delete(target);
    return type;
  }

  /** Translates a schema without its unions, written instead of a reference to it. */
  private translateBase(target: Schema, owner: Schema): Type {
    if (this.inlining.has(target) || target === owner) return UNKNOWN;
    const context: AliasContext = { owner, composition: "intersection" };
    return this.inline(target, () => this.translateWithUnions(target, false, [], context));
  }

  /** Translates `type` and the keywords for arrays and objects; undefined when they describe no type. */
  private translateKeywords(schema: Schema, isComposed: boolean): Type | undefined {
    const types = schema.declaredTypes ?? listImpliedTypes(schema);
    if (types.length === 0) return undefined;
    const parts: Type[] = [];
    for (const type of types) {
      const scalar = SCALAR_TYPES.get(type);
      if (scalar) parts.push(scalar);
      else if (type === "array") {
        // The composed schemas describe the items.
        if (types.length === 1 && isComposed && isListByParts(schema)) return undefined;
        parts.push(this.translateArray(schema));
      } else if (type === "object") {
        const object = this.translateObject(schema, isComposed);
        if (object) parts.push(object);
        // The composed schemas describe the object.
        else if (types.length === 1) return undefined;
        else parts.push(createTypeName("object"));
      } else return undefined;
    }
    return createUnion(parts);
  }

  private translateArray(schema: Schema): Type {
    const items = schema.subschema("items");
    const prefixItems = schema.subschemaList("prefixItems");
    if (prefixItems.length === 0) {
      if (items?.booleanValue === false)
        return { kind: "tuple", items: [], requiredCount: 0, rest: undefined };
      return { kind: "array", item: items ? this.translate(items) : UNKNOWN };
    }
    const restItems = items ?? schema.subschema("unevaluatedItems");
    const { minItems, maxItems } = schema.keywords;
    const maxCount = typeof maxItems === "number" ? maxItems : Infinity;
    const types = prefixItems.slice(0, maxCount).map((item) => this.translate(item));
    const isClosed = restItems?.booleanValue === false || maxCount <= types.length;
    return {
      kind: "tuple",
      items: types,
      requiredCount: typeof minItems === "number" ? minItems : 0,
      rest: isClosed ? undefined : restItems ? this.translate(restItems) : UNKNOWN,
    };
  }

  /** Translates an object with its properties; undefined when only the type is declared and other schemas describe the rest. */
  private translateObject(schema: Schema, isComposed: boolean): Type | undefined {
    const required = new Set(schema.required);
    // A name that is also the only one of a pattern has the type of the pattern, which always applies.
    const named = new Map([
      ...[...schema.properties].map(([name, property]) => [name, [property]] as const),
      ...collectConditionalProperties(schema),
      ...listSingleNames(schema),
    ]);
    const members = [...named].map(([name, schemas]): Member => ({
      name,
      type: createUnion(schemas.map((each) => this.translate(each))),
      isOptional: !required.has(name),
      docs: schemas[0] ? createSchemaDocs(schemas[0]) : [],
    }));
    const patterns = this.translatePatternProperties(schema);
    const additional = this.translateAdditionalProperties(schema, isComposed);
    const names = schema.subschema("propertyNames");
    if (members.length + patterns.length + required.size === 0 && names && listsNames(names))
      return { kind: "mapped", keys: this.translate(names), value: additional ?? UNKNOWN };
    const known = new Set(members.map(({ name }) => name));
    for (const name of required)
      if (!known.has(name) && !isRequiredByParts(schema, name))
        members.push(createRequiredMember(name, patterns, additional));
    const signatures = createIndexSignatures(patterns, additional, members);
    if (members.length + signatures.length > 0) return { kind: "object", members, signatures };
    if (isComposed) return undefined;
    const isClosed = ["additionalProperties", "unevaluatedProperties"].some(
      (keyword) => schema.subschema(keyword)?.booleanValue === false,
    );
    return isClosed
      ? NO_PROPERTIES
      : { kind: "object", members, signatures: [{ pattern: ANY_NAME, type: UNKNOWN }] };
  }

  /** Translates the `patternProperties` whose patterns match several names. */
  private translatePatternProperties(schema: Schema): IndexSignature[] {
    return [...schema.subschemaMap("patternProperties")].flatMap(([source, property]) => {
      const pattern = parseNamePattern(source);
      if ("only" in pattern) return [];
      const type = this.translate(property);
      return type === NEVER ? [] : [{ pattern, type }];
    });
  }

  /** Translates the properties that have neither a name nor a pattern; undefined if there can be none. */
  private translateAdditionalProperties(schema: Schema, isComposed: boolean): Type | undefined {
    const unevaluated = schema.subschema("unevaluatedProperties");
    // Composed schemas evaluate properties, too. An index signature cannot exclude them, so it allows any value.
    const hasOtherEvaluatedProperties =
      isComposed && unevaluated !== undefined && unevaluated.booleanValue === undefined;
    const additionalSchema = schema.subschema("additionalProperties");
    const additional = additionalSchema
      ? this.translate(additionalSchema)
      : hasOtherEvaluatedProperties
        ? UNKNOWN
        : unevaluated && this.translate(unevaluated);
    return additional === NEVER ? undefined : additional;
  }
}

/**
 * Whether a member of `allOf` declares other items for a list that an earlier one declares. Callbacks of methods such as `map` of
 * `Earlier[] & Later[]` get items of the first type, so the later type, which is more specific, must come first.
 */
function refinesList(members: readonly Schema[]): boolean {
  const itemsByName = new Map<string, Schema>();
  for (const member of members) {
    for (const [name, property] of (member.reference ?? member).properties) {
      const items = property.subschema("items");
      if (!items) continue;
      const earlier = getOrCreate(itemsByName, name, () => items);
      if (!isDeepStrictEqual(earlier.value, items.value)) return true;
    }
  }
  return false;
}

/** Whether a schema declares no items, and a schema that it is composed of, or each branch of its union, allows only lists. */
function isListByParts(schema: Schema): boolean {
  const allowsOnlyLists = (part: Schema): boolean =>
    [...getPossibleTypes(part)].join() === "array" ||
    (!part.declaredTypes && listImpliedTypes(part).join() === "array");
  const alternatives = [...listConjuncts(schema).map((part) => [part]), ...schema.unions];
  return listImpliedTypes(schema).length === 0 && alternatives.some((parts) => parts.every(allowsOnlyLists));
}

function allowsEveryValue(schema: Schema | undefined): boolean {
  return schema?.booleanValue === true || (isObject(schema?.value) && Object.keys(schema.value).length === 0);
}

/**
 * Whether a branch of a union allows none of the types that the keywords beside it imply: `properties` beside a string and an object
 * describe only the object.
 */
function isMixed(branches: readonly Schema[], owner: Schema): boolean {
  const hasImpliedTypes = !owner.declaredTypes && !owner.listedValues && listImpliedTypes(owner).length > 0;
  return hasImpliedTypes && !branches.every((branch) => allowsImpliedType(branch, owner));
}

function allowsImpliedType(branch: Schema, owner: Schema): boolean {
  return listImpliedTypes(owner).some((type) => getPossibleTypes(branch).has(type));
}

/** Creates a union of the values of `const` or `enum` that the declared types allow. */
function createLiteralUnion(schema: Schema, listed: readonly JsonValue[]): Type {
  const { declaredTypes } = schema;
  const isOfType = (value: JsonValue, type: string): boolean =>
    type === "integer" ? Number.isInteger(value) : getJsonType(value) === type;
  const values = listed.filter((value) => declaredTypes?.some((type) => isOfType(value, type)) ?? true);
  return createUnion(values.map(createLiteral));
}
