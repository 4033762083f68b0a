import { isObject, type JsonObject, type JsonValue, parsePointer } from "../../json.js";
import {
  getKindOfMember,
  getSubschemaShape,
  KEYWORDS_BY_VOCABULARY,
  type ValueKind,
} from "../../json-schema/keywords.js";
import type { Resource } from "./resource.js";

// The dialects and vocabularies of JSON Schema that `$schema` and `jsonSchemaDialect` can declare. All are read as draft 2020-12.

const DRAFT_2020_12 = "https://json-schema.org/draft/2020-12/";

/** URI of the core vocabulary. Every schema uses it, even if its metaschema does not list it. */
const CORE_VOCABULARY = `${DRAFT_2020_12}vocab/core`;

/** Dialects that do not differ from draft 2020-12. The dialects of OpenAPI, which end with a date, only add annotations. */
const KNOWN_DIALECT =
  /^https:\/\/(?:json-schema\.org\/draft\/2020-12\/schema|spec\.openapis\.org\/oas\/3\.[12]\/(?:dialect|schema-base)\/[\w-]+)$/;

/** Earlier drafts of JSON Schema. Their schemas have the same meaning unless they use one of OLD_KEYWORDS. */
const OLD_DIALECT = /^https?:\/\/json-schema\.org\/(?:draft-0[34567]|draft\/2019-09)\//;

/** Keywords with a different meaning in earlier drafts, or without a meaning in draft 2020-12. */
const OLD_KEYWORDS: ReadonlySet<string> = new Set(
  "additionalItems dependencies disallow divisibleBy extends id $recursiveRef $recursiveAnchor".split(" "),
);

/** Returns the keywords that the metaschema of a resource enables, or the reason why the resource is not supported. */
export function readVocabulary(
  root: JsonValue,
  parent: Resource | undefined,
  findDocument: (uri: string) => JsonValue | undefined,
): Pick<Resource, "keywords" | "problem"> {
  const dialect = isObject(root) ? readDialect(root) : undefined;
  const isOpenApi = parent !== undefined && parent.source.dialect !== "json-schema";
  if (dialect === undefined || isOpenApi) return { keywords: parent?.keywords };
  if (KNOWN_DIALECT.test(dialect)) return { keywords: undefined };
  const metaschema = findDocument(dialect);
  if (!isObject(metaschema) || !isObject(metaschema.$vocabulary))
    return { keywords: undefined, problem: describeUnknownDialect(dialect) };
  const keywords = new Set(listVocabularyKeywords(CORE_VOCABULARY));
  for (const [uri, isRequired] of Object.entries(metaschema.$vocabulary)) {
    const supported = listVocabularyKeywords(uri);
    if (!supported && isRequired === true)
      return { keywords: undefined, problem: `the vocabulary ${JSON.stringify(uri)} is not known` };
    for (const keyword of supported ?? []) keywords.add(keyword);
  }
  return { keywords };
}

/**
 * Describes why a schema in an OpenAPI document cannot be read in the dialect that it or the document declares. Earlier drafts are supported
 * unless a keyword has changed since. Subschemas without `$schema` have no problem of their own.
 */
export function describeDialectProblem(
  schema: JsonObject,
  pointer: string,
  document: JsonValue,
): string | undefined {
  const dialect = readDialect(schema) ?? readDefaultDialect(document);
  if (dialect === undefined || KNOWN_DIALECT.test(dialect)) return undefined;
  if (schema.$schema === undefined && isSubschema(pointer)) return undefined;
  if (!OLD_DIALECT.test(dialect)) return describeUnknownDialect(dialect);
  const used = findOldKeyword(schema);
  return used === undefined
    ? undefined
    : `${used} means something else in ${dialect} than in draft 2020-12, which is what OpenAPI 3.1 uses`;
}

function isSubschema(pointer: string): boolean {
  let kind: ValueKind = "object";
  for (const key of parsePointer(pointer).slice(0, -1)) {
    kind = getKindOfMember(kind, key);
    if (kind === "schema") return true;
  }
  return false;
}

function readDialect({ $schema }: JsonObject): string | undefined {
  return typeof $schema === "string" ? $schema.replace(/#$/, "") : undefined;
}

function readDefaultDialect(document: JsonValue): string | undefined {
  return isObject(document) ? readDialect({ $schema: document.jsonSchemaDialect ?? null }) : undefined;
}

function describeUnknownDialect(dialect: string): string {
  return `the dialect ${JSON.stringify(dialect)} is not known; write it in draft 2020-12`;
}

/** Lists the keywords of the vocabulary with a URI; undefined if the vocabulary is not supported. */
function listVocabularyKeywords(uri: string): readonly string[] | undefined {
  const prefix = `${DRAFT_2020_12}vocab/`;
  return uri.startsWith(prefix) ? KEYWORDS_BY_VOCABULARY.get(uri.slice(prefix.length)) : undefined;
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
      const hasSameDialect = isObject(member) && member.$schema === undefined;
      const oldKeyword = hasSameDialect ? findOldKeyword(member) : undefined;
      if (oldKeyword !== undefined) return oldKeyword;
    }
  }
  return undefined;
}
