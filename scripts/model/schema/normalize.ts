import { isObject, type JsonObject, type JsonValue } from "../json.js";
import { getSubschemaShape, KNOWN_DIALECTS, OLD_DIALECT, OLD_KEYWORDS } from "./keywords.js";
import type { Resource } from "./resource.js";

/** The keywords of a schema, rewritten in draft 2020-12. */
export interface NormalizedSchema {
  keywords: JsonObject;
  /** Whether null is allowed in addition to what the keywords allow (`nullable` of OpenAPI 3.0). */
  nullable: boolean;
  /** Why the schema cannot be read as draft 2020-12. */
  problem?: string;
}

/** Keywords beside a `$ref` of OpenAPI 3.0 that keep their meaning. The specification ignores all others. */
const BESIDE_REF_30: ReadonlySet<string> = new Set([
  "$ref",
  "readOnly",
  "writeOnly",
  "deprecated",
  "title",
  "description",
]);

/** Rewrites the keywords of one object schema, without its subschemas, in draft 2020-12. */
export function normalizeSchema(
  schema: JsonObject,
  { source, keywords: usedKeywords, problem }: Resource,
): NormalizedSchema {
  if (source.acceptsFiles === true && isBinary(schema)) return { keywords: {}, nullable: false };
  if (source.dialect === "json-schema") {
    const keywords = usedKeywords ? pickKeywords(schema, (key) => usedKeywords.has(key)) : schema;
    return { keywords, nullable: false, ...(problem === undefined ? {} : { problem }) };
  }
  const isOpenApi30 = source.dialect === "openapi-3.0";
  const nullable = schema.nullable === true;
  if (isOpenApi30 && typeof schema.$ref === "string") {
    return { keywords: pickKeywords(schema, (key) => BESIDE_REF_30.has(key)), nullable };
  }
  let keywords = schema;
  if (typeof schema.exclusiveMinimum === "boolean" || typeof schema.exclusiveMaximum === "boolean") {
    keywords = { ...keywords };
    convertExclusiveBound(keywords, "exclusiveMinimum", "minimum");
    convertExclusiveBound(keywords, "exclusiveMaximum", "maximum");
  }
  if (schema.example !== undefined && schema.examples === undefined) {
    keywords = { ...keywords, examples: [schema.example] };
  }
  const foreign = isOpenApi30 ? undefined : findDialectProblem(schema);
  return { keywords, nullable, ...(foreign === undefined ? {} : { problem: foreign }) };
}

/** Whether a schema is binary: `format: binary` in OpenAPI 3.0, `contentMediaType` without `contentEncoding` in 3.1. */
function isBinary(schema: JsonObject): boolean {
  return (
    schema.format === "binary" ||
    (typeof schema.contentMediaType === "string" && schema.contentEncoding === undefined)
  );
}

function pickKeywords(schema: JsonObject, isWanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => isWanted(key)));
}

/** Rewrites `minimum: 1, exclusiveMinimum: true` as `exclusiveMinimum: 1`, and the same for `maximum`. */
function convertExclusiveBound(
  schema: JsonObject,
  flag: "exclusiveMinimum" | "exclusiveMaximum",
  bound: "minimum" | "maximum",
): void {
  const exclusive = schema[flag];
  if (typeof exclusive !== "boolean") return;
  delete schema[flag];
  const limit = schema[bound];
  if (!exclusive || limit === undefined) return;
  schema[flag] = limit;
  delete schema[bound];
}

/** Returns why a `$schema` is not supported. Earlier drafts are supported unless a keyword has changed since. */
function findDialectProblem(schema: JsonObject): string | undefined {
  if (typeof schema.$schema !== "string") return undefined;
  const dialect = schema.$schema.replace(/#$/, "");
  if (KNOWN_DIALECTS.has(dialect)) return undefined;
  if (!OLD_DIALECT.test(dialect)) {
    return `the dialect ${JSON.stringify(dialect)} is not known; write it in draft 2020-12`;
  }
  const used = findOldKeyword(schema);
  return used === undefined
    ? undefined
    : `${used} means something else in ${dialect} than in draft 2020-12, which is what OpenAPI 3.1 uses`;
}

function findOldKeyword(schema: JsonObject): string | undefined {
  const hasSubschemas = (key: string): boolean =>
    getSubschemaShape(key) !== undefined && key !== "$defs" && key !== "definitions";
  if (schema.$ref !== undefined && Object.keys(schema).some(hasSubschemas)) return "a keyword beside $ref";
  for (const [key, value] of Object.entries(schema)) {
    if (OLD_KEYWORDS.has(key) || (key === "items" && Array.isArray(value))) return key;
    const shape = getSubschemaShape(key);
    if (shape === undefined) continue;
    const members: JsonValue[] = shape === "single" ? [value] : Object.values(value ?? {});
    for (const member of members) {
      const found = isObject(member) ? findOldKeyword(member) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
