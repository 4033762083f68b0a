/** The keyword table of JSON Schema, draft 2020-12, and of OpenAPI's additions to it. */

/** The shape of a keyword with subschemas: one, a list of them, or an object of them by name. */
export type Holds = "one" | "list" | "named";

const BASE = "https://json-schema.org/draft/2020-12/";

/** Keywords of one vocabulary with the same properties. */
interface Group {
  vocabulary: string;
  names: string;
  holds?: Holds;
  /** Whether the subschemas apply to the same value as the schema that has the keyword. */
  inPlace?: true;
  /** Whether the keyword can make a value invalid. */
  asserts?: true;
}

const GROUPS: readonly Group[] = [
  { vocabulary: "core", names: "$schema $id $anchor $dynamicAnchor" },
  { vocabulary: "core", names: "$ref $dynamicRef", asserts: true },
  { vocabulary: "core", names: "$defs definitions", holds: "named" },
  {
    vocabulary: "applicator",
    names: "items contains additionalProperties propertyNames",
    holds: "one",
    asserts: true,
  },
  { vocabulary: "applicator", names: "prefixItems", holds: "list", asserts: true },
  { vocabulary: "applicator", names: "properties patternProperties", holds: "named", asserts: true },
  { vocabulary: "applicator", names: "not if then else", holds: "one", inPlace: true, asserts: true },
  { vocabulary: "applicator", names: "allOf anyOf oneOf", holds: "list", inPlace: true, asserts: true },
  { vocabulary: "applicator", names: "dependentSchemas", holds: "named", inPlace: true, asserts: true },
  { vocabulary: "unevaluated", names: "unevaluatedItems unevaluatedProperties", holds: "one", asserts: true },
  {
    vocabulary: "validation",
    names:
      "type const enum multipleOf maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems maxContains minContains maxProperties minProperties required dependentRequired",
    asserts: true,
  },
  { vocabulary: "format-annotation", names: "format", asserts: true },
  { vocabulary: "content", names: "contentSchema", holds: "one" },
];

const KEYWORDS: ReadonlyMap<string, Group> = new Map(
  GROUPS.flatMap((group) => group.names.split(" ").map((name): [string, Group] => [name, group])),
);

/** Returns the shape of a keyword with subschemas; undefined for a keyword without. */
export function holdsOf(keyword: string): Holds | undefined {
  return KEYWORDS.get(keyword)?.holds;
}

/** Whether the subschemas of a keyword apply to the same value as the schema itself. */
export function isInPlace(keyword: string): boolean {
  return KEYWORDS.get(keyword)?.inPlace === true;
}

/** Whether a keyword can make a value invalid, directly or through its subschemas. */
export function isAssertion(keyword: string): boolean {
  return KEYWORDS.get(keyword)?.asserts === true;
}

/** The keywords of a vocabulary by its URI; undefined for a vocabulary that is not known. */
export function vocabularyKeywords(uri: string): readonly string[] | undefined {
  const name = uri.startsWith(`${BASE}vocab/`) ? uri.slice(BASE.length + "vocab/".length) : "";
  if (!VOCABULARIES.has(name)) return undefined;
  return [...KEYWORDS].filter(([, { vocabulary }]) => vocabulary === name).map(([keyword]) => keyword);
}

/** The URI of the vocabulary that every schema uses, whether its metaschema names it or not. */
export const CORE_VOCABULARY = `${BASE}vocab/core`;

const VOCABULARIES: ReadonlySet<string> = new Set([
  ...GROUPS.map(({ vocabulary }) => vocabulary),
  "meta-data",
]);

/** Keywords whose value is data, even if it looks like a schema. */
export const DATA_KEYWORDS: ReadonlySet<string> = new Set([
  "const",
  "enum",
  "default",
  "example",
  "examples",
]);

/** The dialects that are read as draft 2020-12: itself, and OpenAPI's, which add only annotations. */
export const KNOWN_DIALECTS: ReadonlySet<string> = new Set([
  `${BASE}schema`,
  "https://spec.openapis.org/oas/3.1/dialect/base",
  "https://spec.openapis.org/oas/3.1/schema-base/2022-10-07",
  "https://spec.openapis.org/oas/3.2/dialect/base",
]);

/** Earlier drafts of JSON Schema. Their schemas have the same meaning unless they use one of OLD_KEYWORDS. */
export const OLD_DIALECT = /^https?:\/\/json-schema\.org\/(?:draft-0[34567]|draft\/2019-09)\//;

/** Keywords with a different meaning in earlier drafts, or without a meaning in draft 2020-12. */
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
