import { Code, omitEmpty, printJsonExpression } from "../../code/encode.js";
import type { BodyField, MediaType, Operation, Parameter, RequestBody, Response } from "../../model/model.js";
import type { ValueType } from "../../../src/http/types.js";
import { extractPathname } from "../../model/paths/route.js";
import type { Imports } from "../common/imports.js";
import { needsContentType } from "../common/content-type.js";
import { listSuccessResponses } from "../../model/success-responses.js";
import { isJsonOrScalar, isListType, isObjectType } from "../../model/parameters/value-type.js";
import { getPossibleTypes } from "../../model/schema/json-types.js";
import type { HeaderReaders } from "./header-readers.js";

/** Idempotent methods (RFC 9110, section 9.2.2). */
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(["get", "head", "options", "trace", "put", "delete"]);

/** Prints the `Operation` object that `send` of the client runtime takes. */
export function printOperationConfig(operation: Operation, headers: HeaderReaders, imports: Imports): string {
  const successes = listSuccessResponses(operation);
  const path = extractPathname(operation.path);
  const headerReaders = successes.map((response): NamedValue => [
    getStatusKey(response),
    headers.declareReaders(response),
  ]);
  return printJsonExpression({
    name: operation.name,
    path: hasDotSegment(path) ? createCall(imports, "unreachablePath", path) : path,
    method: operation.method,
    idempotent: chooseIdempotency(operation),
    accept: returnsEvents(successes) ? "text/event-stream" : undefined,
    ...createParameterWriters(operation, imports),
    write: createBodyWriter(operation.body, imports),
    read: createBodyReader(operation, successes, imports),
    headers: createConfigObject(headerReaders),
  });
}

/** A value with the name of its parameter, field, media type or status. */
type NamedValue = [name: string, value: Code | string | undefined];

/** Creates an object; undefined if it would have no values, so that it is not printed. */
function createConfigObject(members: NamedValue[]): object | undefined {
  return omitEmpty(Object.fromEntries(members.filter(([, value]) => value !== undefined)));
}

/** Creates a call of a function of the client runtime. Only the last arguments may be undefined; they are omitted. */
function createCall(imports: Imports, name: string, ...args: unknown[]): Code {
  const texts = args.filter((each) => each !== undefined).map(printJsonExpression);
  return new Code(imports.printCall(name, ...texts));
}

/** Whether a path has a literal segment `.` or `..`, which URL parsers remove. */
function hasDotSegment(path: string): boolean {
  return /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}

/** Returns the name of the declared header for an idempotency key, or true if retries are safe without one. */
function chooseIdempotency({ method, parameters, safe }: Operation): string | true | undefined {
  const key = parameters.find(
    ({ in: location, name }) => location === "header" && /^idempotency-key$/i.test(name),
  );
  return key?.name ?? (safe || IDEMPOTENT_METHODS.has(method) ? true : undefined);
}

function returnsEvents(successes: Response[]): boolean {
  const kinds = successes.flatMap(({ mediaTypes }) => mediaTypes.map(({ kind }) => kind));
  return kinds.length > 0 && kinds.every((kind) => kind === "sse");
}

/** Creates the writer of a body; undefined for JSON, the default. */
function createBodyWriter(body: RequestBody | undefined, imports: Imports): Code | undefined {
  const mediaTypes = body?.mediaTypes ?? [];
  const [only, ...others] = mediaTypes;
  if (!only) return undefined;
  // For a range, the caller can name the media type. Without one, the body is JSON.
  if (others.length > 0 || only.range) {
    const writers = mediaTypes.map((each): NamedValue => [each.name, createMediaTypeWriter(each, imports)]);
    return createCall(imports, "writeByMediaType", createConfigObject(writers));
  }
  if (only.name === "application/json") return undefined;
  return createMediaTypeWriter(only, imports) ?? createCall(imports, "writeAs", only.name);
}

