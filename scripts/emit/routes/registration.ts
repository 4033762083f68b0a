import { createDocLines, printDocComment, printPropertyKey, printStringLiteral } from "../../code/encode.js";
import { printDeclaration, printInterface } from "../../code/print-source.js";
import type { Operation, OperationGroup } from "../../model/model.js";
import { compareSpecificity } from "../../model/paths/route.js";
import type { Imports } from "../common/imports.js";

/** Declares the handler interface of a group, e.g. `PagesHandlers`. */
export function declareGroupHandlers(
  { tag, interfaceName, operations }: OperationGroup,
  imports: Imports,
): string {
  const suppliedHeaders = nameParameter(operations.some(declaresHeaders), "SuppliedHeaders");
  const methods = operations.map((operation) => {
    const { name, typeName, summary, description, deprecated } = operation;
    const result = printResult(operation, imports);
    return [
      ...printDocComment(createDocLines(summary, description, deprecated)),
      `${name}: (request: ${typeName}Request, context: Context) => Promise<${result}>;`,
    ].join("\n");
  });
  return printInterface(
    `${interfaceName}<Context, ${suppliedHeaders} extends string = never>`,
    methods,
    createDocLines(`Handlers of the operations with the tag ${tag}.`),
  );
}

/** Prints the type of a handler's result: the response, without the headers that the server adds by itself. */
function printResult(operation: Operation, imports: Imports): string {
  const response = `${operation.typeName}Response`;
  if (!declaresHeaders(operation)) return response;
  return `${imports.importRuntimeType("OmitHeaders")}<${response}, SuppliedHeaders>`;
}

function declaresHeaders({ responses }: Operation): boolean {
  return responses.some(({ statuses, headers }) => statuses.length > 0 && headers.length > 0);
}

/** Declares the interface `Handlers`, with one property per group. */
export function declareAllHandlers(groups: readonly OperationGroup[]): string {
  const isUsed = groups.length > 0;
  return printInterface(
    `Handlers<${nameParameter(isUsed, "Context")}, ${nameParameter(isUsed, "SuppliedHeaders")} extends string = never>`,
    groups.map(
      ({ name, interfaceName }) => `${printPropertyKey(name)}: ${interfaceName}<Context, SuppliedHeaders>;`,
    ),
    [
      "The handlers that registerRoutes mounts. `SuppliedHeaders` names response headers that the server adds by itself.",
    ],
  );
}

/** Declares the interface `RouteTarget`: a router with the HTTP methods that the document uses. */
export function declareRouteTarget(operations: readonly Operation[]): string {
  const methods = [...new Set(operations.map(({ method }) => method))];
  const hasPatterns = operations.some(({ routePattern }) => routePattern !== undefined);
  const path = hasPatterns ? "string | RegExp" : "string";
  return printInterface(
    `RouteTarget<${nameParameter(methods.length > 0, "RouteHandler")} = unknown>`,
    methods.map((method) => `${method}(path: ${path}, handler: RouteHandler): unknown;`),
    ["A router to mount routes on: an Express 5 application or router, or the `router` package."],
  );
}

/** Declares the function `registerRoutes`, with one statement per operation. */
export function declareRegisterRoutes(groups: readonly OperationGroup[], imports: Imports): string {
  const routes = groups.flatMap((group) => group.operations.map((operation) => ({ group, operation })));
  const isUsed = routes.length > 0;
  const parameters = [
    `${nameParameter(isUsed, "router")}: RouteTarget<RouteHandler>`,
    `${nameParameter(isUsed, "handlers")}: Handlers<Context, SuppliedHeaders>`,
    `${nameParameter(isUsed, "bind")}: ${imports.importRuntimeType("Binder")}<Context, RouteHandler>`,
  ];
  const statements = routes
    .sort((one, other) => compareRouteOrder(one.operation, other.operation))
    .map(({ group, operation }) => {
      const handler = `(request, context) => handlers.${group.name}.${operation.name}(request, context)`;
      return `  router.${operation.method}(${printRoute(operation)}, bind(operations.${operation.name}, ${handler}));\n`;
    });
  const typeParameters = "Context, SuppliedHeaders extends string = never, RouteHandler = unknown";
  return printDeclaration(
    `export function registerRoutes<${typeParameters}>(${parameters.join(", ")}): void {\n${statements.join("")}}`,
    ["Mounts every operation on the router, literal paths before those with parameters."],
  );
}

/** Returns the name of a parameter, with an underscore if it is unused, because `noUnusedParameters` ignores such names. */
function nameParameter(isUsed: boolean, name: string): string {
  return isUsed ? name : `_${name}`;
}

/** Compares operations by the order of their routes, because a router takes the first route that matches. */
function compareRouteOrder(one: Operation, other: Operation): number {
  return (
    compareSpecificity(one.path, other.path) ||
    // Among operations that share a route, those with more conditions match fewer requests.
    other.conditions.length - one.conditions.length ||
    // HEAD comes before GET, because Express gives a HEAD request to the first route for GET.
    Number(other.method === "head") - Number(one.method === "head")
  );
}

function printRoute({ route, routePattern }: Operation): string {
  return routePattern === undefined
    ? printStringLiteral(route)
    : `new RegExp(${printStringLiteral(routePattern)}, "u")`;
}
