import { docComment } from "../../code/encode.js";
import { breakLongLines } from "../../code/break-lines.js";
import { type FunctionDeclaration, printSource, type Statement } from "../../code/print-source.js";
import type { Api, Operation } from "../../model/model.js";
import { Imports } from "../imports.js";
import { printOperationDescription } from "./operation-description.js";
import { type FunctionName, chooseFunctionNames } from "./function-names.js";
import { HeaderReaders } from "./header-readers.js";
import { ClientTypes } from "./client-types.js";

/** Prints operations.ts: request type, response type and function of each operation. */
export function emitOperations(api: Api, fetchRuntime: string): string {
  return new OperationsPrinter(api, fetchRuntime).print();
}

class OperationsPrinter {
  readonly #operations: Operation[];
  readonly #runtime: string;
  readonly #imports = new Imports();
  readonly #types: ClientTypes;
  readonly #names: Map<string, FunctionName>;
  readonly #headers: HeaderReaders;

  constructor(api: Api, fetchRuntime: string) {
    this.#operations = api.groups.flatMap((group) => group.operations);
    this.#runtime = fetchRuntime;
    this.#types = new ClientTypes(api, this.#imports, fetchRuntime);
    this.#names = chooseFunctionNames(this.#operations.map(({ name }) => name));
    this.#headers = new HeaderReaders([...this.#names.values()].map(({ local }) => local));
  }

  print(): string {
    const statements = this.#operations.flatMap((operation) => [
      this.#types.declareRequest(operation),
      this.#types.declareResponse(operation),
      ...this.#function(operation),
    ]);
    // Without operations the file is still a module.
    if (statements.length === 0) return printSource(["export {};"]);
    const readers = this.#headers.declarations().map(breakLongLines);
    return printSource([...this.#imports.statements(), ...readers, ...statements]);
  }

  #function(operation: Operation): Statement[] {
    const { local, exported } = this.#names.get(operation.name) ?? {
      local: operation.name,
      exported: operation.name,
    };
    const send = this.#imports.importValue(this.#runtime, "send");
    const callOptions = this.#imports.importType(this.#runtime, "CallOptions");
    const bytes = this.#types.returnsBytes(operation)
      ? this.#imports.importType(this.#runtime, "Bytes")
      : undefined;
    const description = printOperationDescription(operation, this.#headers, (name) =>
      this.#imports.importValue(this.#runtime, name),
    );
    const declaration: FunctionDeclaration = {
      kind: "function",
      name: local,
      isLocal: local !== exported,
      docs: docComment(operation.summary, operation.description, operation.deprecated),
      ...(bytes ? { typeParameters: [`As extends keyof ${bytes} = "bytes"`] } : {}),
      parameters: [
        { name: "connection", type: this.#imports.importType(this.#runtime, "Connection") },
        {
          name: "request",
          type: `${operation.typeName}Request`,
          hasQuestionToken: !this.#types.requiresRequest(operation),
        },
        {
          name: "options",
          type: bytes ? `${callOptions} & { as?: As }` : callOptions,
          hasQuestionToken: true,
        },
      ],
      returnType: `Promise<${operation.typeName}Response${bytes ? "<As>" : ""}>`,
      statements: [breakLongLines(`  return ${send}(connection, request, options, ${description});`).trim()],
    };
    return local === exported ? [declaration] : [declaration, `export { ${local} as ${exported} };`];
  }
}
