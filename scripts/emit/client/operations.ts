import { createDocs } from "../../code/encode.js";
import { breakLongLines } from "../../code/break-lines.js";
import { printSource, type Statement } from "../../code/print-source.js";
import { getRequired } from "../../maps.js";
import type { Api, Operation } from "../../model/model.js";
import { Imports } from "../imports.js";
import { ClientTypes } from "./client-types.js";
import { chooseFunctionNames } from "./function-names.js";
import { HeaderReaders } from "./header-readers.js";
import { printOperationDescription } from "./operation-description.js";

/** Prints operations.ts: request type, response type and function of each operation. */
export function printOperations(api: Api, fetchRuntime: string): string {
  const { operations } = api;
  // Without operations the file is still a module.
  if (operations.length === 0) return printSource(["export {};"]);
  const imports = new Imports(fetchRuntime);
  const types = new ClientTypes(api, imports);
  const names = chooseFunctionNames(operations.map(({ name }) => name));
  const readers = new HeaderReaders(imports, names.values());
  const statements = operations.flatMap((operation) => [
    types.declareRequest(operation),
    types.declareResponse(operation),
    ...declareFunction(operation, getRequired(names, operation.name), types, readers, imports),
  ]);
  return printSource([
    ...imports.printDeclarations(),
    ...readers.printDeclarations().map(breakLongLines),
    ...statements,
  ]);
}

/**
 * Declares the function of an operation.
 *
 * @param localName its name in the file; it is exported under the name of the operation
 */
function declareFunction(
  operation: Operation,
  localName: string,
  types: ClientTypes,
  readers: HeaderReaders,
  imports: Imports,
): Statement[] {
  const { name, typeName, summary, description, deprecated, body, parameters } = operation;
  const requiresRequest = body?.required === true || parameters.some(({ required }) => required);
  const typeParameters = types.listTypeParameters(operation);
  const callOptions = imports.importType("CallOptions");
  const call = imports.printCall(
    "send",
    "connection",
    "request",
    "options",
    printOperationDescription(operation, readers, imports),
  );
  return [
    {
      kind: "function",
      name: localName,
      isLocal: localName !== name,
      docs: createDocs(summary, description, deprecated),
      typeParameters,
      parameters: [
        { name: "connection", type: imports.importType("Connection") },
        { name: "request", type: `${typeName}Request`, isOptional: !requiresRequest },
        {
          name: "options",
          type: typeParameters.length > 0 ? `${callOptions} & { as?: As }` : callOptions,
          isOptional: true,
        },
      ],
      returnType: `Promise<${typeName}Response${typeParameters.length > 0 ? "<As>" : ""}>`,
      statements: [breakLongLines(`  return ${call};`).trim()],
    },
    ...(localName === name ? [] : [`export { ${localName} as ${name} };`]),
  ];
}
