import type { Parameter, ScalarType, WireShape, WireType } from "./model.js";
import { collectComposedSchemas } from "./schema/composition.js";
import type { Schema } from "./schema/schema.js";
import { chooseWireType } from "./wire-type.js";

/** Infers from a schema how the texts inside an array or an object are converted to values. */

/** Maximum depth of nested shapes, which recursive schemas would exceed. */
const MAX_DEPTH = 10;
/** Maximum number of shapes of a parameter. Schemas that refer to one another could have billions. */
const MAX_SHAPES = 500;

/** Limits of the shapes of one parameter. */
interface ShapeLimits {
  /** Depth of the current shape. */
  depth: number;
  /** Number of further shapes. All shapes of the parameter share this object. */
  budget: { remaining: number };
}

/** Infers the type of the items of an array header. */
export function inferItemType(schema: Schema | undefined): ScalarType {
  return toScalarType(inferItemShape(schema, false, createShapeLimits()));
}

/** Infers the types of the named properties of an object header. */
export function inferPropertyTypes(schema: Schema | undefined): Record<string, ScalarType> {
  const shapes = Object.entries(inferPropertyShapes(schema, false, createShapeLimits()));
  return Object.fromEntries(shapes.map(([name, shape]) => [name, toScalarType(shape)]));
}

/** Shapes of the values in an array or an object, as in the `Parameter` of the model. */
type MemberShapes = Pick<Parameter, "itemType" | "firstItemTypes" | "properties" | "additionalProperties">;

/**
 * Infers the shapes of the items of an array, or of the properties of an object. Values of other types have no properties,
 * and `string` as the type of their items.
 *
 * @param type the type of the whole value; `mixed` is text that may be JSON
 * @param supportsNesting whether the style can express arrays and objects inside others
 */
export function inferMemberShapes(
  schema: Schema | undefined,
  type: WireType | "mixed",
  supportsNesting: boolean,
): MemberShapes {
  const undeclaredShape =
    type === "object" ? inferUndeclaredShape(schema, supportsNesting, createShapeLimits()) : undefined;
  return {
    firstItemTypes: type === "array" ? inferFirstItemShapes(schema, supportsNesting) : [],
    itemType:
      type === "array"
        ? inferItemShape(schema, supportsNesting, createShapeLimits())
        : (undeclaredShape ?? "string"),
    properties: type === "object" ? inferPropertyShapes(schema, supportsNesting, createShapeLimits()) : {},
    additionalProperties: undeclaredShape !== undefined,
  };
}

function toScalarType(shape: WireShape): ScalarType {
  return typeof shape === "object" || shape === "json" ? "string" : shape;
}

/** Infers the shape of the items of an array schema; `string` if it declares none. */
function inferItemShape(
  schema: Schema | undefined,
  supportsNesting: boolean,
  limits: ShapeLimits,
): WireShape {
  for (const part of schema ? collectComposedSchemas(schema) : []) {
    const items = part.subschema("items");
    const [item] = items && items.boolean === undefined ? [items] : part.subschemaList("prefixItems");
    if (item) return deriveShape(item, supportsNesting, deepen(limits));
  }
  return "string";
}

/** Infers the shapes of the first items of an array schema. Returns none if all items have the same shape. */
function inferFirstItemShapes(schema: Schema | undefined, supportsNesting: boolean): WireShape[] {
  const parts = schema ? [...collectComposedSchemas(schema)] : [];
  const items = parts.map((part) => part.subschemaList("prefixItems")).find(({ length }) => length > 0) ?? [];
  const shapes = items.map((item) => deriveShape(item, supportsNesting, deepen(createShapeLimits())));
  const itemShape = inferItemShape(schema, supportsNesting, createShapeLimits());
  return shapes.every((shape) => JSON.stringify(shape) === JSON.stringify(itemShape)) ? [] : shapes;
}

/** Infers the shapes of the named properties of an object schema and of the schemas that it is composed of. */
function inferPropertyShapes(
  schema: Schema | undefined,
  supportsNesting: boolean,
  limits: ShapeLimits,
): Record<string, WireShape> {
  const shapes = new Map<string, WireShape>();
  for (const part of schema ? collectComposedSchemas(schema) : []) {
    for (const [name, property] of part.properties) {
      addShape(shapes, name, deriveShape(property, supportsNesting, deepen(limits)));
    }
  }
  return Object.fromEntries(shapes);
}

/** Adds the shape of a property, which several branches of a union can declare. */
function addShape(shapes: Map<string, WireShape>, name: string, shape: WireShape): void {
  const existing = shapes.get(name);
  shapes.set(name, existing === undefined ? shape : combineShapes(existing, shape));
}

/** Combines two shapes of one property, in any order: an array, otherwise an object, otherwise a string if they differ. */
function combineShapes(one: WireShape, other: WireShape): WireShape {
  if (typeof one !== "object") return typeof other === "object" || one === other ? other : "string";
  if (typeof other !== "object") return one;
  if ("items" in one) return "items" in other ? { items: combineShapes(one.items, other.items) } : one;
  if ("items" in other) return other;
  const properties = new Map(Object.entries(one.properties));
  for (const [name, shape] of Object.entries(other.properties)) addShape(properties, name, shape);
  return { properties: Object.fromEntries(properties), rest: combineShapes(one.rest, other.rest) };
}

/** Lists the schemas of an object schema for undeclared properties, in the order of the document. */
export function listUndeclaredSchemas(schema: Schema): Schema[] {
  return [...collectComposedSchemas(schema)].flatMap((part) => {
    const additional = part.subschema("additionalProperties");
    const schemas = [...(additional ? [additional] : []), ...part.subschemaMap("patternProperties").values()];
    return schemas.filter((each) => each.boolean === undefined);
  });
}

/**
 * Infers the shape of the undeclared properties of an object schema; undefined if it allows none. A schema that declares
 * properties is taken to be closed, although JSON Schema leaves it open.
 */
function inferUndeclaredShape(
  schema: Schema | undefined,
  supportsNesting: boolean,
  limits: ShapeLimits,
): WireShape | undefined {
  let shape: WireShape | undefined;
  let isClosed = false;
  for (const part of schema ? collectComposedSchemas(schema) : []) {
    isClosed ||= part.keyword("properties") !== undefined;
    const additional = part.subschema("additionalProperties");
    for (const undeclared of [
      ...(additional ? [additional] : []),
      ...part.subschemaMap("patternProperties").values(),
    ]) {
      if (undeclared.boolean === false) isClosed = true;
      else shape ??= deriveShape(undeclared, supportsNesting, deepen(limits));
    }
  }
  return shape ?? (isClosed ? undefined : "string");
}

function createShapeLimits(): ShapeLimits {
  return { depth: 0, budget: { remaining: MAX_SHAPES } };
}

function deepen({ depth, budget }: ShapeLimits): ShapeLimits {
  return { depth: depth + 1, budget };
}

function deriveShape(schema: Schema, supportsNesting: boolean, limits: ShapeLimits): WireShape {
  const type = chooseWireType(schema);
  if (type !== "array" && type !== "object") return type;
  if (!supportsNesting) return "json";
  limits.budget.remaining -= 1;
  // Shapes beyond the limits come from recursive schemas. Their values stay strings.
  if (limits.depth > MAX_DEPTH || limits.budget.remaining < 0) return "string";
  if (type === "array") return { items: inferItemShape(schema, supportsNesting, limits) };
  return {
    properties: inferPropertyShapes(schema, supportsNesting, limits),
    rest: inferUndeclaredShape(schema, supportsNesting, limits) ?? "string",
  };
}
