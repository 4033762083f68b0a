import { StructureKind, VariableDeclarationKind } from "ts-morph";
import type { Api, GeneratedFile, Operation, Response, ResponseHeader } from "../model/model.js";
import { docComment, jsonExpression, propertyKey, stringLiteral } from "./encode.js";
import { CLIENT_RUNTIME } from "./client-runtime.js";
import { isSuccess } from "./references.js";
import { printSource, type Statement } from "./source.js";

/** client.ts: `createClient`, which gives openapi-fetch's typed client and one method per operation. */
export function emitClient(api: Api): GeneratedFile[] {
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
  ]);
  return [{ path: "client.ts", content }];
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
  const styles = operation.parameters.flatMap(({ name, in: place, style, explode, type }) => {
    if (place !== "query" || (type !== "array" && type !== "object")) return [];
    const text = style === "form" ? (explode ? "form" : "comma") : style;
    return [[name, text === "spaceDelimited" && explode ? "form" : text] as const];
  });
  const success = operation.responses.filter(isSuccess);
  const kinds = new Set(
    success.flatMap((response) => response.mediaTypes.map((mediaType) => mediaType.kind)),
  );
  const [onlyBody] = operation.body?.mediaTypes ?? [];
  const entry = {
    method: operation.method,
    path: operation.path,
    ...(styles.length > 0 ? { query: Object.fromEntries(styles) } : {}),
    ...(onlyBody && onlyBody.name !== "application/json" ? { contentType: onlyBody.name } : {}),
    ...(kinds.size === 0 || kinds.has("json")
      ? {}
      : { read: kinds.has("text") || kinds.has("form") ? "text" : "arrayBuffer" }),
  };
  const headerTable = success.flatMap((response) => {
    const name = headers.nameFor(response);
    return name === undefined ? [] : [`${stringLiteral(response.key)}: ${name}`];
  });
  const members = jsonExpression(entry).slice(1, -1).trim();
  return `${propertyKey(operation.name)}: { ${members}, headers: { ${headerTable.join(", ")} } }`;
}

function callsTable(calls: string[]): Statement {
  return {
    kind: StructureKind.VariableStatement,
    declarationKind: VariableDeclarationKind.Const,
    declarations: [
      { name: "calls", type: "Record<keyof Operations, Call>", initializer: `{ ${calls.join(",\n")} }` },
    ],
  };
}

/** Many responses declare the same headers: each set is written once. */
class HeaderSets {
  private readonly sets = new Map<string, string>();

  /** Name of the constant that holds the types of the response's headers; undefined when it declares none. */
  nameFor(response: Response): string | undefined {
    if (response.headers.length === 0) return undefined;
    const text = jsonExpression(
      Object.fromEntries(response.headers.map((header) => [header.name, headerType(header)])),
    );
    const name = this.sets.get(text) ?? `headers${this.sets.size + 1}`;
    this.sets.set(text, name);
    return name;
  }

  declarations(): string[] {
    return [...this.sets].map(([text, name]) => `const ${name}: HeaderTypes = ${text};`);
  }
}

function headerType({ type, itemType }: ResponseHeader): string {
  if (type === "integer" || type === "number") return "number";
  if (type === "array") return itemType === "integer" || itemType === "number" ? "numbers" : "strings";
  return type === "boolean" || type === "string" ? type : "json";
}
