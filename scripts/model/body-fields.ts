import type { BuildContext } from "./context.js";
import { isJson, isMediaType } from "./http-grammar.js";
import type { BodyField, ParameterStyle, ScalarType, WireType } from "./model.js";
import { type DocumentNode, getMember, listMembers, getText } from "./node.js";
import { collectDeclaredProperties, listConjuncts, listComposedParts } from "./schema/composition.js";
import type { Schema } from "./schema/schema.js";
import { inferMemberShapes, listUndeclaredSchemas } from "./member-shapes.js";
import { type Recursion, runRecursion } from "../run-recursion.js";
import { walkGraph } from "../walk-graph.js";
import { chooseAlternativeScalarType, impliesType, inferWireType } from "./wire-type.js";

type FormKind = "form" | "multipart";

const FORM_STYLES: readonly string[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];

/** Builds the fields of a form (`application/x-www-form-urlencoded`), or the parts of a multipart body. */
export function buildFields(
  mediaType: DocumentNode,
  schema: Schema | undefined,
  kind: FormKind,
  context: BuildContext,
): BodyField[] {
  const encodings = new Map(listMembers(getMember(mediaType, "encoding")));
  const properties = schema ? collectDeclaredProperties(schema) : new Map<string, readonly Schema[]>();
  for (const [name, encoding] of encodings) {
    if (!properties.has(name))
      context.warn(
        encoding,
        `The schema has no property ${JSON.stringify(name)}, so its encoding has no effect.`,
      );
  }
  return [...properties].map(([name, schemas]) =>
    buildField(name, schemas, encodings.get(name), kind, context),
  );
}

/**
 * Builds the field that stands for all fields without a declaration, from `additionalProperties` and `patternProperties`.
 * Returns undefined if they are text, or if these schemas describe fields of different types.
 */
export function buildUndeclaredField(
  schema: Schema,
  kind: FormKind,
  context: BuildContext,
): BodyField | undefined {
  const schemas = listUndeclaredSchemas(schema);
  if (schemas.length === 0) return undefined;
  const field = buildField("", schemas, undefined, kind, context);
  const isText = field.type === "string" && !field.file;
  return isText || new Set(schemas.map((each) => inferWireType(each))).size > 1 ? undefined : field;
}

function buildField(
  name: string,
  schemas: readonly Schema[],
  encoding: DocumentNode | undefined,
  kind: FormKind,
  context: BuildContext,
): BodyField {
  const contentTypes = readContentTypes(encoding, kind, context);
  const style = kind === "multipart" ? undefined : readFormStyle(encoding, context);
  const explode = encoding && getMember(encoding, "explode")?.value;
  const fileSchemas =
    kind === "multipart"
      ? schemas.flatMap((each) => [...runRecursion(listFileSchemas(each, contentTypes))])
      : [];
  const file = fileSchemas.length > 0;
  const text = file && schemas.every((each) => canBeText(each, contentTypes));
  for (const each of fileSchemas) context.schemas.addFileSchema(each, text);
  const schema = chooseFieldSchema(schemas);
  const wireType = inferWireType(schema);
  if (encoding) reportIgnoredMembers(encoding, name, kind, wireType, context);
  const scalarType = chooseFieldScalarType(schema, schemas);
  // With a style, the content type is ignored (OpenAPI 3.1.0, Encoding Object).
  const isJsonText = style === undefined && contentTypes.some(isJson);
  // A form has no syntax for objects without a style, so they are JSON.
  const isJsonObject = wireType === "object" && style === undefined;
  // A text of type `mixed` is JSON if it begins like an object or a list, otherwise a scalar.
  const jsonType = scalarType === undefined ? "json" : "mixed";
  const type = !file && wireType !== "array" && (isJsonText || isJsonObject) ? jsonType : wireType;
  const shapes = inferMemberShapes(schema, type, style === "deepObject");
  return {
    name,
    type: file && !text && type !== "array" ? "string" : type,
    ...shapes,
    itemType: type === "array" && isJsonText ? "json" : shapes.itemType,
    scalarType: type === "array" || type === "object" || type === "mixed" ? scalarType : undefined,
    style,
    explode:
      typeof explode === "boolean"
        ? explode
        : style === undefined || style === "form" || style === "deepObject",
    allowReserved: encoding !== undefined && getMember(encoding, "allowReserved")?.value === true,
    contentTypes,
    file,
    text,
  };
}

