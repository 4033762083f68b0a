import { createHash } from "node:crypto";
import { compareText } from "../diagnostic.js";
import type {
  Api,
  Emission,
  MediaType,
  Operation,
  Parameter,
  RequestBody,
  Response,
  ResponseHeader,
  ScalarType,
} from "../model/model.js";
import { pathnameOf } from "../model/route.js";
import { docComment, jsonExpression, propertyKey, stringLiteral } from "./encode.js";
import { CLIENT_BODIES } from "./client-bodies.js";
import { CLIENT_RUNTIME } from "./client-runtime.js";
import { CLIENT_WIRE } from "./client-wire.js";
import { breakLongLines } from "./layout.js";
import { hasFiles, isSuccess, namesMediaType } from "./references.js";
import { type InterfaceDeclaration, printSource } from "./source.js";

/** client.ts: `createClient`, which gives openapi-fetch's typed client and one method per operation. */
export function emitClient(api: Api): Emission {
  const operations = api.groups.flatMap((group) => group.operations);
  const headers = new HeaderSets();
  const calls = operations.map((operation) => callEntry(operation, headers));
  const signatures = methods(operations);
  const sent = operations.map(sentTypes);
  const wanted = [
    ...calls,
    JSON.stringify(signatures),
    // The one covers the other.
    sent.includes("SentMultipart") ? "SentMultipart" : sent.join(" "),
  ].join("\n");
  const messages = [
    ...operations.flatMap(({ typeName }) => [`${typeName}Request`, `${typeName}Response`]),
    ...(wanted.includes("Received<") ? ["BinaryBody"] : []),
    ...(wanted.includes("SentMultipart") ? ["Multipart"] : []),
  ];
  const content = printSource([
    `import createFetchClient, { type Client as FetchClient, type ClientOptions as FetchClientOptions } from "openapi-fetch";`,
    ...(messages.length > 0 ? [`import type { ${messages.join(", ")} } from "./routes.js";`] : []),
    `import type { paths } from "./types.js";`,
    signatures,
    ...headers.declarations(),
    CLIENT_RUNTIME,
    CLIENT_WIRE,
    ...CLIENT_BODIES.filter(({ used }) => used.test(wanted)).map(({ text }) => text),
    // Last: it calls what is above.
    callsTable(calls),
  ]);
  return { files: [{ path: "client.ts", content }], problems: [] };
}

function methods(operations: Operation[]): InterfaceDeclaration {
  return {
    kind: "interface",
    name: "Operations",
    docs: ["One method per operation. Each resolves with a success and throws for any other status."],
    methods: operations.map((operation) => {
      const request = `${operation.typeName}Request`;
      const response = `${operation.typeName}Response`;
      const bytes = operation.responses.filter(isSuccess).some(hasBytes);
      return {
        name: operation.name,
        ...(bytes ? { typeParameters: ['As extends keyof Bytes = "bytes"'] } : {}),
        parameters: [
          {
            name: "request",
            type: `Input<${sentTypes(operation) === "" ? request : `Sent<${request}>`}>`,
            hasQuestionToken: !needsRequest(operation),
          },
          {
            name: "options",
            type: bytes ? "CallOptions & { as?: As }" : "CallOptions",
            hasQuestionToken: true,
          },
        ],
        returnType: `Promise<Success<${bytes ? `Received<${response}, As>` : response}>>`,
        docs: docComment(operation.summary, operation.description, operation.deprecated),
      };
    }),
  };
}

function hasBytes({ mediaTypes }: Response): boolean {
  return mediaTypes.some(({ kind }) => kind === "binary");
}

/** Which types of request bodies differ from what the handler gets; empty where none does. */
function sentTypes({ body }: Operation): string {
  const mediaTypes = body?.mediaTypes ?? [];
  if (mediaTypes.some(hasFiles)) return "SentMultipart";
  return mediaTypes.some(({ kind }) => kind === "binary") ? "SentBinary" : "";
}

function needsRequest(operation: Operation): boolean {
  return operation.body?.required === true || operation.parameters.some((parameter) => parameter.required);
}

