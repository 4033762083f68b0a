import type { BuildContext } from "../context.js";
import { isJson } from "../http-grammar.js";
import type { HeaderScalarType, SerializedType } from "../model.js";
import type { ScalarType } from "../../../src/http/types.js";
import type { JsonValue } from "../../json.js";
import { isSchemaType, type SchemaType } from "../../json-schema/keywords.js";
import { tryCompile } from "../../json-schema/regular-expression.js";
import { listConjuncts, memoizeByDepth } from "../schema/composition.js";
import { getJsonType, listImpliedTypes } from "../schema/json-types.js";
import { type DocumentNode, getMember, listMembers } from "../node.js";
import type { Schema } from "../schema/schema.js";

// The serialized type of a schema: the type that the text of a parameter, a field or a header is converted to.

/** Maximum depth of composed schemas. Deeper schemas are treated like schemas without types. */
const MAX_DEPTH = 11;

/** Samples that show whether the strings of a schema can look like numbers. */
const NUMERALS = ["0", "1", "-1", "7", "42", "3.5", "100", "12345", "1700000000"];

/** String formats that neither numerals nor booleans match. */
const DISTINCT_FORMATS = new Set(
  "date date-time time duration uuid email idn-email ipv4 ipv6 uri url iri binary".split(" "),
);

/** The types that a schema allows, and the other types that its strings can look like. */
interface AllowedTypes {
  types: ReadonlySet<SchemaType>;
  ambiguousTypes: ReadonlySet<"number" | "boolean">;
}

const NO_TYPES: AllowedTypes = { types: new Set(), ambiguousTypes: new Set() };

/** Chooses the type to which a text is converted. It stays a string if there are no types, and if the schema allows a string like it. */
export function inferSerializedType(schema: Schema | undefined): Exclude<SerializedType, "json"> {
  const allowed = schema ? getAllowedTypes(schema) : NO_TYPES;
  if (allowed.types.has("array")) return "array";
  return allowed.types.has("object") ? "object" : chooseScalarType(allowed);
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
  const allowed = schema ? getAllowedTypes(schema) : NO_TYPES;
  const allowsContainer = allowed.types.has("array") || allowed.types.has("object");
  const allowsScalar = [...allowed.types].some((type) => type !== "array" && type !== "object");
  return allowsContainer && allowsScalar ? chooseScalarType(allowed) : undefined;
}

/** Whether a schema declares or implies the types of its values, with its references and composition. */
export function impliesType(schema: Schema): boolean {
  return getAllowedTypes(schema).types.size > 0;
}

const TEXT_KEYWORDS = ["pattern", "format", "minLength", "maxLength"];

/** Whether a schema implies the types of its values, or restricts texts. */
export function impliesTypeOrText(schema: Schema): boolean {
  return impliesType(schema) || TEXT_KEYWORDS.some((keyword) => schema.keyword(keyword) !== undefined);
}

/** Lists the types of the scalars that any of the schemas allows. */
export function listScalarTypes(schemas: readonly Schema[]): HeaderScalarType[] {
  const types = new Set(schemas.flatMap((schema) => [...getAllowedTypes(schema).types]));
  if (types.has("integer")) types.add("number");
  return (["boolean", "number", "string"] as const).filter((type) => types.has(type));
}

/** Returns the types that a schema allows, with its references and composition; none if it declares none. */
const getAllowedTypes = memoizeByDepth(inferAllowedTypes, () => NO_TYPES, MAX_DEPTH);

function inferAllowedTypes(schema: Schema, depth: number): AllowedTypes {
  const getEach = (schemas: readonly Schema[]): AllowedTypes[] =>
    schemas.map((each) => getAllowedTypes(each, depth - 1)).filter(({ types }) => types.size > 0);
  return combineAllowedTypes(schema, getEach(schema.unions.flat()), getEach(listConjuncts(schema)));
}

