import { groupBy } from "../maps.js";

// The keyword table of JSON Schema, draft 2020-12, and of OpenAPI's additions to it.

/** The value of a keyword with subschemas: a single schema, a list of schemas, or an object of schemas by name. */
export type SubschemaShape = "single" | "list" | "map";

/** Keywords of one vocabulary with the same properties. */
interface KeywordGroup {
  vocabulary: string;
  names: string;
  shape?: SubschemaShape;
  /** Whether the subschemas apply to the same value as the schema that has the keyword. */
  inPlace?: true;
  /** Whether the keyword can make a value invalid. */
  asserts?: true;
}

const KEYWORD_GROUPS: readonly KeywordGroup[] = [
  { vocabulary: "core", names: "$schema $id $anchor $dynamicAnchor" },
  { vocabulary: "core", names: "$ref $dynamicRef", asserts: true },
  { vocabulary: "core", names: "$defs definitions", shape: "map" },
  {
    vocabulary: "applicator",
    names: "items contains additionalProperties propertyNames",
    shape: "single",
    asserts: true,
  },
  { vocabulary: "applicator", names: "prefixItems", shape: "list", asserts: true },
  { vocabulary: "applicator", names: "properties patternProperties", shape: "map", asserts: true },
  { vocabulary: "applicator", names: "not if then else", shape: "single", inPlace: true, asserts: true },
  { vocabulary: "applicator", names: "allOf anyOf oneOf", shape: "list", inPlace: true, asserts: true },
  { vocabulary: "applicator", names: "dependentSchemas", shape: "map", inPlace: true, asserts: true },
  {
    vocabulary: "unevaluated",
    names: "unevaluatedItems unevaluatedProperties",
    shape: "single",
    asserts: true,
  },
  {
    vocabulary: "validation",
    names:
      "type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired",
    asserts: true,
  },
  { vocabulary: "format-annotation", names: "format", asserts: true },
  { vocabulary: "content", names: "contentSchema", shape: "single" },
];

const KEYWORDS: ReadonlyMap<string, KeywordGroup> = new Map(
  KEYWORD_GROUPS.flatMap((group) =>
    group.names.split(" ").map((name): [string, KeywordGroup] => [name, group]),
  ),
);

export function getSubschemaShape(keyword: string): SubschemaShape | undefined {
  return KEYWORDS.get(keyword)?.shape;
}

const SCHEMA_TYPES = ["null", "boolean", "object", "array", "number", "integer", "string"] as const;

export type SchemaType = (typeof SCHEMA_TYPES)[number];

export function isSchemaType(value: unknown): value is SchemaType {
  return SCHEMA_TYPES.some((type) => type === value);
}

/** The kind of a value. `object` is any object of OpenAPI without a kind of its own, and `data` is a value without a meaning in OpenAPI. */
export type ValueKind = "schema" | "schemas" | "map" | "examples" | "example" | "object" | "data";

/** Returns the kind of a member of a value, or of an item of a list. */
export function getKindOfMember(kind: ValueKind, key: string): ValueKind {
  if (kind === "data") return "data";
  if (kind === "schemas") return "schema";
  if (kind === "map") return "object";
  if (kind === "examples") return "example";
  if (kind === "example") return key === "value" || key === "dataValue" ? "data" : "object";
  // In an object too: it can be the root of a file, which can be a schema. OpenAPI has no members with these names.
  const shape = getSubschemaShape(key);
  if (shape !== undefined) return shape === "single" ? "schema" : "schemas";
  if (kind === "schema") return key === "discriminator" ? "object" : "data";
  if (key === "schema" || key === "itemSchema") return "schema";
  if (key === "schemas") return "schemas";
  if (key === "examples") return "examples";
  if (OPENAPI_MAPS.has(key)) return "map";
  return DATA_MEMBERS.has(key) || key.startsWith("x-") ? "data" : "object";
}

/** Returns the kind of the value at a location of an OpenAPI document. In other files it is a guess: they can be any object. */
export function getKindAt(keys: readonly string[]): ValueKind {
  const [first, second] = keys;
  // A file that is a schema, whose examples are a list of values.
  if (first === "examples" && second !== undefined && /^\d+$/.test(second)) return "data";
  return keys.reduce<ValueKind>(getKindOfMember, "object");
}

/** Whether the subschemas of a keyword apply to the same value as the schema with the keyword. */
export function isInPlace(keyword: string): boolean {
  return KEYWORDS.get(keyword)?.inPlace === true;
}

/** Whether a keyword can make a value invalid, directly or through its subschemas. */
export function isAssertion(keyword: string): boolean {
  return KEYWORDS.get(keyword)?.asserts === true;
}

/** Members of OpenAPI's objects that are maps of objects: the author of the document chooses their keys. */
const OPENAPI_MAPS: ReadonlySet<string> = new Set(
  (
    "paths webhooks callbacks pathItems parameters requestBodies responses headers links " +
    "securitySchemes mediaTypes content encoding mapping variables scopes"
  ).split(" "),
);

/** Members whose value is data, even if it looks like a schema. */
const DATA_MEMBERS: ReadonlySet<string> = new Set("const enum default example".split(" "));

/** Names of keywords by vocabulary of draft 2020-12. Annotations, the vocabulary `meta-data`, have no meaning here. */
export const KEYWORDS_BY_VOCABULARY: ReadonlyMap<string, readonly string[]> = new Map([
  ...[...groupBy(KEYWORD_GROUPS, ({ vocabulary }) => vocabulary)].map(
    ([vocabulary, groups]): [string, string[]] => [
      vocabulary,
      groups.flatMap(({ names }) => names.split(" ")),
    ],
  ),
  ["meta-data", []],
]);
