import type { Api, Emission, Operation, RequestBody, Response } from "../model/model.js";
import { CLIENT_BODIES, SENT_BINARY, SENT_MULTIPART } from "./client-bodies.js";
import { callExpression, HeaderReaders } from "./client-calls.js";
import { identifiers, neededParts } from "./client-parts.js";
import type { ClientNeeds, Need } from "./client-needs.js";
import { clientRuntime } from "./client-runtime.js";
import { clientWire } from "./client-wire.js";
import { docComment, propertyKey } from "../code/encode.js";
import { functionNames, type FunctionName } from "./function-names.js";
import { breakLongLines } from "../code/layout.js";
import { hasFiles, isSuccess } from "./references.js";
import { pathnameOf } from "../model/route.js";
import { type FunctionDeclaration, type InterfaceDeclaration, printSource } from "./source.js";

/** An operation with what client.ts says of it. */
interface Method {
  operation: Operation;
  call: string;
  sent: Sent;
}

/** Which type of the request body differs from what the handler gets; empty where none does. */
type Sent = "" | "SentMultipart" | "SentBinary";

/**
 * client.ts: a function for each operation, to be imported by itself, and `createClient`, which gives openapi-fetch's typed
 * client and a method for each operation.
 */
export function emitClient(api: Api): Emission {
  const headers = new HeaderReaders();
  const methods = api.groups
    .flatMap((group) => group.operations)
    .map((operation) => ({ operation, call: callExpression(operation, headers), sent: sentType(operation) }));
  const signatures = operationsInterface(methods);
  const runtime = runtimeFor(methods, [...headers.declarations(), JSON.stringify(signatures)].join("\n"));
  const messages = [
    ...methods.flatMap(({ operation: { typeName } }) => [`${typeName}Request`, `${typeName}Response`]),
    ...["BinaryBody", "Multipart"].filter((name) => identifiers(runtime.join("\n")).includes(name)),
  ];
  const names = functionNames(
    methods.map(({ operation }) => operation.name),
    identifiers([...runtime, ...headers.declarations(), ...messages].join("\n")),
  );
  const content = printSource([
    `import createFetchClient, { type Client as FetchClient, type ClientOptions as FetchClientOptions } from "openapi-fetch";`,
    ...(messages.length > 0 ? [`import type { ${messages.join(", ")} } from "./routes.js";`] : []),
    `import type { paths } from "./types.js";`,
    signatures,
    ...runtime,
    ...headers.declarations(),
    ...methods.flatMap((method) => operationFunction(method, nameOf(names, method))),
    createClientFunction(methods, names),
  ]);
  return { files: [{ path: "client.ts", content }], problems: [] };
}

