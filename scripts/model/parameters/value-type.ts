import { isDeepStrictEqual } from "node:util";
import type { ResponseHeader, SerializedType } from "../model.js";
import type {
  FieldType,
  JsonOrScalar,
  ListType,
  ObjectType,
  ScalarType,
  ValueType,
} from "../../../src/http/types.js";
import { getOrCreate } from "../../maps.js";
import { collectComposedSchemas, collectDeclaredProperties } from "../schema/composition.js";
import type { Schema } from "../schema/schema.js";
import { chooseAlternativeScalarType, inferSerializedType, listScalarTypes } from "./serialized-type.js";

// Infers from a schema how the text of a value, and the texts inside an array or an object, are converted.

/** Maximum depth of nested types, which recursive schemas would exceed. */
const MAX_TYPE_DEPTH = 10;
/** Maximum number of nested types in a value. Schemas that refer to one another could have billions. */
const MAX_TYPES = 500;

/** Infers the types of the texts in a response header: of a scalar, of the items of an array, or of the members of an object. */
export function inferHeaderTypes(
  schema: Schema | undefined,
  type: ResponseHeader["type"],
): Pick<ResponseHeader, "scalarTypes" | "properties"> {
  if (!schema) return { scalarTypes: [], properties: {} };
  const items = [...collectComposedSchemas(schema)].flatMap((part) =>
    [...part.subschemaList("prefixItems"), part.subschema("items") ?? []].flat(),
  );
  const properties = [...collectDeclaredProperties(schema)];
  return {
    scalarTypes: listScalarTypes(type === "object" ? listAdditionalSchemas(schema) : [...items, schema]),
    properties: Object.fromEntries(properties.map(([name, schemas]) => [name, listScalarTypes(schemas)])),
  };
}

/** The types of values by schema, and by the other arguments of `inferValueType`. */
const valueTypes = new WeakMap<Schema, Map<string, ValueType>>();

/**
 * Infers the type of the value of a parameter or field. Those whose schema is a reference to the same component share it.
 *
 * @param type the serialized type of the whole value
 * @param supportsNesting whether the style can express arrays and objects inside others
 * @param scalarType the type of the scalar that is allowed instead of an array or an object
 */
export function inferValueType(
  schema: Schema | undefined,
  type: SerializedType,
  supportsNesting: boolean,
  scalarType: ScalarType | undefined,
): ValueType {
  const infer = (): ValueType => {
    const inference = new TypeInference(supportsNesting);
    if (type === "array") {
      const items = inference.inferItems(schema);
      return { items, prefixItems: inference.inferPrefixItems(schema, items), scalarType };
    }
    if (type !== "object") return type;
    return {
      properties: inference.inferProperties(schema),
      additionalProperties: inference.inferUndeclared(schema),
      scalarType,
    };
  };
  if (!schema) return infer();
  const isReference = Object.keys(schema.keywords).join() === "$ref";
  const types = getOrCreate(valueTypes, (isReference && schema.reference) || schema, () => new Map());
  return getOrCreate(types, `${type} ${supportsNesting} ${scalarType}`, infer);
}

/** Creates the type of JSON text, or of a scalar that is allowed instead. */
export function createJsonType(scalarType: ScalarType | undefined): FieldType {
  return scalarType === undefined ? "json" : { jsonOr: scalarType };
}

/** Infers the types inside a value. `depth` is the number of arrays and objects around it. */
class TypeInference {
  private remainingTypes = MAX_TYPES;

  constructor(private readonly supportsNesting: boolean) {}

  /** Infers the type of the items of an array schema; `string` if it declares none. */
  inferItems(schema: Schema | undefined, depth = 0): FieldType {
    for (const part of schema ? collectComposedSchemas(schema) : []) {
      const items = part.subschema("items");
      const [item] = items && items.booleanValue === undefined ? [items] : part.subschemaList("prefixItems");
      if (item) return this.inferMember(item, depth);
    }
    return "string";
  }

  /** Infers the types of the first items of an array schema; undefined if all items have the same type. */
  inferPrefixItems(schema: Schema | undefined, itemType: FieldType): FieldType[] | undefined {
    const parts = schema ? [...collectComposedSchemas(schema)] : [];
    const lists = parts.map((part) => part.subschemaList("prefixItems"));
    const items = lists.find(({ length }) => length > 0) ?? [];
    const types = items.map((item) => this.inferMember(item, 0));
    return types.every((type) => isDeepStrictEqual(type, itemType)) ? undefined : types;
  }

