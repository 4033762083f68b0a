import { createDocLines } from "../../code/encode.js";
import { printDeclaration, printSource } from "../../code/print-source.js";
import { getRequired } from "../../maps.js";
import type { Api, Operation } from "../../model/model.js";
import { Imports } from "../imports.js";
import { MessageTypes } from "../message-types.js";
import { declareRequest, declareResponse, printTypeParameters } from "./client-types.js";
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
  const statements = operations.flatMap((operation) => [
    declareRequest(operation, types),
    declareResponse(operation, types),
    ...declareFunction(operation, getRequired(names, operation.name), headerReaders, imports),
  ]);
  return printSource([...imports.printDeclarations(), ...headerReaders.printDeclarations(), ...statements]);
}

/**
 * Declares the function of an operation.
 *
 * @param localName its name in the file; it is exported under the name of the operation
 */
function declareFunction(
  operation: Operation,
  localName: string,
  headerReaders: HeaderReaders,
  imports: Imports,
): string[] {
  const { name, typeName, summary, description, deprecated, body } = operation;
  const requiresRequest = body?.required === true || operation.parameters.some(({ required }) => required);
  const typeParameters = printTypeParameters(operation, imports);
  const isExported = localName === name;
  const callOptions = imports.importType("CallOptions");
  const parameters = [
    `connection: ${imports.importType("Connection")}`,
    `request${requiresRequest ? "" : "?"}: ${typeName}Request`,
    `options?: ${callOptions}${typeParameters === "" ? "" : " & { as?: As }"}`,
  ];
  const result = `${typeName}Response${typeParameters === "" ? "" : "<As>"}`;
  const call = imports.printCall(
    "send",
    "connection",
    "request",
    "options",
    printOperationConfig(operation, headerReaders, imports),
  );
  const code = `function ${localName}${typeParameters}(${parameters.join(", ")}): Promise<${result}> {
  return ${call};
}`;
  return [
    printDeclaration(isExported ? `export ${code}` : code, createDocLines(summary, description, deprecated)),
    ...(isExported ? [] : [`export { ${localName} as ${name} };`]),
  ];
}
