import { isDeepStrictEqual } from "node:util";
import type { Parameter, ResponseHeader, ScalarType, ValueShape, WireType } from "./model.js";
import { collectComposedSchemas, collectDeclaredProperties } from "./schema/composition.js";
import type { Schema } from "./schema/schema.js";
import { chooseAlternativeScalarType, inferWireType, listScalarTypes } from "./wire-type.js";

// Infers from a schema how the texts inside an array or an object are converted to values.

/** Maximum depth of nested shapes, which recursive schemas would exceed. */
const MAX_SHAPE_DEPTH = 10;
/** Maximum number of nested shapes for each kind of member. Schemas that refer to one another could have billions. */
const MAX_SHAPES = 500;

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
    scalarTypes: listScalarTypes(type === "object" ? listUndeclaredSchemas(schema) : [...items, schema]),
    properties: Object.fromEntries(properties.map(([name, schemas]) => [name, listScalarTypes(schemas)])),
  };
}

/** Shapes of the values in an array or an object, as in the `Parameter` of the model. */
type MemberShapes = Pick<Parameter, "itemType" | "firstItemTypes" | "properties" | "additionalProperties">;

/**
 * Infers the shapes of the items of an array, or of the properties of an object. For any other type, the result has no
 * properties and the item type `string`.
 *
 * @param type the type of the whole value; `mixed` is text that may be JSON
 * @param supportsNesting whether the style can express arrays and objects inside others
 */
export function inferMemberShapes(
  schema: Schema | undefined,
  type: WireType | "mixed",
  supportsNesting: boolean,
): MemberShapes {
  const none: MemberShapes = {
    itemType: "string",
    firstItemTypes: [],
    properties: {},
    additionalProperties: false,
  };
  if (type === "array") {
    const itemType = new ShapeInference(supportsNesting).inferItems(schema);
    return { ...none, itemType, firstItemTypes: inferFirstItemShapes(schema, itemType, supportsNesting) };
  }
  if (type !== "object") return none;
  const undeclared = new ShapeInference(supportsNesting).inferUndeclared(schema);
  return {
    ...none,
    itemType: undeclared ?? "string",
    properties: new ShapeInference(supportsNesting).inferProperties(schema),
    additionalProperties: undeclared !== undefined,
  };
}

/** Infers the shapes of the first items of an array schema. Returns none if all items have the same shape. */
function inferFirstItemShapes(
  schema: Schema | undefined,
  itemType: ValueShape,
  supportsNesting: boolean,
): ValueShape[] {
  const parts = schema ? [...collectComposedSchemas(schema)] : [];
  const items = parts.map((part) => part.subschemaList("prefixItems")).find(({ length }) => length > 0) ?? [];
  const shapes = items.map((item) => new ShapeInference(supportsNesting).inferMember(item, 0));
  return shapes.every((shape) => isDeepStrictEqual(shape, itemType)) ? [] : shapes;
}

/** Infers the shapes inside a value. `depth` is the number of arrays and objects around it. */
class ShapeInference {
  private remainingShapes = MAX_SHAPES;

  constructor(private readonly supportsNesting: boolean) {}

  /** Infers the shape of the items of an array schema; `string` if it declares none. */
  inferItems(schema: Schema | undefined, depth = 0): ValueShape {
    for (const part of schema ? collectComposedSchemas(schema) : []) {
      const items = part.subschema("items");
      const [item] = items && items.booleanValue === undefined ? [items] : part.subschemaList("prefixItems");
      if (item) return this.inferMember(item, depth);
    }
    return "string";
  }

  /** Infers the shapes of the named properties of an object schema and of the schemas that it is composed of. */
  inferProperties(schema: Schema | undefined, depth = 0): Record<string, ValueShape> {
    const declared = schema ? [...collectDeclaredProperties(schema)] : [];
    const shapes = declared.map(([name, properties]) => [
      name,
      properties.map((property) => this.inferMember(property, depth)).reduce(combineShapes),
    ]);
    return Object.fromEntries(shapes);
  }

  /**
   * Infers the shape of the undeclared properties of an object schema; undefined if it allows none. A schema that declares
   * properties is taken to be closed, although JSON Schema leaves it open.
   */
  inferUndeclared(schema: Schema | undefined, depth = 0): ValueShape | undefined {
    let shape: ValueShape | undefined;
    let isClosed = false;
    for (const part of schema ? collectComposedSchemas(schema) : []) {
      isClosed ||= part.keyword("properties") !== undefined;
      for (const undeclared of listRemainderSchemas(part)) {
        if (undeclared.booleanValue === false) isClosed = true;
        else shape ??= this.inferMember(undeclared, depth);
      }
    }
    return shape ?? (isClosed ? undefined : "string");
  }

  inferMember(schema: Schema, outerDepth: number): ValueShape {
    const type = inferWireType(schema);
    if (type !== "array" && type !== "object") return type;
    if (!this.supportsNesting) return "json";
    const depth = outerDepth + 1;
    this.remainingShapes -= 1;
    // Shapes beyond the limits come from recursive schemas. Their values stay strings.
    if (depth > MAX_SHAPE_DEPTH || this.remainingShapes < 0) return "string";
    if (type === "array")
      return createListShape(this.inferItems(schema, depth), chooseAlternativeScalarType(schema));
    return {
      properties: this.inferProperties(schema, depth),
      rest: this.inferUndeclared(schema, depth) ?? "string",
    };
  }
}

function createListShape(items: ValueShape, scalarType: ScalarType | undefined): ValueShape {
  return { items, ...(scalarType === undefined ? {} : { scalarType }) };
}

/**
 * Combines two shapes of one property, which several branches of a union can declare: arrays win over objects, and objects over
 * scalars. Different scalars become a string.
 */
function combineShapes(one: ValueShape, other: ValueShape): ValueShape {
  if (typeof one !== "object") return typeof other === "object" || one === other ? other : "string";
  if (typeof other !== "object") return one;
  if ("items" in one) {
    if (!("items" in other)) return one;
    return createListShape(combineShapes(one.items, other.items), one.scalarType ?? other.scalarType);
  }
  if ("items" in other) return other;
  const properties = new Map(Object.entries(one.properties));
  for (const [name, shape] of Object.entries(other.properties)) {
    const existing = properties.get(name);
    properties.set(name, existing === undefined ? shape : combineShapes(existing, shape));
  }
  return { properties: Object.fromEntries(properties), rest: combineShapes(one.rest, other.rest) };
}

/** Lists the schemas for the undeclared properties of an object, in document order. */
export function listUndeclaredSchemas(schema: Schema): Schema[] {
  const schemas = [...collectComposedSchemas(schema)].flatMap(listRemainderSchemas);
  return schemas.filter((each) => each.booleanValue === undefined);
}

function listRemainderSchemas(schema: Schema): Schema[] {
  const additional = schema.subschema("additionalProperties");
  return [...(additional ? [additional] : []), ...schema.subschemaMap("patternProperties").values()];
}
