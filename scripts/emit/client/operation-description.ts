import { jsonExpression, stringLiteral } from "../../code/encode.js";
import type { BodyField, MediaType, Operation, Parameter, RequestBody, Response } from "../../model/model.js";
import { extractPathname } from "../../model/route.js";
import { needsContentType } from "../references.js";
import { listSuccessResponses } from "../success-responses.js";
import type { HeaderReaders } from "./header-readers.js";
import {
  type ObjectProperty,
  printObjectArgument,
  printObjectLiteral,
  printObjectProperty,
  type ImportFromRuntime,
} from "./object-literal.js";

/** Idempotent methods (RFC 9110, section 9.2.2). */
const IDEMPOTENT_METHODS: ReadonlySet<string> = new Set(["get", "head", "options", "trace", "put", "delete"]);

/** Prints the `Operation` object that `send` of the client runtime takes. */
export function printOperationDescription(
  operation: Operation,
  headers: HeaderReaders,
  importFromRuntime: ImportFromRuntime,
): string {
  const successes = listSuccessResponses(operation);
  const idempotent = findIdempotencyKey(operation);
  const path = extractPathname(operation.path);
  const fields = {
    name: operation.name,
    ...(hasDotSegment(path) ? {} : { path }),
    method: operation.method,
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(returnsEvents(successes) ? { accept: "text/event-stream" } : {}),
  };
  const readersByStatus = successes.flatMap((response): ObjectProperty[] => {
    const name = headers.declareReaders(response, importFromRuntime);
    // A range or `default` applies to all success statuses that are not declared separately.
    return name === undefined ? [] : [[/^\d+$/.test(response.key) ? response.key : "2XX", name]];
  });
  const members = [
    jsonExpression(fields).slice(1, -1).trim(),
    ...(hasDotSegment(path) ? [`path: ${importFromRuntime("unreachablePath")}(${stringLiteral(path)})`] : []),
    ...printParameterWriters(operation, importFromRuntime),
    ...printBodyWriter(operation.body, importFromRuntime),
    ...printBodyReader(successes, importFromRuntime),
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
function printBodyWriter(body: RequestBody | undefined, importFromRuntime: ImportFromRuntime): string[] {
  const mediaTypes = body?.mediaTypes ?? [];
  const [only, ...others] = mediaTypes;
  if (!only) return [];
  // For a range, the caller can name the media type. Without one, the body is JSON.
  if (others.length > 0 || only.range) {
    const writers = mediaTypes.flatMap((mediaType): ObjectProperty[] => {
      const writer = printMediaTypeWriter(mediaType, importFromRuntime);
      return writer === undefined ? [] : [[mediaType.name, writer]];
    });
    return [`write: ${importFromRuntime("writeByMediaType")}(${printObjectArgument(writers)})`];
  }
  if (only.name === "application/json") return [];
  return [
    `write: ${printMediaTypeWriter(only, importFromRuntime) ?? `${importFromRuntime("writeAs")}(${stringLiteral(only.name)})`}`,
  ];
}

/** Prints the writer of a form or multipart body; undefined for other media types. */
function printMediaTypeWriter(
  { name, kind, fields }: MediaType,
  importFromRuntime: ImportFromRuntime,
): string | undefined {
  if (kind === "form") {
    return `${importFromRuntime("form")}(${printObjectArgument(fields.flatMap((field) => printFieldWriter(field, importFromRuntime)))})`;
  }
  if (kind !== "multipart") return undefined;
  const types = fields.flatMap(
    ({ name: field, type, itemType, contentTypes: [declared] }): ObjectProperty[] => {
      if (declared !== undefined) return [[field, stringLiteral(declared)]];
      return type === "json" || itemType === "json" ? [[field, stringLiteral("application/json")]] : [];
    },
  );
  const parts = types.length === 0 ? "" : `, ${printObjectLiteral(types)}`;
  return `${importFromRuntime("multipart")}(${stringLiteral(name)}${parts})`;
}

function printFieldWriter(
  { name, style, explode, type, allowReserved }: BodyField,
  importFromRuntime: ImportFromRuntime,
): ObjectProperty[] {
  if (type === "mixed" || (type !== "json" && style === undefined)) return [];
  const notation = chooseQueryStyle({ style: style ?? "form", explode, type, allowReserved });
  return notation === undefined
    ? []
    : [[name, `${importFromRuntime("queryStyle")}(${stringLiteral(notation)})`]];
}

/** Prints the property `read`. Returns no text for JSON, the default. */
function printBodyReader(successes: Response[], importFromRuntime: ImportFromRuntime): string[] {
  const readers = new Map<string, string>();
  for (const mediaType of successes.flatMap(({ mediaTypes }) => mediaTypes)) {
    readers.set(mediaType.name, chooseReader(mediaType));
  }
  const imported = (reader: string): string => reader.replace(/^\w+/, importFromRuntime);
  const [only] = readers.values();
  const dependsOnMediaType =
    successes.some(({ mediaTypes }) => needsContentType(mediaTypes)) || new Set(readers.values()).size > 1;
  if (dependsOnMediaType) {
    const entries = [...readers].map(([name, reader]): ObjectProperty => [name, imported(reader)]);
    return [`read: ${importFromRuntime("readByMediaType")}(${printObjectLiteral(entries)})`];
  }
  return only === undefined || only === "readJson" ? [] : [`read: ${imported(only)}`];
}

function chooseReader({ kind, item }: MediaType): string {
  if (kind === "json") return "readJson";
  if (kind === "text") return "readText";
  if (!item) return "readBytes";
  return kind === "jsonl" ? "readLines" : `readEvents("${item.data}")`;
}

/** Prints the properties with the writers of parameters, by location. Parameters without a writer are plain text. */
function printParameterWriters(
  { parameters, path }: Operation,
  importFromRuntime: ImportFromRuntime,
): string[] {
  const listWriters = (
    location: Parameter["in"],
    printParameterWriter: (parameter: Parameter) => string | undefined,
  ): ObjectProperty[] =>
    parameters.flatMap((parameter): ObjectProperty[] => {
      const expression = parameter.in === location ? printParameterWriter(parameter) : undefined;
      return expression === undefined ? [] : [[parameter.name, expression]];
    });
  const printWriter = (helper: string, style: string | undefined): string | undefined =>
    style === undefined ? undefined : `${importFromRuntime(helper)}(${stringLiteral(style)})`;
  const pathWriters = listWriters("path", (parameter) => printPathWriter(parameter, path, importFromRuntime));
  const queryWriters = listWriters("query", (parameter) => {
    const style = chooseQueryStyle(parameter);
    return printWriter("queryStyle", style === "form" ? undefined : style);
  });
  const headerWriters = listWriters("header", (parameter) =>
    printWriter("headerStyle", chooseHeaderStyle(parameter)),
  );
  const cookieStyles = listWriters("cookie", chooseCookieStyle).map(([name, style]): ObjectProperty => [
    name,
    stringLiteral(style),
  ]);
  const hasCookies = parameters.some(({ in: location }) => location === "cookie");
  return [
    ...printObjectProperty("pathStyles", pathWriters),
    ...printObjectProperty("queryStyles", queryWriters),
    ...printObjectProperty("headerStyles", headerWriters),
    ...(hasCookies
      ? [`cookies: ${importFromRuntime("cookieWriter")}(${printObjectArgument(cookieStyles)})`]
      : []),
  ];
}

function isListOrObject({ type }: { type: string }): boolean {
  return type === "array" || type === "object";
}

function printPathWriter(
  parameter: Parameter,
  path: string,
  importFromRuntime: ImportFromRuntime,
): string | undefined {
  const { name, style, explode, type } = parameter;
  const adjacentText = findAdjacentText(path, name);
  if (style === "simple" && !isListOrObject(parameter) && type !== "json" && adjacentText === "")
    return undefined;
  const explodeSuffix = explode && (style !== "simple" || type === "object") ? "*" : "";
  const notation = type === "json" ? "json" : style + explodeSuffix;
  return `${importFromRuntime("pathStyle")}(${stringLiteral(notation)}, ${stringLiteral(adjacentText)})`;
}

function chooseQueryStyle({
  style,
  explode,
  type,
  allowReserved,
}: Pick<Parameter, "style" | "explode" | "allowReserved"> & { type: string }): string | undefined {
  const reserved = allowReserved ? "+" : "";
  if (type === "json") return `json${reserved}`;
  if (!isListOrObject({ type })) return allowReserved ? "form+" : undefined;
  if (style === "deepObject") return `${style}${reserved}`;
  return (explode ? "form" : style === "form" ? "comma" : style) + reserved;
}

function chooseHeaderStyle({ type, explode }: Parameter): string | undefined {
  if (type === "json") return "json";
  if (type === "object" && explode) return "simple*";
  return type === "array" || type === "object" ? "simple" : undefined;
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
