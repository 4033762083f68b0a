import { jsonExpression, stringLiteral } from "../../code/encode.js";
import type { BodyField, MediaType, Operation, Parameter, RequestBody, Response } from "../../model/model.js";
import { extractPathname } from "../../model/route.js";
import { needsContentType } from "../references.js";
import { successResponses } from "../success-responses.js";
import type { HeaderReaders } from "./header-readers.js";
import { type Entry, optionalTable, table, tableMember, type Use } from "./tables.js";

/** Methods whose requests have the same effect however often they are sent: RFC 9110, section 9.2.2. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["get", "head", "options", "trace", "put", "delete"]);

/** Prints the description of an operation for `send` of the client runtime. */
export function describeOperation(operation: Operation, headers: HeaderReaders, use: Use): string {
  const successes = successResponses(operation);
  const idempotent = idempotencyKey(operation);
  const path = extractPathname(operation.path);
  const fields = {
    name: operation.name,
    ...(hasDotSegment(path) ? {} : { path }),
    method: operation.method,
    ...(idempotent === undefined ? {} : { idempotent }),
    ...(returnsEvents(successes) ? { accept: "text/event-stream" } : {}),
  };
  const readersByStatus = successes.flatMap((response): Entry[] => {
    const name = headers.nameFor(response, use);
    // A range or `default` applies to all success statuses that are not declared separately.
    return name === undefined ? [] : [[/^\d+$/.test(response.key) ? response.key : "2XX", name]];
  });
  const members = [
    jsonExpression(fields).slice(1, -1).trim(),
    ...(hasDotSegment(path) ? [`path: ${use("unreachablePath")}(${stringLiteral(path)})`] : []),
    ...parameterWriters(operation, use),
    ...bodyWriter(operation.body, use),
    ...bodyReader(successes, use),
    ...tableMember("headers", readersByStatus),
  ];
  return `{ ${members.join(", ")} }`;
}

/** Whether a path has a literal segment `.` or `..`, which URL parsers remove. */
function hasDotSegment(path: string): boolean {
  return /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(path);
}

/** The declared header for an idempotency key; true if a request can be repeated without one. */
function idempotencyKey({ method, parameters, safe }: Operation): string | true | undefined {
  const key = parameters.find(
    ({ in: location, name }) => location === "header" && /^idempotency-key$/i.test(name),
  );
  return key?.name ?? (safe || IDEMPOTENT.has(method) ? true : undefined);
}

function returnsEvents(successes: Response[]): boolean {
  const kinds = successes.flatMap(({ mediaTypes }) => mediaTypes.map(({ kind }) => kind));
  return kinds.length > 0 && kinds.every((kind) => kind === "sse");
}

/** The writer of the request body; empty for JSON. */
function bodyWriter(body: RequestBody | undefined, use: Use): string[] {
  const mediaTypes = body?.mediaTypes ?? [];
  const [only, ...others] = mediaTypes;
  if (!only) return [];
  // A range is sent as JSON unless the caller names a media type.
  if (others.length > 0 || only.range) {
    const writers = mediaTypes.flatMap((mediaType): Entry[] => {
      const writer = encodingWriter(mediaType, use);
      return writer === undefined ? [] : [[mediaType.name, writer]];
    });
    return [`write: ${use("writeByMediaType")}(${optionalTable(writers)})`];
  }
  if (only.name === "application/json") return [];
  return [`write: ${encodingWriter(only, use) ?? `${use("writeAs")}(${stringLiteral(only.name)})`}`];
}

/** The writer of a body that is neither JSON nor sent unchanged. */
function encodingWriter({ name, kind, fields }: MediaType, use: Use): string | undefined {
  if (kind === "form") {
    return `${use("form")}(${optionalTable(fields.flatMap((field) => fieldWriter(field, use)))})`;
  }
  if (kind !== "multipart") return undefined;
  const types = fields.flatMap(({ name: field, type, itemType, contentTypes: [declared] }): Entry[] => {
    if (declared !== undefined) return [[field, stringLiteral(declared)]];
    return type === "json" || itemType === "json" ? [[field, stringLiteral("application/json")]] : [];
  });
  const parts = types.length === 0 ? "" : `, ${table(types)}`;
  return `${use("multipart")}(${stringLiteral(name)}${parts})`;
}

