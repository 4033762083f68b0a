import type { Api, Operation, Response } from "../../model/model.js";
import type { Emission } from "../emitter.js";
import type { Compiler } from "./compiler/compiler.js";
import type { ValidatorOptions } from "./formats.js";
import { type NamedKey, nameBody, nameComponents } from "./function-names.js";
import { emitModule } from "./emit-module.js";
import {
  printBodyValidators,
  printConstant,
  printMembersValidator,
  printObjectProperty,
  printOperationsType,
} from "./print-validators.js";
import { createCompiler } from "./create-compiler.js";

/**
 * Emits response-validators.js and response-validators.d.ts, which check responses in tests and during development.
 * Optional: servers do not need them, and they are large, because responses contain most schemas of a document.
 */
export function emitResponseValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const { operations } = api;
  const compiler = createCompiler(api, operations.flatMap(nameResponseFunctions), options);
  const validators = operations.flatMap((operation) =>
    printObjectProperty(
      operation.name,
      operation.responses.flatMap((response) =>
        printObjectProperty(response.key, printResponseValidators(api, operation, response, compiler)),
      ),
    ),
  );
  const constant = printConstant(
    "Response validators by operation and status; parts without a check are omitted.",
    "responseValidators",
    validators,
  );
  return emitModule("response-validators", compiler, [constant], printTypes(operations));
}

/** Names the functions that check the parts of responses. */
function nameResponseFunctions(operation: Operation): NamedKey[] {
  return operation.responses.flatMap((response) => {
    const prefix = `${operation.name}${response.key === "default" ? "Default" : response.key}`;
    return [
      [createHeadersKey(operation, response), `${prefix}Headers`],
      ...nameComponents(response.headers),
      ...response.mediaTypes.flatMap((mediaType) =>
        mediaType.schema ? [nameBody(mediaType.schema, mediaType, `${prefix}Response`)] : [],
      ),
    ];
  });
}

/** Creates the key of the function for the headers of a response, which together have no schema in the document. */
function createHeadersKey(operation: Operation, response: Response): string {
  return `#/operations/${operation.name}/responses/${response.key}/headers`;
}

/** Prints the validators of a response. Header names are in lower case, as Node.js and fetch return them. */
function printResponseValidators(
  api: Api,
  operation: Operation,
  response: Response,
  compiler: Compiler,
): string[] {
  const headers = response.headers.map((header) => ({ ...header, name: header.name.toLowerCase() }));
  return [
    ...printMembersValidator("headers", createHeadersKey(operation, response), headers, compiler),
    ...printBodyValidators(api, response.mediaTypes, compiler),
  ];
}

function printTypes(operations: readonly Operation[]): string {
  return `
/** Validators of a response: of headers by lower-case name, of the body by media type. */
export interface ResponseValidators {
  headers?: Validator;
  body?: Record<string, Validator>;
}

/** By operation, and by status as the document spells it. */
${printOperationsType("responseValidators", operations, "Record<string, ResponseValidators>")}`;
}
