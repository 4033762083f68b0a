import { printJsonExpression, printStringLiteral } from "../../code/encode.js";
import type { BodyField, MediaType, Operation, Parameter, RequestBody, Response } from "../../model/model.js";
import { extractPathname } from "../../model/route.js";
import type { Imports } from "../imports.js";
import { needsExplicitContentType } from "../media-types.js";
import { listSuccessResponses } from "../success-responses.js";
import type { HeaderReaders } from "./header-readers.js";
import {
  type ObjectProperty,
  printObjectArgument,
  printObjectLiteral,
  printObjectProperty,
} from "./object-literal.js";

/** Idempotent methods (RFC 9110, section 9.2.2). */
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(["get", "head", "options", "trace", "put", "delete"]);

/** Prints the `Operation` object that `send` of the client runtime takes. */
export function printOperationDescription(
  operation: Operation,
  headers: HeaderReaders,
  imports: Imports,
): string {
  const successes = listSuccessResponses(operation);
  const path = extractPathname(operation.path);
  const fields = {
    name: operation.name,
    path: hasDotSegment(path) ? undefined : path,
    method: operation.method,
    idempotent: findIdempotencyKey(operation),
    accept: returnsEvents(successes) ? "text/event-stream" : undefined,
  };
  const readersByStatus = successes.flatMap((response): ObjectProperty[] => {
    const name = headers.declareReaders(response);
    // A range or `default` applies to all success statuses that are not declared separately.
    return name === undefined ? [] : [[/^\d+$/.test(response.key) ? response.key : "2XX", name]];
  });
  const members = [
    printJsonExpression(fields).slice(1, -1).trim(),
    ...(hasDotSegment(path)
      ? [`path: ${imports.printCall("unreachablePath", printStringLiteral(path))}`]
      : []),
    ...printParameterWriters(operation, imports),
    ...printBodyWriter(operation.body, imports),
    ...printBodyReader(successes, imports),
    ...printObjectProperty("headers", readersByStatus),
  ];
  return `{ ${members.join(", ")} }`;
}

/** Whether a path has a literal segment `.` or `..`, which URL parsers remove. */
function hasDotSegment(path: string): boolean {
  return /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}

/** Returns the declared header for an idempotency key, or true if a request can be retried without one. */
function findIdempotencyKey({ method, parameters, safe }: Operation): string | true | undefined {
  const key = parameters.find(
    ({ in: location, name }) => location === "header" && /^idempotency-key$/i.test(name),
  );
  return key?.name ?? (safe || IDEMPOTENT_METHODS.has(method) ? true : undefined);
}

function returnsEvents(successes: Response[]): boolean {
  const kinds = successes.flatMap(({ mediaTypes }) => mediaTypes.map(({ kind }) => kind));
  return kinds.length > 0 && kinds.every((kind) => kind === "sse");
}

/** Prints the property `write`. Returns no text for JSON, the default. */
function printBodyWriter(body: RequestBody | undefined, imports: Imports): string[] {
  const mediaTypes = body?.mediaTypes ?? [];
  const [only, ...others] = mediaTypes;
  if (!only) return [];
  // For a range, the caller can name the media type. Without one, the body is JSON.
  if (others.length > 0 || only.range) {
    const writers = mediaTypes.flatMap((mediaType): ObjectProperty[] => {
      const writer = printMediaTypeWriter(mediaType, imports);
      return writer === undefined ? [] : [[mediaType.name, writer]];
    });
    return [`write: ${imports.printCall("writeByMediaType", ...printObjectArgument(writers))}`];
  }
  if (only.name === "application/json") return [];
  const writer =
    printMediaTypeWriter(only, imports) ?? imports.printCall("writeAs", printStringLiteral(only.name));
  return [`write: ${writer}`];
}

/** Prints the writer of a form or multipart body; undefined for other media types. */
function printMediaTypeWriter({ name, kind, fields }: MediaType, imports: Imports): string | undefined {
  if (kind === "form") {
    const writers = fields.flatMap((field) => printFieldWriter(field, imports));
    return imports.printCall("form", ...printObjectArgument(writers));
  }
  if (kind !== "multipart") return undefined;
  const partTypes = fields.flatMap((field): ObjectProperty[] => {
    const isJson = field.type === "json" || field.itemType === "json";
    const [contentType = isJson ? "application/json" : undefined] = field.contentTypes;
    return contentType === undefined ? [] : [[field.name, printStringLiteral(contentType)]];
  });
  return imports.printCall("multipart", printStringLiteral(name), ...printObjectArgument(partTypes));
}

function printFieldWriter(field: BodyField, imports: Imports): ObjectProperty[] {
  const { name, style = "form", type } = field;
  if (type === "mixed" || (type !== "json" && field.style === undefined)) return [];
  const notation = chooseQueryStyle({ ...field, style });
  return notation === undefined
    ? []
    : [[name, imports.printCall("queryStyle", printStringLiteral(notation))]];
}

