import { isMediaType } from "./grammar.js";
import type { BodyField, JsonObject, ParameterStyle } from "./model.js";
import { type Node, child, deref, entries, isObject, items, text } from "./node.js";
import type { Report } from "./report.js";
import { alternativeType, itemShape, propertyShapes, restShape, wireType } from "./schema.js";

/** Composition this deep is more than any document has; a cycle ends there too. */
const MAX_DEPTH = 10;

const FORM_STYLES: readonly string[] = ["form", "spaceDelimited", "pipeDelimited", "deepObject"];

/**
 * The properties of an object schema by name, those of its `allOf`, `anyOf` and `oneOf` members included: each with
 * every schema that it is given in one of them.
 */
export function propertySchemas(
  document: JsonObject,
  schema: Node | undefined,
  found = new Map<string, Node[]>(),
  depth = 0,
): Map<string, Node[]> {
  const node = schema && deref(document, schema);
  if (!node || depth > MAX_DEPTH) return found;
  for (const [name, property] of entries(child(node, "properties"))) {
    found.set(name, [...(found.get(name) ?? []), property]);
  }
  for (const key of ["allOf", "anyOf", "oneOf"]) {
    for (const member of items(child(node, key))) propertySchemas(document, member, found, depth + 1);
  }
  return found;
}

/** The fields of a form (`application/x-www-form-urlencoded`), or the parts of a multipart body. */
export function buildFields(mediaType: Node, multipart: boolean, report: Report): BodyField[] {
  const encodings = new Map(entries(child(mediaType, "encoding")));
  const properties = propertySchemas(report.document, child(mediaType, "schema"));
  for (const [name, encoding] of encodings) {
    if (!properties.has(name)) {
      report.warn(encoding, `the schema has no property ${JSON.stringify(name)}; its encoding says nothing`);
    }
  }
  return [...properties].map(([name, schemas]) =>
    buildField(name, schemas, encodings.get(name), multipart, report),
  );
}

