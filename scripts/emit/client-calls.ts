import { createHash } from "node:crypto";
import { compareText } from "../diagnostic.js";
import type {
  BodyField,
  MediaType,
  Operation,
  Parameter,
  RequestBody,
  Response,
  ResponseHeader,
  ScalarType,
} from "../model/model.js";
import { pathnameOf } from "../model/route.js";
import { jsonExpression, propertyKey, stringLiteral } from "../code/encode.js";
import { breakLongLines } from "../code/layout.js";
import { isSuccess, namesMediaType } from "./references.js";

/** Methods whose requests come to the same however often they are sent, as HTTP has it. */
const IDEMPOTENT: ReadonlySet<string> = new Set(["get", "head", "options", "trace", "put", "delete"]);

/** What sending one call needs to know: openapi-fetch's gaps (styles, media types, types of headers) are filled from it. */
export function callExpression(operation: Operation, headers: HeaderReaders): string {
  const success = operation.responses.filter(isSuccess);
  const repeatable = repeatableBy(operation);
  const contentType = defaultContentType(operation.body);
  const entry = {
    name: operation.name,
    path: pathnameOf(operation.path),
    method: operation.method,
    ...(repeatable === undefined ? {} : { repeatable }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(asksForEvents(success) ? { accept: "text/event-stream" } : {}),
  };
  const headerTable = success.flatMap((response) => {
    const name = headers.nameFor(response);
    return name === undefined ? [] : [`${stringLiteral(response.key)}: ${name}`];
  });
  const members = [
    jsonExpression(entry).slice(1, -1).trim(),
    ...styles(operation),
    ...bodyWriters(operation.body),
    ...bodyReaders(success),
    ...(headerTable.length === 0 ? [] : [`headers: { ${headerTable.join(", ")} }`]),
  ];
  return `{ ${members.join(", ")} }`;
}

/** The header that names a request, where the document declares one; true where a request can be repeated as it is. */
function repeatableBy({ method, parameters, safe }: Operation): string | true | undefined {
  const key = parameters.find(({ in: place, name }) => place === "header" && /^idempotency-key$/i.test(name));
  return key?.name ?? (safe || IDEMPOTENT.has(method) ? true : undefined);
}

/** The functions that write the bodies which are neither JSON nor sent as they are, by media type. */
function bodyWriters(body: RequestBody | undefined): string[] {
  const writers = (body?.mediaTypes ?? []).flatMap((mediaType) => {
    const writer = bodyWriter(mediaType);
    return writer === undefined ? [] : [`${propertyKey(mediaType.name)}: ${writer}`];
  });
  return writers.length === 0 ? [] : [`write: { ${writers.join(", ")} }`];
}

function bodyWriter({ kind, fields }: MediaType): string | undefined {
  if (kind === "form") return `writeForm(${table(fields.flatMap(fieldStyle))})`;
  if (kind !== "multipart") return undefined;
  const types = fields.flatMap(({ name: field, type, itemType, contentTypes: [first] }) => {
    if (first !== undefined) return [[field, first] as const];
    return type === "json" || itemType === "json" ? [[field, "application/json"] as const] : [];
  });
  return `writeMultipart(${jsonExpression(Object.fromEntries(types))})`;
}

function fieldStyle({ name, style, explode, type, allowReserved }: BodyField): [string, string][] {
  if (type === "mixed" || (type !== "json" && style === undefined)) return [];
  const written = queryStyle({ style: style ?? "form", explode, type, allowReserved });
  return written === undefined ? [] : [[name, `inQuery(${stringLiteral(written)})`]];
}

/** The function that reads the bodies of the successes; none where they are JSON. */
function bodyReaders(success: Response[]): string[] {
  const readers = new Map<string, string>();
  for (const mediaType of success.flatMap(({ mediaTypes }) => mediaTypes)) {
    readers.set(mediaType.name, bodyReader(mediaType));
  }
  const several =
    success.some(({ mediaTypes }) => namesMediaType(mediaTypes)) || new Set(readers.values()).size > 1;
  if (!several) {
    const [only] = readers.values();
    return only === undefined || only === "readJson" ? [] : [`read: ${only}`];
  }
  return [`read: readSeveral(${table([...readers])})`];
}

function bodyReader({ kind, item }: MediaType): string {
  if (kind === "json") return "readJson";
  if (kind === "text") return "readText";
  if (!item) return "readBytes";
  return kind === "jsonl" ? "readLines" : `readEvents("${item.data}")`;
}

function asksForEvents(success: Response[]): boolean {
  const kinds = success.flatMap(({ mediaTypes }) => mediaTypes.map(({ kind }) => kind));
  return kinds.length > 0 && kinds.every((kind) => kind === "sse");
}

/** How parameters are written that are not plain text, by place: OpenAPI's styles, with a star when exploded. */
function styles({ parameters, path }: Operation): string[] {
  const places = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;
  const writers = new Map<string, [name: string, writer: string][]>();
  for (const parameter of parameters) {
    const writer = parameterWriter(parameter, path);
    if (writer === undefined) continue;
    const place = places[parameter.in];
    writers.set(place, [...(writers.get(place) ?? []), [parameter.name, writer]]);
  }
  return writers.size === 0
    ? []
    : [`styles: ${table([...writers].map(([place, list]) => [place, table(list)]))}`];
}

/** The function that writes a parameter, or for a cookie its style; undefined where it is written like any other. */
function parameterWriter(parameter: Parameter, path: string): string | undefined {
  const { in: place, name, style, explode, type } = parameter;
  const composed = type === "array" || type === "object";
  const star = explode ? "*" : "";
  if (place === "path") {
    const beside = textBeside(path, name);
    const plain = style === "simple" && !composed && type !== "json" && beside === "";
    const written = type === "json" ? "json" : style + (style === "simple" && type !== "object" ? "" : star);
    return plain ? undefined : `inPath(${stringLiteral(written)}, ${stringLiteral(beside)})`;
  }
  if (place === "query") {
    const written = queryStyle(parameter);
    return written === undefined || written === "form" ? undefined : `inQuery(${stringLiteral(written)})`;
  }
  if (place === "header") {
    if (!composed && type !== "json") return undefined;
    return `inHeader(${type === "json" ? '"json"' : explode && type === "object" ? '"simple*"' : '"simple"'})`;
  }
  if (type === "json") return '"json"';
  if (style === "cookie") return stringLiteral(style + star);
  return composed && explode ? '"form*"' : undefined;
}

/** The text that stands in the same segments of a path as the parameter. */
function textBeside(path: string, name: string): string {
  const segments = path.split("/").filter((segment) => segment.includes(`{${name}}`));
  return segments.join("").replace(/\{[^{}]+\}/g, "");
}

function queryStyle({
  style,
  explode,
  type,
  allowReserved,
}: Pick<Parameter, "style" | "explode" | "allowReserved"> & { type: string }): string | undefined {
  const reserved = allowReserved ? "+" : "";
  if (type === "json") return `json${reserved}`;
  if (type !== "array" && type !== "object") return allowReserved ? "form+" : undefined;
  if (style === "deepObject") return `${style}${reserved}`;
  return (explode ? "form" : style === "form" ? "comma" : style) + reserved;
}

/** Media type of the only request body that there is, where it is not JSON; a pattern of any type is sent as JSON. */
function defaultContentType(body: RequestBody | undefined): string | undefined {
  const [only, ...others] = body?.mediaTypes ?? [];
  // Of several the caller names one.
  if (!only || others.length > 0 || only.name === "application/json") return undefined;
  return only.name.includes("*") ? undefined : only.name;
}

/** An object literal of expressions. */
function table(members: readonly (readonly [name: string, expression: string])[]): string {
  if (members.length === 0) return "{}";
  return `{ ${members.map(([name, expression]) => `${propertyKey(name)}: ${expression}`).join(", ")} }`;
}

/** Many responses declare the same headers: each set is written once, under a name that only a change of it changes. */
export class HeaderReaders {
  private readonly sets = new Map<string, string>();

  /** Name of the constant that holds the readers of the response's headers; undefined when it declares none. */
  nameFor(response: Response): string | undefined {
    if (response.headers.length === 0) return undefined;
    const readers = response.headers.map((header): [string, string] => [header.name, headerReader(header)]);
    const text = table(readers.sort(([one], [other]) => compareText(one, other)));
    const name = `headers_${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
    this.sets.set(name, text);
    return name;
  }

  /** The constants themselves, each once. */
  declarations(): string[] {
    // In an order of their own: the first operation that uses one may go.
    const sorted = [...this.sets].sort(([one], [other]) => compareText(one, other));
    // As const: a header named `constructor` would take its type from Object's member of that name.
    const lines = sorted.map(([name, text]) => `const ${name}: HeaderReaders = ${text} as const;`);
    return lines.length === 0 ? [] : [breakLongLines(lines.join("\n"))];
  }
}

/** The function that reads a header, or the global one that does. */
function headerReader({ name, type, itemType, properties, explode }: ResponseHeader): string {
  if (type === "string") return "String";
  if (/^set-cookie$/i.test(name)) return "asCookies";
  if (type === "json") return "asJson";
  if (type === "array") return `asList(${scalarReader(itemType)})`;
  if (type !== "object") return scalarReader(type);
  const typed = Object.entries(properties).filter(([, each]) => each !== "string");
  return `asObject(${explode}, ${table(typed.map(([key, each]) => [key, scalarReader(each)]))})`;
}

function scalarReader(type: ScalarType): string {
  const readers = { boolean: "asBoolean", numberOrBoolean: "asNumberOrBoolean", string: "String" };
  return type === "number" || type === "integer" ? "Number" : readers[type];
}