/** Creates the writer of a form, a multipart body, JSON lines, or JSON in `text/plain`; undefined for other media types. */
function createMediaTypeWriter({ name, kind, fields }: MediaType, imports: Imports): Code | undefined {
  if (kind === "form") {
    const writers = fields.map((field): NamedValue => [field.name, createFieldWriter(field, imports)]);
    return createCall(imports, "writeForm", createConfigObject(writers));
  }
  if (kind === "json" && /^text\/plain/i.test(name)) return createCall(imports, "writeJson", name);
  if (kind === "lines" || kind === "sequence") return createCall(imports, "writeLines", name, kind);
  if (kind !== "multipart") return undefined;
  const partTypes = fields.map(({ name: part, type, contentTypes, file }): NamedValue => {
    // Only the caller knows which of several content types a file has.
    if (file && contentTypes.length > 1) return [part, undefined];
    const partType = isListType(type) ? type.items : type;
    return [part, contentTypes[0] ?? (partType === "json" ? "application/json" : undefined)];
  });
  return createCall(imports, "writeMultipart", name, createConfigObject(partTypes));
}

/**
 * Creates the writer of a form field; undefined for text, also if it can be JSON instead, and for a list of texts without
 * a declared style, which is sent as repeated fields.
 */
function createFieldWriter(field: BodyField, imports: Imports): Code | undefined {
  const { style = "form", type } = field;
  const isJsonList = field.style === undefined && isListType(type) && type.items === "json";
  if (isJsonList) return createCall(imports, "queryWriter", "json*");
  if (isJsonOrScalar(type) || (type !== "json" && field.style === undefined)) return undefined;
  const writerStyle = chooseQueryStyle({ ...field, style, type });
  return writerStyle === undefined ? undefined : createCall(imports, "queryWriter", writerStyle);
}

/** Creates the reader of the body of a success; undefined for JSON, the default, and if no success is declared. */
function createBodyReader({ method }: Operation, successes: Response[], imports: Imports): Code | undefined {
  const [success] = successes;
  if (method === "head" || !success) return undefined;
  // Responses that cannot have a body have no reader.
  const responses = successes.filter(({ key }) => key !== "204" && key !== "205");
  // A server may respond with another status, such as 200 and a text.
  if (responses.length === 0) return createResponseReader(success, imports);
  const isPlainJson = ({ mediaTypes }: Response): boolean =>
    mediaTypes[0]?.kind === "json" && !needsContentType(mediaTypes) && !isAnyText(mediaTypes[0]);
  if (responses.every(isPlainJson)) return undefined;
  const readers = responses.map((response) => createResponseReader(response, imports));
  const [first, ...others] = readers;
  if (others.every((other) => other.text === first?.text)) return first;
  // By media type, or by status if a media type does not determine the reader.
  const mediaTypes = responses.flatMap((response) => response.mediaTypes);
  const byMediaType = createReadersByMediaType(mediaTypes, imports);
  const dependsOnStatus =
    responses.some((response) => response.mediaTypes.length === 0) ||
    mediaTypes.some((each) => createMediaTypeReader(each, imports).text !== byMediaType[each.name]?.text);
  if (!dependsOnStatus) return createCall(imports, "readByMediaType", byMediaType);
  const byStatus = responses.map((response, index) => [getStatusKey(response), readers[index]]);
  return createCall(imports, "readByStatus", Object.fromEntries(byStatus));
}

/** Returns the key of a response for the client runtime. A range or `default` applies to all other success statuses. */
function getStatusKey({ key }: Response): string {
  return /^\d+$/.test(key) ? key : "2XX";
}

function createResponseReader({ mediaTypes }: Response, imports: Imports): Code {
  const [first] = mediaTypes;
  if (!first) return new Code(imports.importRuntimeValue("readNothing"));
  if (!needsContentType(mediaTypes)) return createMediaTypeReader(first, imports);
  return createCall(imports, "readByMediaType", createReadersByMediaType(mediaTypes, imports));
}

function createReadersByMediaType(mediaTypes: readonly MediaType[], imports: Imports): Record<string, Code> {
  return Object.fromEntries(mediaTypes.map((each) => [each.name, createMediaTypeReader(each, imports)]));
}

/** Creates the reader of one media type: a function of the client runtime, or the call that creates one. */
function createMediaTypeReader(mediaType: MediaType, imports: Imports): Code {
  const { kind, item } = mediaType;
  if (isAnyText(mediaType)) {
    const [json, text] = ["readJson", "readText"].map((each) => new Code(imports.importRuntimeValue(each)));
    return createCall(imports, "readByMediaType", { [mediaType.name]: json, "text/*": text });
  }
  if (item && kind === "sse")
    return createCall(imports, "readEvents", item.data, item.hasNumericId ? "number" : undefined);
  const readers = { json: "readJson", text: "readText" } as const;
  const name = kind === "json" || kind === "text" ? readers[kind] : item ? "readLines" : "readBytes";
  return new Code(imports.importRuntimeValue(name));
}

