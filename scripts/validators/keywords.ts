/**
 * What the keywords of JSON Schema, draft 2020-12, are made of: which of them hold schemas, and which vocabulary each
 * belongs to.
 */

/** How a keyword holds schemas: one, a list of them, or an object of them by name. */
export type Holds = "one" | "list" | "named";

export const SUBSCHEMAS: ReadonlyMap<string, Holds> = new Map<string, Holds>([
  ["$defs", "named"],
  ["definitions", "named"],
  ["properties", "named"],
  ["patternProperties", "named"],
  ["dependentSchemas", "named"],
  ["allOf", "list"],
  ["anyOf", "list"],
  ["oneOf", "list"],
  ["prefixItems", "list"],
  ["items", "one"],
  ["contains", "one"],
  ["additionalProperties", "one"],
  ["propertyNames", "one"],
  ["unevaluatedItems", "one"],
  ["unevaluatedProperties", "one"],
  ["not", "one"],
  ["if", "one"],
  ["then", "one"],
  ["else", "one"],
  ["contentSchema", "one"],
]);

/** Keywords whose value is data: it may look like a schema and is none. */
export const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "example", "examples"]);

const BASE = "https://json-schema.org/draft/2020-12/";

/** The dialects that are read as draft 2020-12: itself, and OpenAPI's, which adds annotations only. */
export const KNOWN_DIALECTS: ReadonlySet<string> = new Set([
  `${BASE}schema`,
  "https://spec.openapis.org/oas/3.1/dialect/base",
  "https://spec.openapis.org/oas/3.1/schema-base/2022-10-07",
  "https://spec.openapis.org/oas/3.2/dialect/base",
]);

/**
 * Earlier dialects, with the keywords that mean something else there, or nothing here. A schema that says it is
 * written in one and uses none of these means the same.
 */
export const OLD_DIALECT = /^https?:\/\/json-schema\.org\/(?:draft-0[34567]|draft\/2019-09)\//;
export const OLD_KEYWORDS: ReadonlySet<string> = new Set([
  "additionalItems",
  "dependencies",
  "disallow",
  "divisibleBy",
  "extends",
  "id",
  "$recursiveRef",
  "$recursiveAnchor",
]);

/** The keywords of the vocabularies that decide whether a value is valid. Those not listed here only annotate. */
export const VOCABULARIES: ReadonlyMap<string, readonly string[]> = new Map([
  [
    `${BASE}vocab/core`,
    ["$schema", "$id", "$anchor", "$dynamicAnchor", "$ref", "$dynamicRef", "$defs", "definitions"],
  ],
  [
    `${BASE}vocab/applicator`,
    [
      "prefixItems",
      "items",
      "contains",
      "additionalProperties",
      "properties",
      "patternProperties",
      "dependentSchemas",
      "propertyNames",
      "if",
      "then",
      "else",
      "allOf",
      "anyOf",
      "oneOf",
      "not",
    ],
  ],
  [`${BASE}vocab/unevaluated`, ["unevaluatedItems", "unevaluatedProperties"]],
  [
    `${BASE}vocab/validation`,
    [
      "type",
      "const",
      "enum",
      "multipleOf",
      "maximum",
      "exclusiveMaximum",
      "minimum",
      "exclusiveMinimum",
      "maxLength",
      "minLength",
      "pattern",
      "maxItems",
      "minItems",
      "uniqueItems",
      "maxContains",
      "minContains",
      "maxProperties",
      "minProperties",
      "required",
      "dependentRequired",
    ],
  ],
  [`${BASE}vocab/meta-data`, []],
  [`${BASE}vocab/format-annotation`, ["format"]],
  [`${BASE}vocab/content`, []],
]);
