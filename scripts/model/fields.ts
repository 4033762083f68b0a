import type { BuildContext } from "./context.js";
import { isMediaType } from "./grammar.js";
import type { BodyField, ParameterStyle } from "./model.js";
import { type Node, child, entries, text } from "./node.js";
import { composed, knownProperties } from "./schema/composition.js";
import type { Schema } from "./schema/schema.js";
import { alternativeType, itemShape, propertyShapes, restShape, wireType } from "./wire.js";

const FORM_STYLES: readonly string[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];

/** The fields of a form (`application/x-www-form-urlencoded`), or the parts of a multipart body. */
export function buildFields(
  mediaType: Node,
  schema: Schema | undefined,
  multipart: boolean,
  context: BuildContext,
): BodyField[] {
  const encodings = new Map(entries(child(mediaType, "encoding")));
  const properties = schema ? knownProperties(schema) : new Map<string, readonly Schema[]>();
  for (const [name, encoding] of encodings) {
    if (!properties.has(name)) {
      context.warn(encoding, `the schema has no property ${JSON.stringify(name)}; its encoding says nothing`);
    }
  }
  return [...properties].map(([name, schemas]) =>
    buildField(name, schemas, encodings.get(name), multipart, context),
  );
}

function buildField(
  name: string,
  schemas: readonly Schema[],
  encoding: Node | undefined,
  multipart: boolean,
  context: BuildContext,
): BodyField {
  const contentTypes = partTypes(encoding, multipart, context);
  const style = multipart ? undefined : formStyle(encoding, context);
  const explode = encoding && child(encoding, "explode")?.value;
  const file = multipart && schemas.some((schema) => isFile(schema, contentTypes));
  // Among different branches the most specific one decides: text only if all of them are text.
  const wires = schemas.map((schema) => wireType(schema));
  const best = ["array", "object"]
    .map((type) => wires.findIndex((wire) => wire === type))
    .find((at) => at !== -1);
  const schema =
    schemas[
      best ??
        Math.max(
          0,
          wires.findIndex((type) => type !== "string"),
        )
    ];
  const wire = wireType(schema);
  const allowsNesting = style === "deepObject";
  const json = contentTypes.some(isJson);
  const single = wires.some((each) => each !== "array" && each !== "object");
  const scalarType = alternativeType(schema) ?? (best !== undefined && single ? "string" : undefined);
  // A form has no syntax for objects, so they are JSON. Text that can be an object is one if it begins like one.
  const composed = wire === "object" && style === undefined;
  const type =
    !file && wire !== "array" && (json || composed) ? (scalarType === undefined ? "json" : "mixed") : wire;
  if (encoding) reportUnused(encoding, name, multipart, !composed && wire !== "object", context);
  const rest = type === "object" ? restShape(schema, allowsNesting) : undefined;
  return {
    name,
    type: file && type !== "array" ? "string" : type,
    itemType: type !== "array" ? (rest ?? "string") : json ? "json" : itemShape(schema, allowsNesting),
    properties: type === "object" ? propertyShapes(schema, allowsNesting) : {},
    scalarType: type === "array" || type === "object" || type === "mixed" ? scalarType : undefined,
    additionalProperties: rest !== undefined,
    style,
    explode:
      typeof explode === "boolean"
        ? explode
        : style === undefined || style === "form" || style === "deepObject",
    allowReserved: encoding !== undefined && child(encoding, "allowReserved")?.value === true,
    contentTypes,
    file,
  };
}

/** The content types that `encoding` declares for a part or a field. */
function partTypes(encoding: Node | undefined, multipart: boolean, context: BuildContext): string[] {
  if (!encoding) return [];
  const types = (text(encoding, "contentType") ?? "").split(",").map((type) => type.trim());
  return types.filter((type) => {
    if (type === "" || isMediaType(type)) return type !== "";
    const problem = `contentType has ${JSON.stringify(type)}, which is not a media type`;
    if (multipart) context.error(encoding, problem);
    else context.warn(encoding, `${problem}; it is ignored`);
    return false;
  });
}