/** Whether the body is a string of any media type, which servers such as Spring's send as it is, in a type such as `text/plain`. */
function isAnyText({ name, kind, schema }: MediaType): boolean {
  if (name !== "*/*" || kind !== "json" || !schema) return false;
  return [...getPossibleTypes(schema)].every((type) => type === "string" || type === "null");
}

/** Creates the properties with the writers of parameters, by location. Parameters without a writer are plain text. */
function createParameterWriters({ parameters, path }: Operation, imports: Imports): object {
  const createWriters = (
    location: Parameter["in"],
    createWriter: (parameter: Parameter) => Code | string | undefined,
  ): object | undefined =>
    createConfigObject(
      parameters
        .filter((parameter) => parameter.in === location)
        .map((parameter) => [parameter.name, createWriter(parameter)]),
    );
  const hasCookies = parameters.some(({ in: location }) => location === "cookie");
  const cookieStyles = createWriters("cookie", chooseCookieStyle);
  return {
    pathWriters: createWriters("path", (parameter) => createPathWriter(parameter, path, parameters, imports)),
    queryWriters: createWriters("query", (parameter) => {
      const style = chooseQueryStyle(parameter);
      const { type } = parameter;
      const hasLists = isObjectType(type) && Object.values(type.properties).some(isListType);
      if (parameter.isUntyped && parameter.style !== "deepObject")
        return createCall(imports, "untypedQueryWriter", style);
      if (style === undefined || (style === "form" && !hasLists)) return undefined;
      return createCall(imports, "queryWriter", style);
    }),
    headerWriters: createWriters("header", (parameter) => {
      const style = chooseHeaderStyle(parameter);
      return style && createCall(imports, "headerWriter", style);
    }),
    cookies: hasCookies ? createCall(imports, "cookieWriter", cookieStyles) : undefined,
  };
}

function isListOrObject(type: ValueType): boolean {
  return isListType(type) || isObjectType(type);
}

/** Creates the writer of a path parameter; undefined for a scalar that is a whole segment of the path. */
function createPathWriter(
  parameter: Parameter,
  path: string,
  parameters: readonly Parameter[],
  imports: Imports,
): Code | undefined {
  const { name, style, explode, type } = parameter;
  const isBeforeLabel = parameters.some(
    (next) => next.in === "path" && next.style === "label" && path.includes(`{${name}}{${next.name}}`),
  );
  // A label begins with a dot.
  const adjacentText = findAdjacentText(path, name) + (isBeforeLabel ? "." : "");
  if (style === "simple" && !isListOrObject(type) && type !== "json" && adjacentText === "") return undefined;
  // `*` means explode.
  const explodeSuffix = explode && (style !== "simple" || isObjectType(type)) ? "*" : "";
  const writerStyle = type === "json" ? "json" : style + explodeSuffix;
  return createCall(imports, "pathWriter", writerStyle, adjacentText);
}

type StyledQuery = Pick<Parameter, "style" | "explode" | "allowReserved" | "type">;

/** Chooses the style for `queryWriter`, with `+` for `allowReserved`; undefined for a scalar, which needs none. */
function chooseQueryStyle({ style, explode, type, allowReserved }: StyledQuery): string | undefined {
  const reserved = allowReserved ? "+" : "";
  if (type === "json") return `json${reserved}`;
  if (!isListOrObject(type)) return allowReserved ? "form+" : undefined;
  if (style === "deepObject") return `${style}${reserved}`;
  return (explode ? "form" : style === "form" ? "comma" : style) + reserved;
}

function chooseHeaderStyle({ type, explode }: Parameter): string | undefined {
  if (type === "json") return "json";
  if (isObjectType(type) && explode) return "simple*";
  return isListOrObject(type) ? "simple" : undefined;
}

function chooseCookieStyle({ type, style, explode }: Parameter): string | undefined {
  if (type === "json") return "json";
  if (style === "cookie") return `cookie${explode ? "*" : ""}`;
  return isListOrObject(type) && explode ? "form*" : undefined;
}

/** Returns the literal text in the same path segment as a parameter, e.g. `.json`. */
function findAdjacentText(path: string, name: string): string {
  const segments = path.split("/").filter((segment) => segment.includes(`{${name}}`));
  return segments.join("").replace(/\{[^{}]+\}/g, "");
}
