import { createDocLines, printStringLiteral } from "../../code/encode.js";
import { printDeclaration, printObjectUnion, printSource, printTypeAlias } from "../../code/print-source.js";
import { getRequired } from "../../maps.js";
import type { Api, Operation } from "../../model/model.js";
import { isSuccessStatus, listSuccessResponses } from "../../model/success-responses.js";
import { Imports } from "../common/imports.js";
import { MessageTypes } from "../common/message-types.js";
import { chooseFunctionNames } from "./function-names.js";
import { HeaderReaders } from "./header-readers.js";
import { printOperationConfig } from "./operation-config.js";

/** Prints operations.ts: request type, response type and function of each operation. */
export function printOperations(api: Api, fetchRuntime: string): string {
  const { operations } = api;
  // Without operations the file is still a module.
  if (operations.length === 0) return printSource(["export {};"]);
  const imports = new Imports(fetchRuntime);
  const types = new MessageTypes(api, "client", imports);
  const names = chooseFunctionNames(operations.map(({ name }) => name));
  const headerReaders = new HeaderReaders(imports, names.values());
  const statements = operations.flatMap((operation) => {
    const connection = printConnection(operation, api, imports);
    const config = printOperationConfig(operation, headerReaders, imports);
    const call = imports.printCall("send", connection, "request", "options", config);
    return [
      declareRequest(operation, types),
      declareResponse(operation, types),
      ...declareFunction(operation, getRequired(names, operation.name), call, imports),
    ];
  });
  return printSource([...imports.printDeclarations(), ...headerReaders.printDeclarations(), ...statements]);
}

/** Declares e.g. `CreatePageRequest`. A group of parameters is optional if no parameter in it is required. */
function declareRequest(operation: Operation, types: MessageTypes): string {
  const parameters = types.printParameters(operation);
  const alternatives = types.printBodyAlternatives(operation).map((body) => [...parameters, ...body]);
  return printTypeAlias(`${operation.typeName}Request`, printObjectUnion(alternatives));
}

/** Declares e.g. `CreatePageResponse`: a union of the success responses, with one member per response and media type. */
function declareResponse(operation: Operation, types: MessageTypes): string {
  const alternatives = listSuccessResponses(operation).flatMap((response) =>
    types.printResponseAlternatives(operation, response, response.statuses.filter(isSuccessStatus)),
  );
  return printTypeAlias(
    `${operation.typeName}Response${printTypeParameters(operation, types.imports)}`,
    printObjectUnion(alternatives.map((each) => [...each, "response: Response"])),
  );
}

/**
 * Prints the type parameters of a response: `As` for an operation that returns bytes, otherwise none. The caller chooses
 * the type that represents the bytes, such as a stream or a Blob.
 */
function printTypeParameters(operation: Operation, imports: Imports): string {
  const mediaTypes = listSuccessResponses(operation).flatMap((response) => response.mediaTypes);
  const returnsBytes = mediaTypes.some(({ kind }) => kind === "binary");
  return returnsBytes ? `<As extends keyof ${imports.importRuntimeType("Bytes")} = "bytes">` : "";
}

/** Declares the function of an operation with a name of the file, and exports it under the name of the operation. */
function declareFunction(operation: Operation, localName: string, call: string, imports: Imports): string[] {
  const { name, typeName, body } = operation;
  const requiresRequest = body?.required === true || operation.parameters.some(({ required }) => required);
  const typeParameters = printTypeParameters(operation, imports);
  const isExported = localName === name;
  const parameters = [
    `connection: ${imports.importRuntimeType("Connection")}`,
    `request${requiresRequest ? "" : "?"}: ${typeName}Request`,
    `options?: ${imports.importRuntimeType("CallOptions")}${typeParameters === "" ? "" : " & { as?: As }"}`,
  ];
  const result = `${typeName}Response${typeParameters === "" ? "" : "<As>"}`;
  const code = `function ${localName}${typeParameters}(${parameters.join(", ")}): Promise<${result}> {
  return ${call};
}`;
  return [
    printDeclaration(isExported ? `export ${code}` : code, createDocs(operation)),
    ...(isExported ? [] : [`export { ${localName} as ${name} };`]),
  ];
}

/** Creates the lines of the doc comment, which start with the route, because editors show neither the method nor the path. */
function createDocs({ method, path, summary, description, deprecated }: Operation): string[] {
  const route = `\`${method.toUpperCase()} ${path}\``;
  const [first, ...rest] = [summary, description].filter((text) => text !== "");
  return createDocLines(first === undefined ? route : `${route}: ${first}`, rest.join(), deprecated);
}

/** Prints the connection that sends the calls of an operation: with its own server, if it is not that of the document. */
function printConnection({ servers }: Operation, api: Api, imports: Imports): string {
  const url = servers[0]?.url;
  if (url === undefined || url === (api.servers[0]?.url ?? "/")) return "connection";
  return imports.printCall("withServer", "connection", printStringLiteral(url));
}