/** Combines the types that a schema declares itself with those of its union branches and conjuncts. */
function combineAllowedTypes(
  schema: Schema,
  branches: AllowedTypes[],
  conjuncts: AllowedTypes[],
): AllowedTypes {
  const ownTypes = getOwnTypes(schema);
  if (ownTypes.size > 0 && !ownTypes.has("string")) return { ...NO_TYPES, types: ownTypes };
  if (ownTypes.size > 0)
    return { types: ownTypes, ambiguousTypes: inferAmbiguousTypes(schema, [...branches, ...conjuncts]) };
  // Every value matches every conjunct, so it has one of the types of the first one.
  const [conjunct] = conjuncts;
  if (conjunct) return conjunct;
  if (branches.length === 0) return { ...NO_TYPES, types: new Set(listImpliedTypes(schema)) };
  return {
    types: new Set(branches.flatMap(({ types }) => [...types])),
    ambiguousTypes: new Set(branches.flatMap(({ ambiguousTypes }) => [...ambiguousTypes])),
  };
}

/** Returns the types that a schema declares, or those of its values, without null. */
function getOwnTypes({ declaredTypes, listedValues }: Schema): ReadonlySet<SchemaType> {
  const hasTypes = declaredTypes && declaredTypes.length > 0;
  const names = hasTypes ? declaredTypes : listedValues?.map(getSchemaType);
  return new Set(names?.filter(isSchemaType).filter((type) => type !== "null"));
}

/** Infers which other types the strings that a schema allows can look like: numerals, or `true` and `false`. */
function inferAmbiguousTypes(schema: Schema, composed: AllowedTypes[]): AllowedTypes["ambiguousTypes"] {
  const listedTexts = schema.listedValues?.filter((value) => typeof value === "string");
  const pattern = schema.text("pattern");
  const minLength = schema.keyword("minLength");
  const hasDistinctFormat = DISTINCT_FORMATS.has(schema.text("format") ?? "");
  const allowsText = (text: string): boolean =>
    !hasDistinctFormat &&
    (listedTexts?.includes(text) ?? true) &&
    (pattern === undefined || mayMatch(pattern, text)) &&
    (typeof minLength !== "number" || [...text].length >= minLength);
  // Listed strings are taken as they are, because a document lists only strings that its other keywords allow.
  const hasNumeral = listedTexts
    ? listedTexts.some((text) => Number.isFinite(Number(text)) && text !== "")
    : NUMERALS.some(allowsText);
  // Union branches and conjuncts that all allow strings restrict the strings further.
  const isRestricted = composed.length > 0 && composed.every(({ types }) => types.has("string"));
  const isPossible = { number: hasNumeral, boolean: ["true", "false"].some(allowsText) };
  const types = (["number", "boolean"] as const).filter(
    (type) =>
      isPossible[type] && (!isRestricted || composed.some(({ ambiguousTypes }) => ambiguousTypes.has(type))),
  );
  return new Set(types);
}

/** Whether a text may match a pattern. True for a pattern that could backtrack: with repeated groups or more than eight quantifiers. */
function mayMatch(pattern: string, text: string): boolean {
  if (/\)[*+{]/.test(pattern) || (pattern.match(/[*+?{]/g)?.length ?? 0) > 8) return true;
  return tryCompile(pattern, "u")?.test(text) ?? true;
}

function chooseScalarType({ types, ambiguousTypes }: AllowedTypes): ScalarType {
  const hasNumber = (types.has("number") || types.has("integer")) && !ambiguousTypes.has("number");
  const hasBoolean = types.has("boolean") && !ambiguousTypes.has("boolean");
  if (hasBoolean) return hasNumber ? "numberOrBoolean" : "boolean";
  if (!hasNumber) return "string";
  return types.has("number") ? "number" : "integer";
}

function getSchemaType(value: JsonValue): string {
  return Number.isInteger(value) ? "integer" : getJsonType(value);
}
