import { docComment, propertyKey, stringLiteral } from "../../code/encode.js";
import type { FunctionDeclaration, InterfaceDeclaration } from "../../code/source.js";
import type { Operation, OperationGroup } from "../../model/model.js";
import { compareSpecificity } from "../../model/route.js";
import type { Imports } from "../imports.js";

/** The handler interface of a group. */
export function handlersInterface(
  group: OperationGroup,
  imports: Imports,
  httpRuntime: string,
): InterfaceDeclaration {
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
      returnType: `Promise<${imports.type(httpRuntime, "Supply")}<${operation.typeName}Response, Supplied>>`,
      docs: docComment(operation.summary, operation.description, operation.deprecated),
    })),
  };
}

/** The interface of all handlers, one property per group. */
export function allHandlers(groups: OperationGroup[]): InterfaceDeclaration {
  return {
    kind: "interface",
    name: "Handlers",
    // Without operations nothing uses the type parameters; the underscore keeps `noUnusedParameters` quiet.
    typeParameters:
      groups.length === 0
        ? ["_Context", "_Supplied extends string = never"]
        : ["Context", "Supplied extends string = never"],
    docs: [
      "The handlers that registerRoutes mounts. `Supplied` names response headers that the server adds by itself.",
    ],
    properties: groups.map((group) => ({
      name: propertyKey(group.name),
      type: `${group.interfaceName}<Context, Supplied>`,
    })),
  };
}

/** The interface of a router, with the methods that the document uses. */
export function routeTarget(operations: Operation[]): InterfaceDeclaration {
  const methods = [...new Set(operations.map((operation) => operation.method))];
  const patterns = operations.some(({ routePattern }) => routePattern !== undefined);
  return {
    kind: "interface",
    name: "RouteTarget",
    typeParameters: [`${methods.length === 0 ? "_" : ""}RouteHandler = unknown`],
    docs: ["A router to mount routes on: an Express 5 application or router, or the `router` package."],
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

/** The function `registerRoutes`. */
export function registerRoutes(
  groups: OperationGroup[],
  imports: Imports,
  httpRuntime: string,
): FunctionDeclaration {
  const routes = groups.flatMap((group) => group.operations.map((operation) => ({ group, operation })));
  const mark = routes.length === 0 ? "_" : "";
  return {
    kind: "function",
    name: "registerRoutes",
    typeParameters: ["Context", "Supplied extends string = never", "RouteHandler = unknown"],
    parameters: [
      { name: `${mark}router`, type: "RouteTarget<RouteHandler>" },
      { name: `${mark}handlers`, type: "Handlers<Context, Supplied>" },
      { name: `${mark}bind`, type: `${imports.type(httpRuntime, "Bind")}<Context, RouteHandler>` },
    ],
    returnType: "void",
    docs: ["Mounts every operation on the router, literal paths before those with parameters."],
    statements: routes
      .sort((one, other) => byPrecedence(one.operation, other.operation))
      .map(({ group, operation }) => {
        const handler = `(request, context) => handlers.${group.name}.${operation.name}(request, context)`;
        return `router.${operation.method}(${routeExpression(operation)}, bind(operations.${operation.name}, ${handler}));`;
      }),
  };
}

/** Orders routes so that the first one that matches a request is the one that it is meant for. */
function byPrecedence(one: Operation, other: Operation): number {
  return (
    compareSpecificity(one.path, other.path) ||
    // Among operations that share a route, those with more conditions match fewer requests.
    other.when.length - one.when.length ||
    // Express gives a HEAD request to the first route for GET.
    Number(other.method === "head") - Number(one.method === "head")
  );
}

function routeExpression({ route, routePattern }: Operation): string {
  return routePattern === undefined
    ? stringLiteral(route)
    : `new RegExp(${stringLiteral(routePattern)}, "u")`;
}