/** Prints the property `read`. Returns no text for JSON, the default. */
function printBodyReader(successes: Response[], imports: Imports): string[] {
  const mediaTypes = successes.flatMap((response) => response.mediaTypes);
  const readers = new Map(mediaTypes.map((mediaType) => [mediaType.name, chooseReader(mediaType)]));
  const importReader = (reader: string): string =>
    reader.replace(/^\w+/, (name) => imports.importValue(name));
  const [only] = readers.values();
  const dependsOnMediaType =
    successes.some((response) => needsExplicitContentType(response.mediaTypes)) ||
    new Set(readers.values()).size > 1;
  if (dependsOnMediaType) {
    const entries = [...readers].map(([name, reader]): ObjectProperty => [name, importReader(reader)]);
    return [`read: ${imports.printCall("readByMediaType", printObjectLiteral(entries))}`];
  }
  return only === undefined || only === "readJson" ? [] : [`read: ${importReader(only)}`];
}

/** Chooses the reader of a body: the name of a function, or a call that creates the function. */
function chooseReader({ kind, item }: MediaType): string {
  if (kind === "json") return "readJson";
  if (kind === "text") return "readText";
  if (!item) return "readBytes";
  if (kind === "jsonl") return "readLines";
  return `readEvents("${item.data}"${item.hasNumericId ? ', "number"' : ""})`;
}

/** Prints the properties with the writers of parameters, by location. Parameters without a writer are plain text. */
function printParameterWriters({ parameters, path }: Operation, imports: Imports): string[] {
  const listWriters = (
    location: Parameter["in"],
    printWriter: (parameter: Parameter) => string | undefined,
  ): ObjectProperty[] =>
    parameters.flatMap((parameter): ObjectProperty[] => {
      const expression = parameter.in === location ? printWriter(parameter) : undefined;
      return expression === undefined ? [] : [[parameter.name, expression]];
    });
  const pathWriters = listWriters("path", (parameter) => printPathWriter(parameter, path, imports));
  const queryWriters = listWriters("query", (parameter) => {
    const style = chooseQueryStyle(parameter);
    if (style === undefined || style === "form") return undefined;
    return imports.printCall("queryStyle", printStringLiteral(style));
  });
  const headerWriters = listWriters("header", (parameter) => {
    const style = chooseHeaderStyle(parameter);
    return style && imports.printCall("headerStyle", printStringLiteral(style));
  });
  const cookieStyles = listWriters("cookie", (parameter) => {
    const style = chooseCookieStyle(parameter);
    return style && printStringLiteral(style);
  });
  const hasCookies = parameters.some(({ in: location }) => location === "cookie");
  return [
    ...printObjectProperty("pathStyles", pathWriters),
    ...printObjectProperty("queryStyles", queryWriters),
    ...printObjectProperty("headerStyles", headerWriters),
    ...(hasCookies
      ? [`cookies: ${imports.printCall("cookieWriter", ...printObjectArgument(cookieStyles))}`]
      : []),
  ];
}

function isListOrObject({ type }: { type: string }): boolean {
  return type === "array" || type === "object";
}

/** Prints the writer of a path parameter; undefined for a scalar that is a whole segment of the path. */
function printPathWriter(parameter: Parameter, path: string, imports: Imports): string | undefined {
  const { name, style, explode, type } = parameter;
  const adjacentText = findAdjacentText(path, name);
  if (style === "simple" && !isListOrObject(parameter) && type !== "json" && adjacentText === "")
    return undefined;
  const explodeSuffix = explode && (style !== "simple" || type === "object") ? "*" : "";
  const notation = type === "json" ? "json" : style + explodeSuffix;
  return imports.printCall("pathStyle", printStringLiteral(notation), printStringLiteral(adjacentText));
}

type StyledQuery = Pick<Parameter, "style" | "explode" | "allowReserved"> & { type: string };

/** Chooses the `QueryStyle` of the client runtime; undefined for a scalar, which needs none. */
function chooseQueryStyle({ style, explode, type, allowReserved }: StyledQuery): string | undefined {
  const reserved = allowReserved ? "+" : "";
  if (type === "json") return `json${reserved}`;
  if (!isListOrObject({ type })) return allowReserved ? "form+" : undefined;
  if (style === "deepObject") return `${style}${reserved}`;
  return (explode ? "form" : style === "form" ? "comma" : style) + reserved;
}

function chooseHeaderStyle({ type, explode }: Parameter): string | undefined {
  if (type === "json") return "json";
  if (type === "object" && explode) return "simple*";
  return isListOrObject({ type }) ? "simple" : undefined;
}

function chooseCookieStyle({ type, style, explode }: Parameter): string | undefined {
  if (type === "json") return "json";
  if (style === "cookie") return `cookie${explode ? "*" : ""}`;
  return isListOrObject({ type }) && explode ? "form*" : undefined;
}

/** Returns the literal text in the path segments that contain a parameter. */
function findAdjacentText(path: string, name: string): string {
  const segments = path.split("/").filter((segment) => segment.includes(`{${name}}`));
  return segments.join("").replace(/\{[^{}]+\}/g, "");
}
