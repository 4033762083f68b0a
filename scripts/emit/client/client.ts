import { printPropertyKey, printStringLiteral } from "../../code/encode.js";
import { printDeclaration, printSource } from "../../code/print-source.js";
import type { Api } from "../../model/model.js";
import type { EmitContext, Emission } from "../emitter.js";
import { printOperations } from "./operations.js";

/**
 * Emits operations.ts, with a standalone function per operation, and client.ts, with `createClient`. Both import only the
 * client runtime and types.ts, so that a project with just a client does not need the types of Node.
 */
export function emitClient(api: Api, { runtime }: EmitContext): Emission {
  const content = printSource([printDeclaration(printClientModule(api, runtime.fetch))]);
  return {
    files: [
      { path: "client.ts", content },
      { path: "operations.ts", content: printOperations(api, runtime.fetch) },
    ],
  };
}

/** Prints the code of client.ts. Its own exports hide operations of the same name, which operations.ts still exports. */
function printClientModule({ operations, servers }: Api, fetchRuntime: string): string {
  const serverUrl = servers[0]?.url;
  // Only these, so that a new operation does not change this file.
  const operationIds = operations
    .filter(({ name, id }) => name !== id)
    // In `operations`, a key of digits is a number.
    .map(({ name, id }) => `\n  ${name}: ${/^\d/.test(printPropertyKey(id)) ? id : printStringLiteral(id)};`);
  const from = printStringLiteral(fetchRuntime);
  const hasServer = serverUrl !== undefined && serverUrl !== "/";
  const options = hasServer ? `options, ${printStringLiteral(serverUrl)}` : "options";
  const baseUrlNote = hasServer ? ";\n *   the base URL is the first server of the document by default" : "";
  const optionsDoc = `openapi-fetch's own (baseUrl, headers, fetch, ...), \`toError\` and \`around\`${baseUrlNote}`;
  return `import {
  ApiError,
  bindOperations,
  type BoundOperations,
  type ClientOptions,
  connect as connectTo,
  type ErrorResponse,
  type HttpConnection,
} from ${from};
import * as operations from "./operations.js";
import type { operations as OperationTypes, paths } from "./types.js";

export { ApiError };
export type {
  Around,
  AttemptOptions,
  AttemptResult,
  CallOptions,
  ClientOptions,
  Failure,
  Operation,
} from ${from};
export * from "./operations.js";

/** A server to call: the first argument of every operation. \`http\` is openapi-fetch's typed client. */
export type Connection = HttpConnection<paths>;

/** The operations as methods. */
export type Operations = BoundOperations<typeof operations>;

/** A connection with the operations as methods. */
export type Client = Operations & Connection;

/**
 * Creates a connection for operations that are imported one by one.
 *
 * @param options ${optionsDoc}
 */
export function connect(options: ClientOptions = {}): Connection {
  return connectTo<paths>(${options});
}

/**
 * Creates a client with a method for each operation.
 *
 * @param options ${optionsDoc}
 */
export function createClient(options: ClientOptions = {}): Client {
  return bindOperations(connect(options), operations);
}

/** The operationIds that differ from the names of the methods. */
interface OperationIds {${operationIds.join("")}${operationIds.length === 0 ? "" : "\n"}}

type OperationIdOf<Name> = Name extends keyof OperationIds ? OperationIds[Name] : Name & keyof OperationTypes;

/** An error response of an operation, as the document declares it. */
export type ErrorOf<Name extends keyof Operations> = ErrorResponse<OperationTypes[OperationIdOf<Name>]>;

/**
 * Whether an error is a response of this operation that is not a success. Its status and body then have the types that the
 * document declares. Nothing checks the body, and a proxy can send others, so check the status first.
 */
export function isErrorOf<Name extends keyof Operations>(
  error: unknown,
  operation: Name
): error is ErrorOf<Name> {
  return error instanceof ApiError && error.operation === operation && error.status >= 300;
}`;
}
