import { createDocLines, printStringLiteral } from "../../code/encode.js";
import {
  printDeclaration,
  printInterface,
  printObjectUnion,
  printSource,
  printTypeAlias,
} from "../../code/print-source.js";
import type { Api, Operation } from "../../model/model.js";
import type { EmitContext, Emission } from "../emitter.js";
import { needsContentType } from "../common/content-type.js";
import { Imports } from "../common/imports.js";
import { MessageTypes } from "../common/message-types.js";
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

/** Declares `RetrievePageRequest`: an interface, or a union type when the body can have several media types. */
function declareRequest(operation: Operation, types: MessageTypes): string {
  const { summary, typeName, webhook, body } = operation;
  const name = `${typeName}Request`;
  const docs = createDocLines(`Request of ${formatTitle(operation)}`, webhook === undefined ? "" : summary);
  const parameters = types.printParameters(operation);
  const alternatives = types.printBodyAlternatives(operation);
  if (!needsContentType(body?.mediaTypes ?? []))
    return printInterface(
      name,
      [...parameters, ...alternatives.flat()].map((member) => `${member};`),
      docs,
    );
  return printTypeAlias(name, printObjectUnion(alternatives.map((each) => [...parameters, ...each])), docs);
}

/** Declares `RetrievePageResponse`: a union with one member for each status and media type in the document. */
function declareResponse(operation: Operation, types: MessageTypes): string {
  const members = operation.responses
    // A key such as 4XX has no statuses if all of them are declared separately.
    .filter(({ statuses }) => statuses.length > 0)
    .flatMap((response) => types.printResponseAlternatives(operation, response, response.statuses));
  const docs = createDocLines(`Response of ${formatTitle(operation)}`);
  return printTypeAlias(`${operation.typeName}Response`, printObjectUnion(members), docs);
}

function formatTitle({ method, path, webhook }: Operation): string {
  return `${method.toUpperCase()} ${webhook === undefined ? path : `of the webhook ${webhook}`}`;
}