function fieldWriter({ name, style, explode, type, allowReserved }: BodyField, use: Use): Entry[] {
  if (type === "mixed" || (type !== "json" && style === undefined)) return [];
  const notation = queryStyle({ style: style ?? "form", explode, type, allowReserved });
  return notation === undefined ? [] : [[name, `${use("queryStyle")}(${stringLiteral(notation)})`]];
}

/** The reader of the bodies of success responses; empty for JSON. */
function bodyReader(successes: Response[], use: Use): string[] {
  const readers = new Map<string, string>();
  for (const mediaType of successes.flatMap(({ mediaTypes }) => mediaTypes)) {
    readers.set(mediaType.name, mediaTypeReader(mediaType));
  }
  const imported = (reader: string): string => reader.replace(/^\w+/, use);
  const [only] = readers.values();
  const dependsOnMediaType =
    successes.some(({ mediaTypes }) => needsContentType(mediaTypes)) || new Set(readers.values()).size > 1;
  if (dependsOnMediaType) {
    const entries = [...readers].map(([name, reader]): Entry => [name, imported(reader)]);
    return [`read: ${use("readByMediaType")}(${table(entries)})`];
  }
  return only === undefined || only === "readJson" ? [] : [`read: ${imported(only)}`];
}

function mediaTypeReader({ kind, item }: MediaType): string {
  if (kind === "json") return "readJson";
  if (kind === "text") return "readText";
  if (!item) return "readBytes";
  return kind === "jsonl" ? "readLines" : `readEvents("${item.data}")`;
}

/** Writers of the parameters that are not plain text, by location. */
function parameterWriters({ parameters, path }: Operation, use: Use): string[] {
  const writersIn = (
    location: Parameter["in"],
    writer: (parameter: Parameter) => string | undefined,
  ): Entry[] =>
    parameters.flatMap((parameter): Entry[] => {
      const notation = parameter.in === location ? writer(parameter) : undefined;
      return notation === undefined ? [] : [[parameter.name, notation]];
    });
  const styled = (helper: string, style: string | undefined): string | undefined =>
    style === undefined ? undefined : `${use(helper)}(${stringLiteral(style)})`;
  const pathWriters = writersIn("path", (parameter) => pathWriter(parameter, path, use));
  const queryWriters = writersIn("query", (parameter) => {
    const style = queryStyle(parameter);
    return styled("queryStyle", style === "form" ? undefined : style);
  });
  const headerWriters = writersIn("header", (parameter) => styled("headerStyle", headerStyle(parameter)));
  const cookieStyles = writersIn("cookie", cookieStyle).map(([name, style]): Entry => [
    name,
    stringLiteral(style),
  ]);
  const hasCookies = parameters.some(({ in: location }) => location === "cookie");
  return [
    ...tableMember("pathStyles", pathWriters),
    ...tableMember("queryStyles", queryWriters),
    ...tableMember("headerStyles", headerWriters),
    ...(hasCookies ? [`cookies: ${use("cookieWriter")}(${optionalTable(cookieStyles)})`] : []),
  ];
}

function isListOrObject({ type }: { type: string }): boolean {
  return type === "array" || type === "object";
}

function pathWriter(parameter: Parameter, path: string, use: Use): string | undefined {
  const { name, style, explode, type } = parameter;
  const adjacent = literalTextBeside(path, name);
  if (style === "simple" && !isListOrObject(parameter) && type !== "json" && adjacent === "")
    return undefined;
  const explodeMark = explode && (style !== "simple" || type === "object") ? "*" : "";
  const notation = type === "json" ? "json" : style + explodeMark;
  return `${use("pathStyle")}(${stringLiteral(notation)}, ${stringLiteral(adjacent)})`;
}

function queryStyle({
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

function headerStyle({ type, explode }: Parameter): string | undefined {
  if (type === "json") return "json";
  if (type === "object" && explode) return "simple*";
  return type === "array" || type === "object" ? "simple" : undefined;
}

function cookieStyle({ type, style, explode }: Parameter): string | undefined {
  if (type === "json") return "json";
  if (style === "cookie") return `cookie${explode ? "*" : ""}`;
  return isListOrObject({ type }) && explode ? "form*" : undefined;
}

/** The literal text in the path segments that contain a parameter. */
function literalTextBeside(path: string, name: string): string {
  const segments = path.split("/").filter((segment) => segment.includes(`{${name}}`));
  return segments.join("").replace(/\{[^{}]+\}/g, "");
}