/** What one call needs to know: openapi-fetch's gaps (list styles, cookies, media types, header types) are filled from it. */
function callEntry(operation: Operation, headers: HeaderSets): string {
  const styles = parameterStyles(operation);
  const success = operation.responses.filter(isSuccess);
  const contentType = defaultContentType(operation.body);
  const entry = {
    method: operation.method,
    path: pathnameOf(operation.path),
    ...(Object.keys(styles).length > 0 ? { styles } : {}),
    ...(contentType === undefined ? {} : { contentType }),
    ...(asksForEvents(success) ? { accept: "text/event-stream" } : {}),
  };
  const headerTable = success.flatMap((response) => {
    const name = headers.nameFor(response);
    return name === undefined ? [] : [`${stringLiteral(response.key)}: ${name}`];
  });
  const members = [
    jsonExpression(entry).slice(1, -1).trim(),
    ...bodyWriters(operation.body),
    ...bodyReaders(success),
    `headers: { ${headerTable.join(", ")} }`,
  ];
  return `${propertyKey(operation.name)}: { ${members.join(", ")} }`;
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
  if (kind === "form") {
    const styles = fields.flatMap(({ name: field, style, explode, type, allowReserved }) => {
      if (type === "mixed") return [];
      const written = parameterStyle({ in: "query", style: style ?? "form", explode, type, allowReserved });
      const own = type === "json" || (style !== undefined && written !== undefined);
      return own && written !== undefined ? [[field, written] as const] : [];
    });
    return `writeForm(${jsonExpression(Object.fromEntries(styles))})`;
  }
  if (kind !== "multipart") return undefined;
  const types = fields.flatMap(({ name: field, type, itemType, contentTypes: [first] }) => {
    if (first !== undefined) return [[field, first] as const];
    return type === "json" || itemType === "json" ? [[field, "application/json"] as const] : [];
  });
  return `writeMultipart(${jsonExpression(Object.fromEntries(types))})`;
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
  const members = [...readers].map(([name, reader]) => `${propertyKey(name)}: ${reader}`);
  return [`read: readSeveral({ ${members.join(", ")} })`];
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

/** How the client writes parameters that are not plain text, by place: OpenAPI's styles, with a star when exploded. */
function parameterStyles({ parameters }: Operation): Record<string, Record<string, string>> {
  const places = { path: "path", query: "query", header: "headers", cookie: "cookies" } as const;
  const styles: Record<string, [name: string, style: string][]> = {};
  for (const parameter of parameters) {
    const style = parameterStyle(parameter);
    if (style !== undefined) (styles[places[parameter.in]] ??= []).push([parameter.name, style]);
  }
  return Object.fromEntries(Object.entries(styles).map(([place, list]) => [place, Object.fromEntries(list)]));
}

function parameterStyle({
  in: place,
  style,
  explode,
  type,
  allowReserved,
}: Pick<Parameter, "in" | "style" | "explode" | "type" | "allowReserved">): string | undefined {
  const reserved = allowReserved ? "+" : "";
  if (type === "json") return `json${reserved}`;
  const composed = type === "array" || type === "object";
  const star = explode ? "*" : "";
  if (place === "path")
    return style === "simple" && !(explode && type === "object") ? undefined : style + star;
  if (place === "header") return explode && type === "object" ? "simple*" : undefined;
  if (place === "cookie")
    return style === "cookie" ? style + star : composed && explode ? "form*" : undefined;
  if (!composed) return allowReserved ? "form+" : undefined;
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

function callsTable(calls: string[]): string {
  const entries = calls.map((call) => `  ${call},\n`).join("");
  return breakLongLines(
    `const calls: Record<keyof Operations, Call> = {${entries === "" ? "" : `\n${entries}`}};`,
  );
}

/** Many responses declare the same headers: each set is written once, under a name that only a change of it changes. */
class HeaderSets {
  private readonly sets = new Map<string, string>();

  /** Name of the constant that holds the types of the response's headers; undefined when it declares none. */
  nameFor(response: Response): string | undefined {
    if (response.headers.length === 0) return undefined;
    const types = response.headers.map((header): [string, unknown] => [header.name, headerType(header)]);
    const text = jsonExpression(Object.fromEntries(types.sort(([one], [other]) => compareText(one, other))));
    const name = `headers_${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
    this.sets.set(name, text);
    return name;
  }

  declarations(): string[] {
    // In an order of their own: the first operation that uses one may go.
    const sorted = [...this.sets].sort(([one], [other]) => compareText(one, other));
    // As const: a header named `constructor` would take its type from Object's member of that name.
    const lines = sorted.map(([name, text]) => `const ${name}: HeaderTypes = ${text} as const;`);
    return lines.length === 0 ? [] : [breakLongLines(lines.join("\n"))];
  }
}

function headerType({ type, itemType, properties, explode }: ResponseHeader): unknown {
  if (type === "json") return type;
  if (type === "array") return `${clientType(itemType)}s`;
  if (type !== "object") return clientType(type);
  const typed = Object.entries(properties).filter(([, each]) => each !== "string");
  return { explode, properties: Object.fromEntries(typed.map(([name, each]) => [name, clientType(each)])) };
}

function clientType(type: ScalarType): string {
  return type === "integer" ? "number" : type;
}
