import { printStringLiteral } from "../../code/encode.js";
import { printDeclaration, printSource } from "../../code/print-source.js";
import type { Api } from "../../model/model.js";
import type { EmitContext, Emission } from "../emitter.js";
import { Imports } from "../imports.js";
import { MessageTypes } from "../message-types.js";
import { declareRequest, declareResponse } from "./handler-types.js";
import {
  declareAllHandlers,
  declareGroupHandlers,
  declareRegisterRoutes,
  declareRouteTarget,
} from "./registration.js";
import { printOperationConfigs } from "./operation-config.js";

/**
 * Emits routes.ts: a request type and a closed union of responses for each operation, a handler interface for each tag, the
 * `operations` table, and `registerRoutes`. Webhooks have request and response types only.
 */
export function emitRoutes(api: Api, { runtime }: EmitContext): Emission {
  const { operations } = api;
  const imports = new Imports(runtime.http);
  const messages = new MessageTypes(api, "server", imports);
  const statements = [
    ...[...operations, ...api.webhooks].flatMap((operation) => [
      declareRequest(operation, messages),
      declareResponse(operation, messages),
    ]),
    ...api.groups.map((group) => declareGroupHandlers(group, imports)),
    declareAllHandlers(api.groups),
    printOperationConfigs(operations, api.securitySchemes.length > 0),
    ...printBasePath(api),
    declareRouteTarget(operations),
    declareRegisterRoutes(api.groups, imports),
  ];
  return {
    files: [{ path: "routes.ts", content: printSource([...imports.printDeclarations(), ...statements]) }],
  };
}

/** Prints the constant `basePath`, at which a program mounts the routes. Returns no statement if the path is `/`. */
function printBasePath({ servers }: Api): string[] {
  // The host serves only to parse a relative URL.
  const path = new URL(servers[0]?.url ?? "", "http://localhost").pathname.replace(/\/$/, "");
  if (path === "") return [];
  return [
    printDeclaration(`export const basePath = ${printStringLiteral(path)};`, [
      "Path of the document's first server: the prefix to mount the routes at.",
    ]),
  ];
}
