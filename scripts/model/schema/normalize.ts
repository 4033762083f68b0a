import { isObject, type JsonObject } from "../json.js";
import { holdsOf, KNOWN_DIALECTS, OLD_DIALECT, OLD_KEYWORDS } from "./keywords.js";
import type { Resource } from "./source.js";

/** The keywords of a schema in draft 2020-12. */
export interface Normalized {
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
export function normalize(schema: JsonObject, { source, keywords: used, problem }: Resource): Normalized {
  if (source.hasFiles === true && isBinary(schema)) return { keywords: {}, nullable: false };
  if (source.dialect === "json-schema") {
    const keywords = used ? pick(schema, (key) => used.has(key)) : schema;
    return { keywords, nullable: false, ...(problem === undefined ? {} : { problem }) };
  }
  const isOld = source.dialect === "openapi-3.0";
  const nullable = schema.nullable === true;
  if (isOld && typeof schema.$ref === "string") {
    return { keywords: pick(schema, (key) => BESIDE_REF_30.has(key)), nullable };
  }
  let keywords = schema;
  if (typeof schema.exclusiveMinimum === "boolean" || typeof schema.exclusiveMaximum === "boolean") {
    keywords = { ...keywords };
    convertBound(keywords, "exclusiveMinimum", "minimum");
    convertBound(keywords, "exclusiveMaximum", "maximum");
  }
  if (schema.example !== undefined && schema.examples === undefined) {
    keywords = { ...keywords, examples: [schema.example] };
  }
  const foreign = isOld ? undefined : dialectProblem(schema);
  return { keywords, nullable, ...(foreign === undefined ? {} : { problem: foreign }) };
}

/** OpenAPI 3.0 writes `format: binary`; 3.1 a content type without an encoding that would make it text. */
function isBinary(schema: JsonObject): boolean {
  return (
    schema.format === "binary" ||
    (typeof schema.contentMediaType === "string" && schema.contentEncoding === undefined)
  );
}

function pick(schema: JsonObject, isWanted: (key: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => isWanted(key)));
}

/** `exclusiveMinimum: true` makes an exclusive bound of `minimum`; false is the default. */
function convertBound(
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

/** The reason why a `$schema` is not supported. Earlier drafts are, unless the schema uses a keyword that changed. */
function dialectProblem(schema: JsonObject): string | undefined {
  if (typeof schema.$schema !== "string") return undefined;
  const dialect = schema.$schema.replace(/#$/, "");
  if (KNOWN_DIALECTS.has(dialect)) return undefined;
  if (!OLD_DIALECT.test(dialect)) {
    return `the dialect ${JSON.stringify(dialect)} is not known; write it in draft 2020-12`;
  }
  const used = oldKeyword(schema);
  return used === undefined
    ? undefined
    : `${used} means something else in ${dialect} than in draft 2020-12, which is what OpenAPI 3.1 uses`;
}

function oldKeyword(schema: JsonObject): string | undefined {
  const isBesideRef = (key: string): boolean =>
    holdsOf(key) !== undefined && key !== "$defs" && key !== "definitions";
  if (schema.$ref !== undefined && Object.keys(schema).some(isBesideRef)) return "a keyword beside $ref";
  for (const [key, value] of Object.entries(schema)) {
    if (OLD_KEYWORDS.has(key) || (key === "items" && Array.isArray(value))) return key;
    const holds = holdsOf(key);
    if (holds === undefined) continue;
    const members = holds === "one" ? [value] : Object.values(value ?? {});
    for (const member of members) {
      const found = isObject(member) ? oldKeyword(member) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
