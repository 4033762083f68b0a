import type {
  Api,
  BodyField,
  Emission,
  Operation,
  OperationGroup,
  RequestBody,
  Response,
} from "../model/model.js";
import { bySpecificity } from "../model/route.js";
import { docComment, jsonExpression, propertyKey, stringLiteral } from "../code/encode.js";
import { requestType, responseType } from "./messages.js";
import { TYPES, WEBHOOKS } from "./references.js";
import { breakLongLines } from "../code/layout.js";
import { BODY_TYPES } from "./route-bodies.js";
import { type FunctionDeclaration, type InterfaceDeclaration, printSource } from "./source.js";

/**
 * routes.ts: per operation the request and the closed union of responses, per tag the handler interface, the
 * `operations` table and `registerRoutes`.
 */
export function emitRoutes(api: Api): Emission {
  const operations = api.groups.flatMap((group) => group.operations);
  // Of a webhook there are types alone, for who sends it and who receives it.
  const messages = [...operations, ...api.webhooks].flatMap((operation) => [
    requestType(operation),
    responseType(operation),
  ]);
  const written = JSON.stringify(messages);
  // What no operation uses is left out: projects may forbid what is declared and unused.
  const content = printSource([
    ...(/\b(?:Readable|Multipart<)/.test(written) ? [`import type { Readable } from "node:stream";`] : []),
    ...typeImports(written),
    ...messages,
    ...api.groups.map(handlersInterface),
    allHandlers(api.groups),
    operationsTable(operations),
    ...(written.includes("HeadersOf<") ? [HEADERS_OF] : []),
    ...BODY_TYPES.filter(({ used }) => used.test(written)).map(({ declaration }) => declaration),
    RUNTIME_TYPES,
    routeTarget(operations),
    registerRoutes(api.groups),
  ]);
  return { files: [{ path: "routes.ts", content }], problems: [] };
}

function typeImports(written: string): string[] {
  const names = [
    ...(written.includes(`${TYPES}[`) ? [`operations as ${TYPES}`] : []),
    ...(written.includes(`${WEBHOOKS}[`) ? [`webhooks as ${WEBHOOKS}`] : []),
  ];
  return names.length === 0 ? [] : [`import type { ${names.join(", ")} } from "./types.js";`];
}

function handlersInterface(group: OperationGroup): InterfaceDeclaration {
  return {
    kind: "interface",
    name: group.interfaceName,
    typeParameters: ["Context", "Supplied extends string = never"],
    docs: docComment(`Handlers of the operations with the tag ${group.tag}.`, "", false),
    methods: group.operations.map((operation) => ({
      name: operation.name,
      parameters: [
        { name: "request", type: `${operation.typeName}Request` },
        { name: "context", type: "Context" },
      ],
      returnType: `Promise<Supply<${operation.typeName}Response, Supplied>>`,
      docs: docComment(operation.summary, operation.description, operation.deprecated),
    })),
  };
}

function allHandlers(groups: OperationGroup[]): InterfaceDeclaration {
  return {
    kind: "interface",
    name: "Handlers",
    // The underscores: it has both for its users, and no member to use them.
    typeParameters:
      groups.length === 0
        ? ["_Context", "_Supplied extends string = never"]
        : ["Context", "Supplied extends string = never"],
    docs: [
      "Everything that registerRoutes mounts. `Supplied` names response headers that the server adds by itself.",
    ],
    properties: groups.map((group) => ({
      name: propertyKey(group.name),
      type: `${group.interfaceName}<Context, Supplied>`,
    })),
  };
}

/** One readable entry per operation: what the HTTP runtime needs to know to decode, validate and encode. */
function operationsTable(operations: Operation[]): string {
  const entries = operations.map((operation) => {
    const entry = {
      id: operation.name,
      method: operation.method.toUpperCase(),
      path: operation.path,
      ...(operation.safe ? { safe: true } : {}),
      ...(operation.when.length > 0 ? { when: operation.when } : {}),
      parameters: operation.parameters.map(
        ({
          name,
          in: place,
          required,
          style,
          explode,
          type,
          itemType,
          properties,
          or,
          open,
          allowEmptyValue,
        }) => ({
          name,
          in: place,
          required,
          style,
          explode,
          type,
          ...(type === "array" || type === "object" ? { itemType } : {}),
          ...(type === "object" ? { properties } : {}),
          ...(or === undefined ? {} : { or }),
          ...(open ? { open } : {}),
          ...(allowEmptyValue ? { allowEmptyValue } : {}),
        }),
      ),
      ...(operation.body ? { body: bodyEntry(operation.body) } : {}),
      responses: Object.fromEntries(
        operation.responses.map(({ key, mediaTypes }) => [
          key,
          mediaTypes.map((mediaType) => mediaType.name),
        ]),
      ),
      ...byStatus("headers", operation, headerStyles),
      ...byStatus("streams", operation, streamFormats),
    };
    return `  ${propertyKey(operation.name)}: ${jsonExpression(entry)},\n`;
  });
  return breakLongLines(
    `/** The operations of the document, as data. */\nexport const operations = {\n${entries.join("")}} as const;`,
  );
}

function bodyEntry({ required, mediaTypes }: RequestBody): object {
  const formed = mediaTypes.filter(({ fields }) => fields.length > 0);
  return {
    required,
    mediaTypes: Object.fromEntries(mediaTypes.map(({ name, kind }) => [name, kind])),
    ...(formed.length === 0
      ? {}
      : { fields: Object.fromEntries(formed.map(({ name, fields }) => [name, fields.map(fieldEntry)])) }),
  };
}

