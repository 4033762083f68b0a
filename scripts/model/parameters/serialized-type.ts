import type { BuildContext } from "../context.js";
import { isJson } from "../http-grammar.js";
import type { HeaderScalarType, SerializedType } from "../model.js";
import type { ScalarType } from "../../../src/http/types.js";
import type { JsonValue } from "../../json.js";
import { isSchemaType, type SchemaType } from "../../json-schema/keywords.js";
import { listConjuncts, memoizeByDepth } from "../schema/composition.js";
import { getJsonType, listImpliedTypes } from "../schema/json-types.js";
import { type DocumentNode, getMember, listMembers } from "../node.js";
import type { Schema } from "../schema/schema.js";

// The serialized type of a schema: the type that the text of a parameter, a field or a header is converted to.

/** Maximum depth of composed schemas. Deeper schemas are treated like schemas without types. */
const MAX_DEPTH = 11;

const NO_TYPES: ReadonlySet<SchemaType> = new Set();

/**
 * Chooses the type to which a text is converted. It stays a string if there are no types, and if the schema allows strings: the runtime
 * converts it to a number or a Boolean if it is not valid as a string (`src/http/convert-and-validate.ts`).
 */
export function inferSerializedType(schema: Schema | undefined): Exclude<SerializedType, "json"> {
  const types = schema ? getAllowedTypes(schema) : NO_TYPES;
  if (types.has("array")) return "array";
  return types.has("object") ? "object" : chooseScalarType(types);
}

/** Reads the schema of a parameter or header, and the type of its text. `owner` has the schema: the node or its media type. */
export function readSerializedSchema(
  node: DocumentNode,
  context: BuildContext,
): { schema: Schema | undefined; type: SerializedType; owner: DocumentNode } {
  const [mediaType, content] = listMembers(getMember(node, "content"))[0] ?? [];
  const owner = (content && context.deref(content)) ?? node;
  const schema = context.findSchema(getMember(owner, "schema"));
  const type = inferSerializedType(schema);
  // In `content`, an array or an object is JSON in any media type.
  const isJsonText = mediaType !== undefined && (isJson(mediaType) || type === "array" || type === "object");
  return { schema, type: isJsonText ? "json" : type, owner };
}

/** Chooses the type of a scalar that a schema allows instead of an array or an object; undefined if it allows none. */
export function chooseAlternativeScalarType(schema: Schema | undefined): ScalarType | undefined {
  const types = schema ? getAllowedTypes(schema) : NO_TYPES;
  const scalars = new Set([...types].filter((type) => type !== "array" && type !== "object"));
  return scalars.size > 0 && scalars.size < types.size ? chooseScalarType(scalars) : undefined;
}

/** Whether a schema declares or implies the types of its values, with its references and composition. */
export function impliesType(schema: Schema): boolean {
  return getAllowedTypes(schema).size > 0;
}

const TEXT_KEYWORDS = ["pattern", "format", "minLength", "maxLength"];

/** Whether a schema implies the types of its values, or restricts texts. */
export function impliesTypeOrText(schema: Schema): boolean {
  return impliesType(schema) || TEXT_KEYWORDS.some((keyword) => schema.keyword(keyword) !== undefined);
}

/** Lists the types of the scalars that any of the schemas allows. */
export function listScalarTypes(schemas: readonly Schema[]): HeaderScalarType[] {
  const types = new Set(schemas.flatMap((schema) => [...getAllowedTypes(schema)]));
  if (types.has("integer")) types.add("number");
  return (["boolean", "number", "string"] as const).filter((type) => types.has(type));
}

/** Returns the types that a schema allows, with its references and composition; none if it declares none. */
const getAllowedTypes = memoizeByDepth(inferAllowedTypes, () => NO_TYPES, MAX_DEPTH);

function inferAllowedTypes(schema: Schema, depth: number): ReadonlySet<SchemaType> {
  const ownTypes = getOwnTypes(schema);
  if (ownTypes.size > 0) return ownTypes;
  const getEach = (schemas: readonly Schema[]): ReadonlySet<SchemaType>[] =>
    schemas.map((each) => getAllowedTypes(each, depth - 1)).filter(({ size }) => size > 0);
  // Every value matches every conjunct, so it has one of the types of the first one.
  const [conjunct] = getEach(listConjuncts(schema));
  if (conjunct) return conjunct;
  const branches = getEach(schema.unions.flat());
  return new Set(branches.length === 0 ? listImpliedTypes(schema) : branches.flatMap((types) => [...types]));
}

/** Returns the types that a schema declares, or those of its values, without null. */
function getOwnTypes({ declaredTypes, listedValues }: Schema): ReadonlySet<SchemaType> {
  const hasTypes = declaredTypes && declaredTypes.length > 0;
  const names = hasTypes ? declaredTypes : listedValues?.map(getSchemaType);
  return new Set(names?.filter(isSchemaType).filter((type) => type !== "null"));
}

function chooseScalarType(types: ReadonlySet<SchemaType>): ScalarType {
  if (types.has("string")) return "string";
  const hasNumber = types.has("number") || types.has("integer");
  if (types.has("boolean")) return hasNumber ? "numberOrBoolean" : "boolean";
  if (!hasNumber) return "string";
  return types.has("number") ? "number" : "integer";
}

function getSchemaType(value: JsonValue): string {
  return Number.isInteger(value) ? "integer" : getJsonType(value);
}