function buildField(
  name: string,
  schemas: Node[],
  encoding: Node | undefined,
  multipart: boolean,
  report: Report,
): BodyField {
  const { document } = report;
  const contentTypes = partTypes(encoding, multipart, report);
  const style = multipart ? undefined : formStyle(encoding, report);
  const explode = encoding && child(encoding, "explode")?.value;
  const file = multipart && schemas.some((schema) => isFile(document, schema, contentTypes));
  // Where branches differ the one that says most decides: text only when none of them says anything else.
  const wires = schemas.map((schema) => wireType(document, schema));
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
  const wire = wireType(document, schema);
  const nests = style === "deepObject";
  const json = contentTypes.some(isJson);
  const single = wires.some((each) => each !== "array" && each !== "object");
  const or = alternativeType(document, schema) ?? (best !== undefined && single ? "string" : undefined);
  // A form has no members of its own for an object: it is JSON, where one may stand for it what begins like that.
  const composed = wire === "object" && style === undefined;
  const type = !file && wire !== "array" && (json || composed) ? (or === undefined ? "json" : "mixed") : wire;
  if (encoding) reportUnused(encoding, name, multipart, !composed && wire !== "object", report);
  const rest = type === "object" ? restShape(document, schema, nests) : undefined;
  return {
    name,
    type: file && type !== "array" ? "string" : type,
    itemType: type !== "array" ? (rest ?? "string") : json ? "json" : itemShape(document, schema, nests),
    properties: type === "object" ? propertyShapes(document, schema, nests) : {},
    or: type === "array" || type === "object" || type === "mixed" ? or : undefined,
    open: rest !== undefined,
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

/** The content types that `encoding` gives a part, or the value of a field; those of a part go into its head. */
function partTypes(encoding: Node | undefined, multipart: boolean, report: Report): string[] {
  if (!encoding) return [];
  const types = (text(encoding, "contentType") ?? "").split(",").map((type) => type.trim());
  return types.filter((type) => {
    if (type === "" || isMediaType(type)) return type !== "";
    const problem = `contentType has ${JSON.stringify(type)}, which is not a media type`;
    if (multipart) report.error(encoding, problem);
    else report.warn(encoding, `${problem}; it is ignored`);
    return false;
  });
}

/**
 * Says what of an encoding neither side heeds.
 * @param plain whether the part is a value, or one part for each item: then the style `form`, exploded, changes nothing
 */
function reportUnused(
  encoding: Node,
  name: string,
  multipart: boolean,
  plain: boolean,
  report: Report,
): void {
  const says = (key: string): unknown => child(encoding, key)?.value;
  const asForm = plain && [undefined, "form"].some((style) => says("style") === style);
  const ignored = [
    ...(says("style") !== undefined && !asForm ? ["style"] : []),
    ...(says("explode") === false || (says("explode") === true && !asForm) ? ["explode"] : []),
    ...(says("allowReserved") === true ? ["allowReserved"] : []),
  ];
  if (multipart && ignored.length > 0) {
    report.warn(
      encoding,
      `${ignored.join(", ")} of the part ${JSON.stringify(name)} is ignored: a list is a part for each item, an object is JSON`,
    );
  }
  // Of these two the document says it elsewhere, or HTML does.
  const own = entries(child(encoding, "headers")).map(([header]) => header.toLowerCase());
  if (own.some((header) => header !== "content-type" && header !== "content-disposition")) {
    report.warn(
      encoding,
      multipart
        ? `headers of the part ${JSON.stringify(name)} are neither checked nor demanded: a file can be sent with them, and brings them along`
        : `headers of the field ${JSON.stringify(name)} are ignored: only the parts of a multipart body have some`,
    );
  }
}

/**
 * The style of a form's field where the document gives one. Without, the content type decides, as OpenAPI 3.1.1 says:
 * objects are JSON, arrays are repeated.
 */
function formStyle(encoding: Node | undefined, report: Report): ParameterStyle | undefined {
  if (!encoding) return undefined;
  const style = text(encoding, "style");
  if (style === undefined) {
    const named = ["explode", "allowReserved"].some((key) => child(encoding, key));
    return named ? "form" : undefined;
  }
  if (FORM_STYLES.includes(style)) return style as ParameterStyle; // one of those just looked up
  report.error(encoding, `style ${JSON.stringify(style)} is not one that the field of a form can have`);
  return undefined;
}

/**
 * Whether a part is a file: its content is bytes. OpenAPI 3.0 writes `format: binary`, 3.1 a `contentMediaType` without
 * `contentEncoding`, or no type at all; a text of a content type that is not text is a file, too. An array of files is
 * one, and so is a choice that has one.
 */
function isFile(document: JsonObject, schema: Node, contentTypes: string[], depth = 0): boolean {
  const node = deref(document, schema);
  if (!node || depth > MAX_DEPTH) return false;
  if (node.value === true) return true;
  if (!isObject(node.value)) return false;
  const { format, contentMediaType, contentEncoding, type } = node.value;
  if (format === "binary") return true;
  if (contentEncoding !== undefined || format === "byte" || format === "base64") return false;
  const list = child(node, "items");
  if (list) return isFile(document, list, contentTypes, depth + 1);
  const choices = ["allOf", "anyOf", "oneOf"].flatMap((key) => items(child(node, key)));
  if (choices.length > 0) return choices.some((each) => isFile(document, each, contentTypes, depth + 1));
  if (typeof contentMediaType === "string") return isBinary(contentMediaType);
  const says = ["enum", "const", "properties", "additionalProperties", "not", "$dynamicRef"];
  if (type === undefined && !says.some((key) => node.value !== null && child(node, key))) {
    return contentTypes.length === 0 || contentTypes.some(isBinary);
  }
  return (type === "string" || [type].flat().includes("string")) && contentTypes.some(isBinary);
}

function isJson(mediaType: string): boolean {
  return /^application\/json\b|\+json\b/i.test(mediaType);
}

function isBinary(mediaType: string): boolean {
  return (
    !isJson(mediaType) && !/^(?:text\/|application\/(?:xml|x-www-form-urlencoded)\b)|\+xml\b/i.test(mediaType)
  );
}
