import { createHash } from "node:crypto";
import { StructureKind } from "ts-morph";
import { compareText } from "../diagnostic.js";
import type {
  Api,
  Emission,
  Operation,
  Parameter,
  RequestBody,
  Response,
  ResponseHeader,
} from "../model/model.js";
import { pathnameOf } from "../model/route.js";
import { docComment, jsonExpression, propertyKey, stringLiteral } from "./encode.js";
import { CLIENT_RUNTIME } from "./client-runtime.js";
import { CLIENT_WIRE } from "./client-wire.js";
import { breakLongLines } from "./layout.js";
import { isSuccess } from "./references.js";
import { printSource, type Statement } from "./source.js";

/** client.ts: `createClient`, which gives openapi-fetch's typed client and one method per operation. */
export function emitClient(api: Api): Emission {
  const operations = api.groups.flatMap((group) => group.operations);
  const headers = new HeaderSets();
  const calls = operations.map((operation) => callEntry(operation, headers));
  const messages = operations.flatMap(({ typeName }) => [`${typeName}Request`, `${typeName}Response`]);
  const content = printSource([
    `import createFetchClient, { type Client as FetchClient, type ClientOptions as FetchClientOptions } from "openapi-fetch";`,
    ...(messages.length > 0 ? [`import type { ${messages.join(", ")} } from "./routes.js";`] : []),
    `import type { paths } from "./types.js";`,
    methods(operations),
    ...headers.declarations(),
    callsTable(calls),
    CLIENT_RUNTIME,
    CLIENT_WIRE,
  ]);
  return { files: [{ path: "client.ts", content }], problems: [] };
}

function methods(operations: Operation[]): Statement {
  return {
    kind: StructureKind.Interface,
    isExported: true,
    name: "Operations",
    docs: ["One method per operation. Each resolves with a success and throws for any other status."],
    methods: operations.map((operation) => ({
      name: operation.name,
      parameters: [
        {
          name: "request",
          type: `Input<${operation.typeName}Request>`,
          hasQuestionToken: !needsRequest(operation),
        },
        { name: "options", type: "CallOptions", hasQuestionToken: true },
      ],
      returnType: `Promise<Success<${operation.typeName}Response>>`,
      docs: docComment(operation.summary, operation.description, operation.deprecated),
    })),
  };
}

function needsRequest(operation: Operation): boolean {
  return operation.body?.required === true || operation.parameters.some((parameter) => parameter.required);
}

/** What one call needs to know: openapi-fetch's gaps (list styles, cookies, media types, header types) are filled from it. */
function callEntry(operation: Operation, headers: HeaderSets): string {
  const styles = parameterStyles(operation);
  const success = operation.responses.filter(isSuccess);
  const read = howToRead(success);
  const contentType = defaultContentType(operation.body);
  const entry = {
    method: operation.method,
    path: pathnameOf(operation.path),
    ...(Object.keys(styles).length > 0 ? { styles } : {}),
    ...(contentType === undefined ? {} : { contentType }),
    ...(read === undefined ? {} : { read }),
  };
  const headerTable = success.flatMap((response) => {
    const name = headers.nameFor(response);
    return name === undefined ? [] : [`${stringLiteral(response.key)}: ${name}`];
  });
  const members = jsonExpression(entry).slice(1, -1).trim();
  return `${propertyKey(operation.name)}: { ${members}, headers: { ${headerTable.join(", ")} } }`;
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

function parameterStyle({ in: place, style, explode, type, allowReserved }: Parameter): string | undefined {
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
  return only.kind === "json" && only.name.includes("*") ? undefined : only.name;
}

/** How the client reads the body of a success; undefined for JSON. */
function howToRead(success: Response[]): "text" | "arrayBuffer" | "byType" | undefined {
  const reads = new Set(
    success.flatMap(({ mediaTypes }) =>
      mediaTypes.map(({ kind }) =>
        kind === "json" ? undefined : kind === "text" || kind === "form" ? "text" : "arrayBuffer",
      ),
    ),
  );
  return reads.size > 1 ? "byType" : [...reads][0];
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
    const types = response.headers.map((header): [string, string] => [header.name, headerType(header)]);
    const text = jsonExpression(Object.fromEntries(types.sort(([one], [other]) => compareText(one, other))));
    const name = `headers_${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
    this.sets.set(name, text);
    return name;
  }

  declarations(): string[] {
    // In an order of their own: the first operation that uses one may go.
    const sorted = [...this.sets].sort(([one], [other]) => compareText(one, other));
    const lines = sorted.map(([name, text]) => `const ${name}: HeaderTypes = ${text};`);
    return lines.length === 0 ? [] : [breakLongLines(lines.join("\n"))];
  }
}

function headerType({ type, itemType }: ResponseHeader): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return itemType === "integer" || itemType === "number" ? "numbers" : "strings";
  return type === "boolean" || type === "string" ? type : "json";
}