/**
 * Warns about members of an encoding that have no effect.
 *
 * @param plain whether the part is a scalar or repeated for each item, so that the exploded style `form` has no effect
 */
function reportUnused(
  encoding: Node,
  name: string,
  multipart: boolean,
  plain: boolean,
  context: BuildContext,
): void {
  const says = (key: string): unknown => child(encoding, key)?.value;
  const asForm = plain && [undefined, "form"].some((style) => says("style") === style);
  const ignored = [
    ...(says("style") !== undefined && !asForm ? ["style"] : []),
    ...(says("explode") === false || (says("explode") === true && !asForm) ? ["explode"] : []),
    ...(says("allowReserved") === true ? ["allowReserved"] : []),
  ];
  if (multipart && ignored.length > 0) {
    context.warn(
      encoding,
      `${ignored.join(", ")} of the part ${JSON.stringify(name)} is ignored: a list is a part for each item, an object is JSON`,
    );
  }
  // Declared elsewhere in the document, or defined by HTML.
  const own = entries(child(encoding, "headers")).map(([header]) => header.toLowerCase());
  if (own.some((header) => header !== "content-type" && header !== "content-disposition")) {
    context.warn(
      encoding,
      multipart
        ? `headers of the part ${JSON.stringify(name)} are neither checked nor demanded: a file can be sent with them, and brings them along`
        : `headers of the field ${JSON.stringify(name)} are ignored: only the parts of a multipart body have some`,
    );
  }
}

/**
 * The declared style of a form's field. Without one, objects are JSON and arrays are repeated (OpenAPI 3.1.1, Encoding
 * Object).
 */
function formStyle(encoding: Node | undefined, context: BuildContext): ParameterStyle | undefined {
  if (!encoding) return undefined;
  const style = text(encoding, "style");
  if (style === undefined) {
    const named = ["explode", "allowReserved"].some((key) => child(encoding, key));
    return named ? "form" : undefined;
  }
  if (FORM_STYLES.includes(style)) return style as ParameterStyle; // one of those just looked up
  context.error(encoding, `style ${JSON.stringify(style)} is not one that the field of a form can have`);
  return undefined;
}

/**
 * Whether the content of a part is bytes. OpenAPI 3.0 declares `format: binary`, 3.1 a `contentMediaType` without
 * `contentEncoding`, or no type at all. Strings with a content type that is not text are files, too, and so are arrays
 * and unions of files.
 */
function isFile(schema: Schema, contentTypes: string[], seen = new Set<Schema>()): boolean {
  if (schema.boolean === true) return true;
  if (seen.has(schema)) return false;
  seen.add(schema);
  const encoding = schema.keyword("contentEncoding");
  const format = schema.text("format");
  if (format === "binary") return true;
  if (encoding !== undefined || format === "byte" || format === "base64") return false;
  const items = schema.one("items");
  if (items) return isFile(items, contentTypes, seen);
  const [, ...choices] = composed(schema);
  if (choices.length > 0) return choices.some((each) => isFile(each, contentTypes, seen));
  const mediaType = schema.text("contentMediaType");
  if (mediaType !== undefined) return isBinary(mediaType);
  const { declaredTypes } = schema;
  const isOpen = !["enum", "const", "properties", "additionalProperties", "not", "$dynamicRef", "$ref"].some(
    (keyword) => schema.keyword(keyword) !== undefined,
  );
  if (declaredTypes === undefined && isOpen) return contentTypes.length === 0 || contentTypes.some(isBinary);
  return declaredTypes?.includes("string") === true && contentTypes.some(isBinary);
}

function isJson(mediaType: string): boolean {
  return /^application\/json\b|\+json\b/i.test(mediaType);
}

function isBinary(mediaType: string): boolean {
  return (
    !isJson(mediaType) && !/^(?:text\/|application\/(?:xml|x-www-form-urlencoded)\b)|\+xml\b/i.test(mediaType)
  );
}
