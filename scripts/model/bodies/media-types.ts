import type { BuildContext } from "../context.js";
import { buildExamples } from "../examples.js";
import { buildFields, NO_FIELDS } from "./body-fields.js";
import { isJson, isMediaType } from "../http-grammar.js";
import type { MediaKind, MediaType, StreamItem } from "../model.js";
import { type DocumentNode, getMember, listMembers } from "../node.js";
import {
  collectComposedSchemas,
  collectDeclaredProperties,
  listComposedParts,
} from "../schema/composition.js";
import { getPossibleTypes } from "../schema/json-types.js";
import type { Schema } from "../schema/schema.js";
import { walkGraph } from "../../walk-graph.js";
import { reportUnsupportedMember } from "../unsupported-features.js";
import { impliesType, inferSerializedType } from "../parameters/serialized-type.js";

/** Builds the media types of a request body or a response. */
export function buildMediaTypes(node: DocumentNode, isRequest: boolean, context: BuildContext): MediaType[] {
  return listMembers(getMember(node, "content")).map(([name, reference]) => {
    if (!isMediaType(name)) {
      const isMember = /^(?:schema|examples?|encoding)$/.test(name);
      const remedy = `Write ${isMember ? "it below " : ""}one such as application/json.`;
      context.warn(reference, `${JSON.stringify(name)} is not a media type. ${remedy}`);
    }
    return buildMediaType(name, context.deref(reference) ?? reference, isRequest, context);
  });
}

function buildMediaType(
  name: string,
  node: DocumentNode,
  isRequest: boolean,
  context: BuildContext,
): MediaType {
  for (const key of ["itemEncoding", "prefixEncoding"])
    reportUnsupportedMember(node, key, "Declare the parts as properties, with `encoding`.", context);
  const itemNode = getMember(node, "itemSchema");
  const schemaNode = getMember(node, "schema");
  const declaredSchema = context.findSchema(schemaNode);
  // The media type without parameters.
  const type = (name.split(";")[0] ?? "").trim();
  const kind = chooseMediaTypeKind(type.toLowerCase(), declaredSchema, isRequest, itemNode !== undefined);
  const isStream = STREAM_KINDS.has(kind);
  if (itemNode && !isStream)
    context.warn(
      itemNode,
      `\`itemSchema\` is ignored here, because ${name} is not read as a stream. Describe the whole body in \`schema\`.`,
    );
  const isForm = kind === "form" || kind === "multipart";
  const isUnusable = isForm && declaredSchema && !getPossibleTypes(declaredSchema).has("object");
  if (isUnusable)
    context.warn(
      schemaNode ?? node,
      `The schema of ${name} allows no object, so it is ignored and any fields are accepted. Declare each field as a property of an object.`,
    );
  const schema = isUnusable ? undefined : declaredSchema;
  if (kind === "json" && schema && isBinary(schema))
    context.warn(
      schemaNode ?? node,
      `${name} cannot contain the bytes of format: binary, so this body is a JSON string. Use a media type such as application/octet-stream, or remove the format.`,
    );
  return {
    pointer: node.pointer,
    name,
    range: parseMediaTypeRange(type),
    kind,
    schema,
    examples: buildExamples(node, schema, context),
    ...(isForm ? buildFields(node, schema, kind, context) : NO_FIELDS),
    item: isStream ? buildStreamItem(kind, schema, context.findSchema(itemNode), context) : undefined,
  };
}

/** Chooses the kind of the bodies of a media type. JSON lines without `itemSchema` are bytes. Forms in responses are not parsed. */
function chooseMediaTypeKind(
  type: string,
  schema: Schema | undefined,
  isRequest: boolean,
  hasItemSchema: boolean,
): MediaKind {
  if (type === "*/*") return schema && isBinary(schema) ? "binary" : "json";
  if (isJson(type)) return "json";
  if (type === "application/x-www-form-urlencoded") return isRequest ? "form" : "text";
  if (type.startsWith("multipart/")) return isRequest ? "multipart" : "binary";
  if (type === "text/event-stream") return isRequest ? "text" : "sse";
  if (hasItemSchema && JSON_LINES_TYPE.test(type)) return "lines";
  // RFC 7464: JSON values after record separators, also with a suffix such as `application/geo+json-seq`.
  if (hasItemSchema && /[/+]json-seq$/.test(type)) return "sequence";
  // The text of a number, a boolean, an object or a list is its JSON.
  if (type === "text/plain" && schema && !getPossibleTypes(schema).has("string")) return "json";
  return isTextType(type, schema) ? "text" : "binary";
}

