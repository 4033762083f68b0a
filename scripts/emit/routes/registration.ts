import { createDocs, printPropertyKey, printStringLiteral } from "../../code/encode.js";
import type { FunctionDeclaration, InterfaceDeclaration } from "../../code/print-source.js";
import type { Operation, OperationGroup } from "../../model/model.js";
import { compareSpecificity } from "../../model/route.js";
import type { Imports } from "../imports.js";

/** Declares the handler interface of a group, e.g. `PagesHandlers`. */
export function declareGroupHandlers(group: OperationGroup, imports: Imports): InterfaceDeclaration {
  return {
    kind: "interface",
    name: group.interfaceName,
    // The name of an unused type parameter needs an underscore, see declareAllHandlers.
    typeParameters: [
      "Context",
      `${group.operations.some(declaresHeaders) ? "" : "_"}SuppliedHeaders extends string = never`,
    ],
    docs: createDocs(`Handlers of the operations with the tag ${group.tag}.`),
    methods: group.operations.map((operation) => ({
      name: operation.name,
      parameters: [
        { name: "request", type: `${operation.typeName}Request` },
        { name: "context", type: "Context" },
      ],
      returnType: `Promise<${printResult(operation, imports)}>`,
      docs: createDocs(operation.summary, operation.description, operation.deprecated),
    })),
  };
}

/** Prints the type of a handler's result: the response, without the headers that the server adds by itself. */
function printResult(operation: Operation, imports: Imports): string {
  const response = `${operation.typeName}Response`;
  if (!declaresHeaders(operation)) return response;
  return `${imports.importType("OmitHeaders")}<${response}, SuppliedHeaders>`;
}

/** Whether a response of the operation has headers in its type. */
function declaresHeaders({ responses }: Operation): boolean {
  return responses.some(({ statuses, headers }) => statuses.length > 0 && headers.length > 0);
}

/** Declares the interface `Handlers`, with one property per group. */
export function declareAllHandlers(groups: readonly OperationGroup[]): InterfaceDeclaration {
  return {
    kind: "interface",
    name: "Handlers",
    // Without operations the type parameters are unused. `noUnusedParameters` ignores names with an underscore.
    typeParameters:
      groups.length === 0
        ? ["_Context", "_SuppliedHeaders extends string = never"]
        : ["Context", "SuppliedHeaders extends string = never"],
    docs: [
      "The handlers that registerRoutes mounts. `SuppliedHeaders` names response headers that the server adds by itself.",
    ],
    properties: groups.map((group) => ({
      name: printPropertyKey(group.name),
      type: `${group.interfaceName}<Context, SuppliedHeaders>`,
    })),
  };
}

/** Declares the interface `RouteTarget`: a router with the HTTP methods that the document uses. */
export function declareRouteTarget(operations: readonly Operation[]): InterfaceDeclaration {
  const methods = [...new Set(operations.map((operation) => operation.method))];
  const hasPatterns = operations.some(({ routePattern }) => routePattern !== undefined);
  return {
    kind: "interface",
    name: "RouteTarget",
    typeParameters: [`${methods.length === 0 ? "_" : ""}RouteHandler = unknown`],
    docs: ["A router to mount routes on: an Express 5 application or router, or the `router` package."],
    methods: methods.map((name) => ({
      name,
      parameters: [
        { name: "path", type: hasPatterns ? "string | RegExp" : "string" },
        { name: "handler", type: "RouteHandler" },
      ],
      returnType: "unknown",
    })),
  };
}

/** Declares the function `registerRoutes`, with one statement per operation. */
export function declareRegisterRoutes(
  groups: readonly OperationGroup[],
  imports: Imports,
): FunctionDeclaration {
  const routes = groups.flatMap((group) => group.operations.map((operation) => ({ group, operation })));
  const unusedPrefix = routes.length === 0 ? "_" : "";
  return {
    kind: "function",
    name: "registerRoutes",
    typeParameters: ["Context", "SuppliedHeaders extends string = never", "RouteHandler = unknown"],
    parameters: [
      { name: `${unusedPrefix}router`, type: "RouteTarget<RouteHandler>" },
      { name: `${unusedPrefix}handlers`, type: "Handlers<Context, SuppliedHeaders>" },
      {
        name: `${unusedPrefix}bind`,
        type: `${imports.importType("Bind")}<Context, RouteHandler>`,
      },
    ],
    returnType: "void",
    docs: ["Mounts every operation on the router, literal paths before those with parameters."],
    statements: routes
      .sort((one, other) => compareRouteOrder(one.operation, other.operation))
      .map(({ group, operation }) => {
        const handler = `(request, context) => handlers.${group.name}.${operation.name}(request, context)`;
        return `router.${operation.method}(${printRoute(operation)}, bind(operations.${operation.name}, ${handler}));`;
      }),
  };
}

/** Compares operations by the order of their routes, because a router takes the first route that matches. */
function compareRouteOrder(one: Operation, other: Operation): number {
  return (
    compareSpecificity(one.path, other.path) ||
    // Among operations that share a route, those with more conditions match fewer requests.
    other.conditions.length - one.conditions.length ||
    // Express gives a HEAD request to the first route for GET.
    Number(other.method === "head") - Number(one.method === "head")
  );
}

function printRoute({ route, routePattern }: Operation): string {
  return routePattern === undefined
    ? printStringLiteral(route)
    : `new RegExp(${printStringLiteral(routePattern)}, "u")`;
}
