import { isObject, type JsonObject, type JsonValue } from "../../json.js";
import { describeDialectProblem } from "./dialects.js";
import type { Resource } from "./resource.js";

/** The keywords of a schema, rewritten in draft 2020-12. */
export interface NormalizedSchema {
  keywords: JsonObject;
  /** Whether null is allowed in addition to what the keywords allow (`nullable` of OpenAPI 3.0). */
  nullable: boolean;
  /** Reason why the schema cannot be read as draft 2020-12. */
  problem?: string | undefined;
}

/** Keywords beside a `$ref` of OpenAPI 3.0 that keep their meaning. The specification ignores all others. */
const BESIDE_REF_30: ReadonlySet<string> = new Set(
  "$ref readOnly writeOnly deprecated title description".split(" "),
);

/** Rewrites the keywords of one object schema, without its subschemas, in draft 2020-12. */
export function normalizeSchema(
  schema: JsonObject,
  pointer: string,
  { source, keywords: enabledKeywords, problem }: Resource,
): NormalizedSchema {
  const replacement = source.replacements?.get(pointer);
  if (replacement) return { keywords: replacement, nullable: false };
  if (source.dialect === "json-schema") {
    const keywords = enabledKeywords ? pickKeywords(schema, (key) => enabledKeywords.has(key)) : schema;
    return { keywords, nullable: false, problem };
  }
  const isOpenApi30 = source.dialect === "openapi-3.0";
  const nullable = schema.nullable === true;
  if (isOpenApi30 && typeof schema.$ref === "string")
    return { keywords: pickKeywords(schema, (key) => BESIDE_REF_30.has(key)), nullable };
  let keywords = convertExclusiveBound(schema, "exclusiveMinimum", "minimum");
  keywords = convertExclusiveBound(keywords, "exclusiveMaximum", "maximum");
  if (hasItemList(schema)) keywords = convertItemList(keywords);
  if (schema.example !== undefined && schema.examples === undefined)
    keywords = { ...keywords, examples: [schema.example] };
  return {
    keywords,
    nullable,
    problem: isOpenApi30 ? undefined : describeDialectProblem(schema, pointer, source.document),
  };
}

function pickKeywords(schema: JsonObject, isWanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => isWanted(key)));
}

/** Rewrites `minimum: 1, exclusiveMinimum: true` as `exclusiveMinimum: 1`, and the same for `maximum`. */
function convertExclusiveBound(
  schema: JsonObject,
  flag: "exclusiveMinimum" | "exclusiveMaximum",
  bound: "minimum" | "maximum",
): JsonObject {
  if (typeof schema[flag] !== "boolean") return schema;
  const { [flag]: isExclusive, ...others } = schema;
  const { [bound]: limit, ...rest } = others;
  return isExclusive && limit !== undefined ? { ...rest, [flag]: limit } : others;
}

/** Whether `items` is a list, as in earlier drafts. It is rewritten as `prefixItems`, and `additionalItems` as `items`. */
function hasItemList(schema: JsonValue): boolean {
  return isObject(schema) && Array.isArray(schema.items) && schema.items.length > 0;
}

function convertItemList({
  items: prefixItems = [],
  additionalItems: items,
  ...others
}: JsonObject): JsonObject {
  return { ...others, prefixItems, ...(items === undefined ? {} : { items }) };
}

/** Returns the name that a normalized keyword has in the document. */
export function getDeclaredKeyword(schema: JsonValue, keyword: string): string {
  if (!hasItemList(schema)) return keyword;
  return keyword === "prefixItems" ? "items" : keyword.replace(/^items$/, "additionalItems");
}

/** Removes property names from `required` and `dependentRequired`. */
export function removeRequiredNames(keywords: JsonObject, removed: ReadonlySet<string>): JsonObject {
  const without = (names: JsonValue): JsonValue =>
    Array.isArray(names) ? names.filter((name) => typeof name !== "string" || !removed.has(name)) : names;
  const { required, dependentRequired } = keywords;
  const result = { ...keywords };
  if (required !== undefined) result.required = without(required);
  if (isObject(dependentRequired)) {
    const entries = Object.entries(dependentRequired).map(([name, names]) => [name, without(names)]);
    result.dependentRequired = Object.fromEntries(entries);
  }
  return result;
}