/**
 * Chooses the schema that determines how a field is read, for a field that several branches declare: an array, otherwise an
 * object, otherwise a scalar that is not a string. A string comes last, because it matches every text.
 */
function chooseFieldSchema(schemas: readonly Schema[]): Schema | undefined {
  const find = (isChosen: (type: WireType) => boolean): Schema | undefined =>
    schemas.find((schema) => isChosen(inferWireType(schema)));
  return (
    find((type) => type === "array") ??
    find((type) => type === "object") ??
    find((type) => type !== "string") ??
    schemas[0]
  );
}

/** Chooses the type of the scalar that a field allows instead of an array or object; undefined if it allows none. */
function chooseFieldScalarType(
  chosen: Schema | undefined,
  schemas: readonly Schema[],
): ScalarType | undefined {
  const hasScalarBranch = schemas.some((schema) => !isComposite(schema));
  return (
    chooseAlternativeScalarType(chosen) ?? (isComposite(chosen) && hasScalarBranch ? "string" : undefined)
  );
}

function isComposite(schema: Schema | undefined): boolean {
  return ["array", "object"].includes(inferWireType(schema));
}

/** Reads the content types that `encoding` declares for a part or a field. Reports and drops invalid ones. */
function readContentTypes(
  encoding: DocumentNode | undefined,
  kind: FormKind,
  context: BuildContext,
): string[] {
  if (!encoding) return [];
  const types = (getText(encoding, "contentType") ?? "").split(",").map((type) => type.trim());
  return types.filter((type) => {
    if (type === "" || isMediaType(type)) return type !== "";
    const problem = `The contentType has ${JSON.stringify(type)}, which is not a media type.`;
    if (kind === "multipart") context.error(encoding, problem);
    else context.warn(encoding, `${problem} It is ignored.`);
    return false;
  });
}

function reportIgnoredMembers(
  encoding: DocumentNode,
  name: string,
  kind: FormKind,
  wireType: WireType,
  context: BuildContext,
): void {
  const [style, explode, allowReserved] = ["style", "explode", "allowReserved"].map(
    (key) => getMember(encoding, key)?.value,
  );
  // A scalar is one part and an array one part per item, which is what `style: form` with `explode: true` declares.
  const isForm = wireType !== "object" && (style === undefined || style === "form");
  const ignored = [
    ...(style !== undefined && !isForm ? ["style"] : []),
    ...(explode === false || (explode === true && !isForm) ? ["explode"] : []),
    ...(allowReserved === true ? ["allowReserved"] : []),
  ];
  if (kind === "multipart" && ignored.length > 0)
    context.warn(
      encoding,
      `${ignored.join(", ")} of the part ${JSON.stringify(name)} is ignored. An array is sent as one part for each item, an object as JSON.`,
    );
  // Every part has these two headers: the content type is declared elsewhere, the disposition contains the name.
  const headers = listMembers(getMember(encoding, "headers")).map(([header]) => header.toLowerCase());
  if (headers.some((header) => header !== "content-type" && header !== "content-disposition"))
    context.warn(
      encoding,
      kind === "multipart"
        ? `Headers of the part ${JSON.stringify(name)} are neither required nor validated. Handlers get the headers that a file is sent with.`
        : `Headers of the field ${JSON.stringify(name)} are ignored. Only the parts of a multipart body have headers.`,
    );
}