/**
 * Whether the bodies of a media type are text: of `text/*`, of XML unless its schema describes bytes, and of other types that can be text
 * and have the schema of a string, such as `application/jwt`.
 */
function isTextType(type: string, schema: Schema | undefined): boolean {
  if (type.startsWith("text/")) return true;
  if (type.includes("*") || (schema && describesBytes(schema))) return false;
  if (/[/+]xml$/.test(type)) return true;
  return (
    !BYTES_TYPE.test(type) &&
    schema !== undefined &&
    impliesType(schema) &&
    inferSerializedType(schema) === "string"
  );
}

function isBinary(schema: Schema): boolean {
  return resolveReferenceChain(schema).text("format") === "binary";
}

/** Whether a schema, or one that it is composed of, describes bytes or text that encodes bytes. */
function describesBytes(schema: Schema): boolean {
  return [...collectComposedSchemas(schema)].some(
    (part) =>
      /^(?:binary|byte|base64)$/.test(part.text("format") ?? "") ||
      part.keyword("contentEncoding") !== undefined ||
      part.keyword("contentMediaType") !== undefined,
  );
}

/** Matches media types of bytes and of JSON values to stream, which documents often declare as strings. */
const BYTES_TYPE =
  /^(?:image|audio|video|font)\/|octet-stream|binary|pdf|zip|7z|rar|tar|zstd|x-xz|java-archive|android|wasm|msword|sqlite|parquet|arrow|ndjson|jsonl|json-seq|protobuf|cbor|msgpack|vnd\.(?:ms-|openxml|oasis)/;

/** Parses a range such as `image/*` or `application/*+json`; undefined for a single media type. */
function parseMediaTypeRange(type: string): MediaType["range"] {
  if (type === "*/*") return { prefix: "", suffix: "" };
  const [, prefix, suffix] = /^([^*]+\/)\*(\+[^*]+)?$/.exec(type) ?? [];
  return prefix === undefined ? undefined : { prefix, suffix: suffix ?? "" };
}

/**
 * Builds the item of a stream: an event or a line. A schema describes a whole event if it has `data` and other fields of events only,
 * or else the data. In documents older than OpenAPI 3.2, `mediaTypeSchema` describes an item or an array of items.
 */
function buildStreamItem(
  kind: MediaKind,
  mediaTypeSchema: Schema | undefined,
  itemSchema: Schema | undefined,
  context: BuildContext,
): StreamItem {
  const arrayItems = mediaTypeSchema && resolveReferenceChain(mediaTypeSchema).subschema("items");
  const schema = itemSchema ?? arrayItems ?? mediaTypeSchema;
  const isArray = arrayItems !== undefined;
  if (!schema || kind !== "sse")
    return { schema, isArray, describesEvent: false, data: schema ? "json" : "text", hasNumericId: false };
  const properties = collectDeclaredProperties(schema);
  const describesEvent =
    properties.has("data") && [...properties.keys()].every((name) => EVENT_FIELDS.has(name));
  const dataSchemas = describesEvent ? (properties.get("data") ?? []) : [schema];
  const isTextual = dataSchemas.every(isText);
  for (const { pointer, keywords } of isTextual ? dataSchemas : []) {
    if (keywords["contentSchema"] === undefined) continue;
    context.warn(
      pointer,
      "The data of these events stays text, because `contentSchema` is not supported. Parse it, or move that schema to `data`.",
    );
  }
  return {
    schema,
    isArray,
    describesEvent,
    data: isTextual ? "text" : "json",
    hasNumericId:
      describesEvent && /^(?:integer|number)$/.test(inferSerializedType(properties.get("id")?.[0])),
  };
}

/** Matches media types with one JSON value on each line. */
const JSON_LINES_TYPE = /^application\/(?:jsonl|x-jsonlines|(?:x-)?ndjson)$/;

const STREAM_KINDS: ReadonlySet<MediaKind> = new Set(["sse", "lines", "sequence"]);

const EVENT_FIELDS = new Set(["data", "event", "id", "retry"]);

/** Whether a schema allows only strings. Without declared types, its parts or its serialized type decide. */
function isText(schema: Schema): boolean {
  const listParts = (each: Schema): Schema[] => (each.declaredTypes ? [] : listComposedParts(each));
  return [...walkGraph([schema], listParts)].every(
    (each) =>
      each.declaredTypes?.every((name) => name === "string") ??
      (listParts(each).length > 0 || inferSerializedType(each) === "string"),
  );
}

function resolveReferenceChain(schema: Schema): Schema {
  const chain = [...walkGraph([schema], ({ reference }) => (reference ? [reference] : []))];
  return chain.at(-1) ?? schema;
}
