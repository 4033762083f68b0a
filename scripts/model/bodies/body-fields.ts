import type { BuildContext } from "../context.js";
import { isJson, isMediaType } from "../http-grammar.js";
import type { BodyField, FileKind, MediaType, ParameterStyle, SerializedType } from "../model.js";
import type { FieldType, ScalarType } from "../../../src/http/types.js";
import { type DocumentNode, getMember, listMembers, isTrue, getText } from "../node.js";
import { readExplode } from "../parameters/parameters.js";
import { findPartFiles, isComposite } from "./part-files.js";
import { canPropertyBe, collectDeclaredProperties } from "../schema/composition.js";
import type { Schema } from "../schema/schema.js";
import { createJsonType, inferValueType, listAdditionalSchemas } from "../parameters/value-type.js";
import {
  chooseAlternativeScalarType,
  impliesTypeOrText,
  inferSerializedType,
} from "../parameters/serialized-type.js";

type FormKind = "form" | "multipart";

const FORM_STYLES: readonly string[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];

/** The fields of a form or the parts of a multipart body, and the schemas of the files in it. */
type BodyFields = Pick<MediaType, "fields" | "additionalField" | "files">;

export const NO_FIELDS: BodyFields = { fields: [], additionalField: undefined, files: new Map() };

/** The body whose fields are built. */
interface Body {
  context: BuildContext;
  kind: FormKind;
  /** The schema whose properties are the fields; undefined for fields without a declaration. */
  schema: Schema | undefined;
  files: Map<Schema, FileKind>;
}

/** Builds the fields of a form (`application/x-www-form-urlencoded`), or the parts of a multipart body. */
export function buildFields(
  mediaType: DocumentNode,
  schema: Schema | undefined,
  kind: FormKind,
  context: BuildContext,
): BodyFields {
  const body: Body = { context, kind, schema, files: new Map() };
  const encodings = new Map(listMembers(getMember(mediaType, "encoding")));
  const properties = schema ? collectDeclaredProperties(schema) : new Map<string, readonly Schema[]>();
  for (const [name, encoding] of encodings) {
    if (!properties.has(name))
      context.warn(
        encoding,
        `The schema has no property ${JSON.stringify(name)}, so its encoding has no effect.`,
      );
  }
  return {
    fields: [...properties].map(([name, schemas]) => buildField(name, schemas, encodings.get(name), body)),
    additionalField: schema && buildAdditionalField(schema, body),
    files: body.files,
  };
}

/**
 * Builds the field for all undeclared fields; undefined if they are text, or some are files and others objects. If they have several
 * types, the validator decides.
 */
function buildAdditionalField(schema: Schema, body: Body): BodyField | undefined {
  const schemas = listAdditionalSchemas(schema);
  if (schemas.length === 0) return undefined;
  const field = buildField("", schemas, undefined, { ...body, schema: undefined });
  if (new Set(schemas.map((each) => inferSerializedType(each))).size > 1)
    return field.file === "file" ? undefined : { ...field, type: { items: "string", scalarType: "string" } };
  return field.type === "string" && !field.file ? undefined : field;
}

function buildField(
  name: string,
  schemas: readonly Schema[],
  encoding: DocumentNode | undefined,
  body: Body,
): BodyField {
  const { kind, schema: bodySchema, files } = body;
  const contentTypes = readContentTypes(encoding, body);
  const declaredStyle = kind === "multipart" ? undefined : readFormStyle(encoding, body);
  const explode = readExplode(encoding, declaredStyle ?? "form");
  const allowReserved = isTrue(encoding, "allowReserved");
  // A field without a style is sent in the same way.
  const isDefaultStyle = declaredStyle === "form" && explode && !allowReserved;
  // A field without a type can be a text or a list of texts, like a query parameter.
  const isUntyped =
    kind === "form" && (declaredStyle === undefined || isDefaultStyle) && !schemas.some(impliesTypeOrText);
  const partSchemas = kind === "multipart" ? schemas : [];
  const canPartBe = (allows: (part: Schema) => boolean): boolean =>
    // Undeclared fields have different names, so each of them has one of the schemas.
    bodySchema ? canPropertyBe(bodySchema, name, allows) : schemas.some(allows);
  const { schemas: fileSchemas, kind: file } = findPartFiles(partSchemas, contentTypes, canPartBe);
  if (file) for (const each of fileSchemas) files.set(each, file);
  const schema = chooseFieldSchema(schemas);
  const serializedType = inferSerializedType(schema);
  if (encoding) reportIgnoredMembers(encoding, name, serializedType, body);
  const chooseType = (): FieldType => {
    if (file === "file" && serializedType !== "array") return "string";
    const scalarType = chooseFieldScalarType(schema, schemas);
    // With a style, the content type is ignored (OpenAPI 3.1.0, Encoding Object). Clients send the first of several.
    const isJsonText = declaredStyle === undefined && isJson(contentTypes[0] ?? "");
    if (serializedType === "array" && isJsonText) return { items: "json", scalarType };
    if (isJsonText && !file) return "json";
    // A form has no syntax for objects without a style, so they are JSON.
    if (serializedType === "object" && declaredStyle === undefined && !file)
      return createJsonType(scalarType);
    if (isUntyped && bodySchema) return { items: "string", scalarType: "string" };
    return inferValueType(schema, serializedType, declaredStyle === "deepObject", scalarType);
  };
  return {
    name,
    type: chooseType(),
    style: isUntyped ? undefined : declaredStyle,
    explode,
    allowReserved,
    contentTypes,
    file,
  };
}

/** Chooses the schema of a field that several branches declare: array, object, scalar, then string, because it matches every text. */
function chooseFieldSchema(schemas: readonly Schema[]): Schema | undefined {
  const find = (isChosen: (type: SerializedType) => boolean): Schema | undefined =>
    schemas.find((schema) => isChosen(inferSerializedType(schema)));
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

/** Reads the content types that `encoding` declares for a part or a field. Reports and drops invalid ones. */
function readContentTypes(encoding: DocumentNode | undefined, { context, kind }: Body): string[] {
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
  serializedType: SerializedType,
  { context, kind }: Body,
): void {
  const [style, explode, allowReserved] = ["style", "explode", "allowReserved"].map(
    (key) => getMember(encoding, key)?.value,
  );
  // A scalar is one part and an array one part per item, which is what `style: form` with `explode: true` declares.
  const isForm = serializedType !== "object" && (style === undefined || style === "form");
  const ignored = [
    ...(style !== undefined && !isForm ? ["style"] : []),
    ...(explode === false || (explode === true && !isForm) ? ["explode"] : []),
    ...(allowReserved === true ? ["allowReserved"] : []),
  ];
  if (kind === "multipart" && ignored.length > 0)
    context.warn(
      encoding,
      `${new Intl.ListFormat("en-GB").format(ignored)} of the part ${JSON.stringify(name)} ${ignored.length === 1 ? "is" : "are"} ignored. An array is sent as one part for each item, an object as JSON.`,
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

/** Reads the declared style of a form's field. Without one, objects are JSON and arrays are repeated (OpenAPI 3.1.1, Encoding Object). */
function readFormStyle(encoding: DocumentNode | undefined, { context }: Body): ParameterStyle | undefined {
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