  /** Infers the types of the named properties of an object schema and of the schemas that it is composed of. */
  inferProperties(schema: Schema | undefined, depth = 0): Record<string, FieldType> {
    const declared = schema ? [...collectDeclaredProperties(schema)] : [];
    const types = declared.map(([name, properties]) => [
      name,
      properties.map((property) => this.inferProperty(property, depth)).reduce(combineTypes),
    ]);
    return Object.fromEntries(types);
  }

  /** Infers the type of undeclared properties; undefined if there are none. A schema that declares properties is taken to be closed. */
  inferUndeclared(schema: Schema | undefined, depth = 0): FieldType | undefined {
    let type: FieldType | undefined;
    let isClosed = false;
    for (const part of schema ? collectComposedSchemas(schema) : []) {
      isClosed ||= part.keyword("properties") !== undefined;
      for (const undeclared of listRemainderSchemas(part)) {
        if (undeclared.booleanValue === false) isClosed = true;
        else type ??= this.inferProperty(undeclared, depth);
      }
    }
    return type ?? (isClosed ? undefined : "string");
  }

  /** Infers the type of a property. A list can be several values with the name of the property, also without nesting. */
  private inferProperty(schema: Schema, outerDepth: number): FieldType {
    if (this.supportsNesting || inferSerializedType(schema) !== "array")
      return this.inferMember(schema, outerDepth);
    return { items: this.inferItems(schema), scalarType: chooseAlternativeScalarType(schema) };
  }

  inferMember(schema: Schema, outerDepth: number): FieldType {
    const type = inferSerializedType(schema);
    if (type !== "array" && type !== "object") return type;
    if (!this.supportsNesting) return createJsonType(chooseAlternativeScalarType(schema));
    const depth = outerDepth + 1;
    this.remainingTypes -= 1;
    // Types beyond the limits come from recursive schemas. Their values stay strings.
    if (depth > MAX_TYPE_DEPTH || this.remainingTypes < 0) return "string";
    if (type === "array")
      return { items: this.inferItems(schema, depth), scalarType: chooseAlternativeScalarType(schema) };
    return {
      properties: this.inferProperties(schema, depth),
      additionalProperties: this.inferUndeclared(schema, depth),
    };
  }
}

export function isListType(type: FieldType): type is ListType {
  return typeof type === "object" && "items" in type;
}

export function isObjectType(type: FieldType): type is ObjectType {
  return typeof type === "object" && "properties" in type;
}

export function isJsonOrScalar(type: FieldType): type is JsonOrScalar {
  return typeof type === "object" && "jsonOr" in type;
}

/**
 * Whether the items of a list or the members of an object can be lists or objects, which only the style deepObject can represent.
 *
 * @param isExploded whether a list in an object is repeated like a parameter
 */
export function hasNestedValues(type: ValueType, isExploded = false): boolean {
  const members: FieldType[] = isListType(type) ? [type.items, ...(type.prefixItems ?? [])] : [];
  if (isObjectType(type))
    members.push(...Object.values(type.properties), type.additionalProperties ?? "string");
  return members
    .map((member) => (isExploded && isListType(member) ? member.items : member))
    .some((member) => member === "json" || typeof member === "object");
}

/** Combines two types of one property: arrays win over objects, and objects over scalars. Different scalars become a string. */
function combineTypes(one: FieldType, other: FieldType): FieldType {
  if (typeof one !== "object") return typeof other === "object" || one === other ? other : "string";
  if (typeof other !== "object") return one;
  if (isListType(one)) {
    if (!isListType(other)) return one;
    const scalarType = one.scalarType ?? other.scalarType;
    return { items: combineTypes(one.items, other.items), scalarType };
  }
  if (isListType(other)) return other;
  if (isJsonOrScalar(one) || isJsonOrScalar(other)) return isJsonOrScalar(one) ? one : other;
  const properties = new Map(Object.entries(one.properties));
  for (const [name, type] of Object.entries(other.properties)) {
    const existing = properties.get(name);
    properties.set(name, existing === undefined ? type : combineTypes(existing, type));
  }
  const additionalProperties =
    one.additionalProperties && other.additionalProperties
      ? combineTypes(one.additionalProperties, other.additionalProperties)
      : (one.additionalProperties ?? other.additionalProperties);
  return { properties: Object.fromEntries(properties), additionalProperties };
}

/** Lists the schemas for the undeclared properties of an object, in document order. */
export function listAdditionalSchemas(schema: Schema): Schema[] {
  const schemas = [...collectComposedSchemas(schema)].flatMap(listRemainderSchemas);
  return schemas.filter((each) => each.booleanValue === undefined);
}

function listRemainderSchemas(schema: Schema): Schema[] {
  const additional = schema.subschema("additionalProperties");
  return [...(additional ? [additional] : []), ...schema.subschemaMap("patternProperties").values()];
}