/**
 * Reads the declared style of a form's field; undefined without one: objects are JSON then, and arrays are repeated (OpenAPI
 * 3.1.1, Encoding Object).
 */
function readFormStyle(
  encoding: DocumentNode | undefined,
  context: BuildContext,
): ParameterStyle | undefined {
  if (!encoding) return undefined;
  const style = getText(encoding, "style");
  if (style === undefined) {
    const impliesForm = ["explode", "allowReserved"].some((key) => getMember(encoding, key));
    return impliesForm ? "form" : undefined;
  }
  // Safe cast: FORM_STYLES has only parameter styles.
  if (FORM_STYLES.includes(style)) return style as ParameterStyle;
  context.error(
    encoding,
    `The style ${JSON.stringify(style)} is not supported in a form. Use ${FORM_STYLES.join(", ")}.`,
  );
  return undefined;
}

/**
 * Lists the schemas of a part whose values are files. OpenAPI 3.0 declares `format: binary`, 3.1 a `contentMediaType` without
 * `contentEncoding`, or no type at all. Strings with a content type that is not text are files, too, and so are arrays
 * and unions of files. Lists the schema with the `$ref` instead of its target, because the target can be text in another body.
 */
function* listFileSchemas(
  schema: Schema,
  contentTypes: string[],
  cache = new Map<Schema, ReadonlySet<Schema>>(),
): Recursion<ReadonlySet<Schema>> {
  const cached = cache.get(schema);
  if (cached) return cached;
  const files = new Set<Schema>();
  // Cached before its parts are visited, because one of them can refer to the schema.
  cache.set(schema, files);
  for (const part of listFileParts(schema)) {
    const partFiles = yield listFileSchemas(part, contentTypes, cache);
    if (part === schema.reference && partFiles.has(part)) files.add(schema);
    else for (const each of partFiles) files.add(each);
  }
  if (isFile(schema, contentTypes)) files.add(schema);
  // Without a content type, a conjunct that restricts nothing does not turn a typed value into a file.
  const parts = contentTypes.length === 0 && impliesType(schema) ? listConjuncts(schema) : [];
  if ([...files].every((each) => parts.includes(each) && allowsAnything(each))) files.clear();
  return files;
}

/** Whether a part whose schema describes files can be text instead: all other alternatives are scalars. */
function canBeText(schema: Schema, contentTypes: string[]): boolean {
  const texts = [...walkGraph([schema], listAlternatives)].filter(
    // A schema without types is that of a null.
    (each) => impliesType(each) && runRecursion(listFileSchemas(each, contentTypes)).size === 0,
  );
  return texts.length > 0 && texts.every((each) => !isComposite(each));
}

/** Lists the alternatives for a part, or for the items of an array. */
function listAlternatives(schema: Schema): readonly Schema[] {
  const items = schema.subschema("items");
  if (items) return [items];
  // A declared type would also restrict the placeholder of a file.
  if (schema.declaredTypes) return [];
  const branches = schema.unions.flat();
  const conjuncts = listConjuncts(schema);
  if (branches.length > 0) return conjuncts.length > 0 ? [] : branches;
  return conjuncts.length === 1 ? conjuncts : [];
}

/** Lists the schemas that describe the files of a schema: of the items of an array, or of a composition. */
function listFileParts(schema: Schema): readonly Schema[] {
  if (schema.text("format") === "binary" || isEncodedText(schema)) return [];
  const items = schema.subschema("items");
  return items ? [items] : listComposedParts(schema);
}

function isEncodedText(schema: Schema): boolean {
  return (
    schema.keyword("contentEncoding") !== undefined || /^(?:byte|base64)$/.test(schema.text("format") ?? "")
  );
}

/** Whether a schema without parts is the schema of a file. */
function isFile(schema: Schema, contentTypes: string[]): boolean {
  if (schema.booleanValue === true || schema.text("format") === "binary") return true;
  if (isEncodedText(schema) || listFileParts(schema).length > 0) return false;
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