/** The parts of the runtime that the operations need, and what is exported in any case. */
function runtimeFor(methods: Method[], wanted: string): string[] {
  const calls = methods.map(({ call }) => call).join("\n");
  const operations = methods.map(({ operation }) => operation);
  const need = (place: string, styled: RegExp): Need => {
    if (styled.test(calls)) return "styled";
    return operations.some(({ parameters }) => parameters.some((each) => each.in === place))
      ? "plain"
      : "none";
  };
  const needs: ClientNeeds = {
    bodies: operations.some(({ body }) => namesBodies(body)),
    reads: /\bread: /.test(calls),
    accept: /\baccept: /.test(calls),
    ranges: operations.some(({ responses }) => responses.some(isRangeWithHeaders)),
    path: operations.some(hasDots) ? "styled" : need("path", /\binPath\(/),
    // Forms are written like queries.
    query: need("query", /\b(?:inQuery|writeForm)\(/),
    headers: need("header", /\binHeader\(/),
    cookies: operations.some(({ parameters }) => parameters.some((each) => each.in === "cookie")),
  };
  const sent = methods.some((method) => method.sent === "SentMultipart") ? SENT_MULTIPART : SENT_BINARY;
  const always = "ApiError Client ClientOptions connect Input OperationFunction Success";
  const roots = [wanted, calls, always, methods.length > 0 ? "send" : ""].join("\n");
  return neededParts(clientRuntime(needs) + clientWire(needs) + CLIENT_BODIES + sent, roots);
}

/** Whether the path itself has segments that no client may send. */
function hasDots({ path }: Operation): boolean {
  return /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(pathnameOf(path));
}

function isRangeWithHeaders({ key, headers }: Response): boolean {
  return headers.length > 0 && !/^\d+$/.test(key);
}

/** Whether a body is of a media type that has to be said, or that the caller chooses. */
function namesBodies(body: RequestBody | undefined): boolean {
  const mediaTypes = body?.mediaTypes ?? [];
  return mediaTypes.length > 1 || mediaTypes.some(({ name }) => name !== "application/json");
}

function operationsInterface(methods: Method[]): InterfaceDeclaration {
  return {
    kind: "interface",
    name: "Operations",
    docs: ["One method per operation. Each resolves with a success and throws for any other status."],
    methods: methods.map((method) => {
      const { name, summary, description, deprecated } = method.operation;
      return { ...signature(method), name, docs: docComment(summary, description, deprecated) };
    }),
  };
}

/** The function of an operation; its whole description is at the method. */
function operationFunction(
  method: Method,
  { local, exported }: FunctionName,
): (FunctionDeclaration | string)[] {
  const { summary, deprecated } = method.operation;
  const { parameters, ...rest } = signature(method);
  const declaration: FunctionDeclaration = {
    ...rest,
    kind: "function",
    name: local,
    hidden: local !== exported,
    docs: docComment(summary, "", deprecated),
    parameters: [{ name: "connection", type: "Connection" }, ...parameters],
    statements: [breakLongLines(`  return send(connection, ${method.call}, request, options);`).trim()],
  };
  return local === exported ? [declaration] : [declaration, `export { ${local} as ${exported} };`];
}

function signature({
  operation,
  sent,
}: Method): Omit<FunctionDeclaration, "kind" | "name" | "docs" | "statements"> {
  const request = `${operation.typeName}Request`;
  const response = `${operation.typeName}Response`;
  const bytes = operation.responses.filter(isSuccess).some(hasBytes);
  return {
    ...(bytes ? { typeParameters: ['As extends keyof Bytes = "bytes"'] } : {}),
    parameters: [
      {
        name: "request",
        type: `Input<${sent === "" ? request : `Sent<${request}>`}>`,
        hasQuestionToken: !needsRequest(operation),
      },
      {
        name: "options",
        type: bytes ? "CallOptions & { as?: As }" : "CallOptions",
        hasQuestionToken: true,
      },
    ],
    returnType: `Promise<Success<${bytes ? `Received<${response}, As>` : response}>>`,
  };
}

function createClientFunction(methods: Method[], names: Map<string, FunctionName>): string {
  const functions = methods.map((method) => {
    const { local } = nameOf(names, method);
    const key = propertyKey(method.operation.name);
    return `    ${key === local ? key : `${key}: ${local}`},\n`;
  });
  return `/**
 * Makes a client.
 *
 * @param options openapi-fetch's own (baseUrl, headers, fetch, ...), \`toError\` and \`around\`
 */
export function createClient(options: ClientOptions = {}): Client {
  const connection = connect(options);
  const functions: Record<keyof Operations, OperationFunction> = {${functions.length === 0 ? "" : `\n${functions.join("")}  `}};
  const methods = Object.entries<OperationFunction>(functions).map(([name, call]) => [
    name,
    // The cast: the method has the types of the function.
    (request: unknown, callOptions?: CallOptions) => call(connection, request as never, callOptions),
  ]);
  // The cast: there is a function for every method.
  return { ...(Object.fromEntries(methods) as Operations), ...connection };
}`;
}

function nameOf(names: Map<string, FunctionName>, { operation: { name } }: Method): FunctionName {
  return names.get(name) ?? { local: name, exported: name };
}

function hasBytes({ mediaTypes }: Response): boolean {
  return mediaTypes.some(({ kind }) => kind === "binary");
}

function sentType({ body }: Operation): Sent {
  const mediaTypes = body?.mediaTypes ?? [];
  if (mediaTypes.some(hasFiles)) return "SentMultipart";
  return mediaTypes.some(({ kind }) => kind === "binary") ? "SentBinary" : "";
}

function needsRequest(operation: Operation): boolean {
  return operation.body?.required === true || operation.parameters.some((parameter) => parameter.required);
}