/** What is as it mostly is goes without saying. */
function fieldEntry({ name, type, itemType, properties, or, open, style, explode, file }: BodyField): object {
  return {
    name,
    type,
    ...(type === "array" || type === "object" ? { itemType } : {}),
    ...(type === "object" ? { properties, open } : {}),
    ...(or === undefined ? {} : { or }),
    ...(style === undefined ? {} : { style, explode }),
    ...(file ? { file } : {}),
  };
}

/** A table of what some responses declare beyond media types, by status; nothing where none does. */
function byStatus(
  name: string,
  { responses }: Operation,
  entry: (response: Response) => [string, string][],
): object {
  const found = responses.flatMap((response) => {
    const members = entry(response);
    return members.length === 0 ? [] : [[response.key, Object.fromEntries(members)] as const];
  });
  return found.length === 0 ? {} : { [name]: Object.fromEntries(found) };
}

/** Headers that are written neither as plain text nor as a list of it. */
function headerStyles({ headers }: Response): [string, string][] {
  return headers.flatMap(({ name, type, explode }): [string, string][] => {
    if (type === "json") return [[name, "json"]];
    return type === "object" ? [[name, explode ? "simple*" : "simple"]] : [];
  });
}

/** Media types whose bodies are sent item by item: the format of an event's data, or `lines`. */
function streamFormats({ mediaTypes }: Response): [string, string][] {
  return mediaTypes.flatMap(({ name, kind, item }): [string, string][] =>
    item ? [[name, kind === "jsonl" ? "lines" : item.data]] : [],
  );
}

const HEADERS_OF = `
/** The declared headers of a response, without the signature that allows any other name. */
type HeadersOf<Response> = Response extends { headers: infer Headers }
  ? { [Name in keyof Headers as string extends Name ? never : Name]: Headers[Name] }
  : never;
`;

const RUNTIME_TYPES = `
/** A response without the headers that the server adds by itself. */
export type Supply<Response, Supplied extends string> = Response extends { headers: infer Headers }
  ? Omit<Response, "headers"> & ({} extends Omit<Headers, Supplied>
      ? { headers?: Omit<Headers, Supplied> }
      : { headers: Omit<Headers, Supplied> })
  : Response;

/**
 * Joins an operation and its handler to what the router takes for a route: it decodes and validates the request, calls the
 * handler and encodes what it returns. \`createBinder\` of page-service/http makes one.
 */
export type Bind<Context, RouteHandler = unknown> = (
  operation: (typeof operations)[keyof typeof operations],
  handler: (request: never, context: Context) => Promise<{ status: number; headers?: object; body?: unknown }>,
) => RouteHandler;
`;

function routeTarget(operations: Operation[]): InterfaceDeclaration {
  const methods = [...new Set(operations.map((operation) => operation.method))];
  const patterns = operations.some(({ routePattern }) => routePattern !== undefined);
  return {
    kind: "interface",
    name: "RouteTarget",
    // The underscore: it has one for its users, and no member to use it.
    typeParameters: [`${methods.length === 0 ? "_" : ""}RouteHandler = unknown`],
    docs: ["What routes are mounted on: an Express 5 application or router, or the `router` package."],
    methods: methods.map((name) => ({
      name,
      parameters: [
        { name: "path", type: patterns ? "string | RegExp" : "string" },
        { name: "handler", type: "RouteHandler" },
      ],
      returnType: "unknown",
    })),
  };
}

function routeExpression({ route, routePattern }: Operation): string {
  return routePattern === undefined
    ? stringLiteral(route)
    : `new RegExp(${stringLiteral(routePattern)}, "u")`;
}

function registerRoutes(groups: OperationGroup[]): FunctionDeclaration {
  const lines = groups.flatMap((group) =>
    group.operations.map((operation) => {
      const handler = `(request, context) => handlers.${group.name}.${operation.name}(request, context)`;
      const bound = `bind(operations.${operation.name}, ${handler})`;
      return {
        path: operation.path,
        conditions: operation.when.length,
        method: operation.method,
        line: `router.${operation.method}(${routeExpression(operation)}, ${bound});`,
      };
    }),
  );
  return {
    kind: "function",
    name: "registerRoutes",
    // What a route handler is says the binder, so that clients, which import this file's types, need none of Node's.
    typeParameters: ["Context", "Supplied extends string = never", "RouteHandler = unknown"],
    // An underscore says that a parameter is there for its callers: without an operation nothing uses it.
    parameters: [
      { name: "router", type: "RouteTarget<RouteHandler>" },
      { name: "handlers", type: "Handlers<Context, Supplied>" },
      { name: "bind", type: "Bind<Context, RouteHandler>" },
    ].map(({ name, type }) => ({ name: lines.length === 0 ? `_${name}` : name, type })),
    returnType: "void",
    docs: ["Mounts every operation on the router, literal paths before those with parameters."],
    statements: lines
      // Of those that share a route the one that takes the fewest requests comes first.
      .sort(
        (a, b) =>
          bySpecificity(a.path, b.path) ||
          b.conditions - a.conditions ||
          // Express gives a HEAD request to the first route that takes GET.
          Number(b.method === "head") - Number(a.method === "head"),
      )
      .map(({ line }) => line),
  };
}
