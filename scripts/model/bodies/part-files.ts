import { invertEdges, walkGraph } from "../../walk-graph.js";
import { isJson } from "../http-grammar.js";
import type { FileKind } from "../model.js";
import { listComposedParts, listConjuncts } from "../schema/composition.js";
import type { Schema } from "../schema/schema.js";
import { impliesType, inferSerializedType } from "../parameters/serialized-type.js";

interface PartFiles {
  /** The schemas whose values are files; none if the part is no file. */
  schemas: readonly Schema[];
  /** Whether the part is a file. It can be text instead if all other alternatives are scalars. */
  kind: FileKind | undefined;
}

/**
 * Finds the schemas of a part whose values are files. OpenAPI 3.0 declares `format: binary`, 3.1 a `contentMediaType` without
 * `contentEncoding`, or no type at all. Strings with a content type that is not text are files, too, and so are arrays
 * and unions of files. The result has the schema with the `$ref` instead of its target, because the target can be text in
 * another body.
 *
 * @param schemas the schemas of the part, which several branches can declare
 * @param canPartBe whether the part can be what a schema of it allows, for the declarations that apply together
 */
export function findPartFiles(
  schemas: readonly Schema[],
  contentTypes: readonly string[],
  canPartBe: (allows: (schema: Schema) => boolean) => boolean,
): PartFiles {
  const reached = [...walkGraph(schemas, listFileParts)];
  const listReferring = invertEdges(reached, ({ reference }) => (reference ? [reference] : []));
  const files = new Set(
    walkGraph(
      reached.filter((each) => isFile(each, contentTypes)),
      listReferring,
    ),
  );
  /** Lists the parts of a schema that make it the schema of a file if they are files themselves. */
  const listDecisiveParts = (schema: Schema): readonly Schema[] => {
    // Without a content type, a conjunct that restricts nothing does not turn a typed value into a file.
    const ignored = new Set(contentTypes.length === 0 && impliesType(schema) ? listConjuncts(schema) : []);
    return listFileParts(schema).filter(
      (part) => !(ignored.has(part) && files.has(part) && allowsAnything(part)),
    );
  };
  /** The schemas of files, and those with such a part. */
  const withFiles = new Set(walkGraph(files, invertEdges(reached, listDecisiveParts)));
  const listOwnParts = (schema: Schema): readonly Schema[] =>
    listFileParts(schema).filter(
      (part) => withFiles.has(part) && !(part === schema.reference && files.has(part)),
    );
  const roots = schemas.filter((each) => withFiles.has(each));
  const fileSchemas = [...walkGraph(roots, listOwnParts)].filter((each) => files.has(each));
  const allowsText = (schema: Schema): boolean => {
    const texts = [...walkGraph([schema], listPartAlternatives)].filter(
      // A schema without types is that of a null.
      (each) => impliesType(each) && !withFiles.has(each),
    );
    return texts.length > 0 && texts.every((each) => !isComposite(each));
  };
  if (fileSchemas.length === 0) return { schemas: [], kind: undefined };
  return { schemas: fileSchemas, kind: canPartBe(allowsText) ? "file or text" : "file" };
}

/** Lists the alternatives for a part, or for the items of an array. */
function listPartAlternatives(schema: Schema): readonly Schema[] {
  if (schema.subschema("items")) return listFileParts(schema);
  // A declared type would also restrict the placeholder of a file.
  if (schema.declaredTypes) return [];
  const parts = listFileParts(schema);
  // A conjunct beside others is no alternative.
  return parts.length > 1 && listConjuncts(schema).length > 0 ? [] : parts;
}

/** Whether a schema is that of an array or an object. */
export function isComposite(schema: Schema | undefined): boolean {
  return ["array", "object"].includes(inferSerializedType(schema));
}

/** Lists the schemas that describe the files of a schema: of the items of an array, or of a composition. */
function listFileParts(schema: Schema): readonly Schema[] {
  if (schema.text("format") === "binary" || isEncodedText(schema)) return [];
  const items = schema.subschema("items");
  if (!items) return listComposedParts(schema);
  // An array in an array is JSON, which contains no files.
  return items.subschema("items") ? [] : [items];
}

function isEncodedText(schema: Schema): boolean {
  return (
    schema.keyword("contentEncoding") !== undefined || /^(?:byte|base64)$/.test(schema.text("format") ?? "")
  );
}

/** Whether a schema without parts is the schema of a file. */
function isFile(schema: Schema, contentTypes: readonly string[]): boolean {
  if (schema.booleanValue === true || schema.text("format") === "binary") return true;
  if (isEncodedText(schema) || schema.subschema("items") || listFileParts(schema).length > 0) return false;
  const mediaType = schema.text("contentMediaType");
  if (mediaType !== undefined) return isBinaryType(mediaType);
  if (schema.declaredTypes) return schema.declaredTypes.includes("string") && contentTypes.some(isBinaryType);
  return allowsAnything(schema) && (contentTypes.length === 0 || contentTypes.some(isBinaryType));
}

/** Whether a schema restricts neither the types of a value nor its content. */
function allowsAnything(schema: Schema): boolean {
  return (
    schema.text("format") !== "binary" &&
    TYPE_RESTRICTIONS.every((keyword) => schema.keyword(keyword) === undefined)
  );
}

const TYPE_RESTRICTIONS =
  "type enum const properties additionalProperties not contentMediaType $dynamicRef $ref".split(" ");

function isBinaryType(mediaType: string): boolean {
  return (
    !isJson(mediaType) && !/^(?:text\/|application\/(?:xml|x-www-form-urlencoded)\b)|\+xml\b/i.test(mediaType)
  );
}
