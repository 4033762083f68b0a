import type { Api, Operation, Response } from "../../model/model.js";
import type { Emission } from "../emitter.js";
import { createCompiler } from "./create-compiler.js";
import { emitModule, printConstant, printOperationsType } from "./emit-module.js";
import type { ValidatorOptions } from "./formats.js";
import { type Message, printObjectProperty, printValidators } from "./message-validators.js";

/**
 * Emits response-validators.js and response-validators.d.ts, which check responses in tests and during development.
 * Optional: servers do not need them, and they are large, because responses contain most schemas of a document.
 */
export function emitResponseValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const { operations } = api;
  const messages = operations.flatMap((operation) =>
    operation.responses.map((response) => createResponse(operation, response)),
  );
  const compiler = createCompiler(api, messages, options);
  const validators = operations.flatMap((operation) =>
    printObjectProperty(
      operation.name,
      operation.responses.flatMap((response) =>
        printObjectProperty(
          response.key,
          printValidators(api, createResponse(operation, response), compiler),
        ),
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

/** Header names are in lower case, as Node.js and fetch return them. */
function createResponse(operation: Operation, { key, headers, mediaTypes }: Response): Message {
  const prefix = `${operation.name}${key === "default" ? "Default" : key}`;
  const group = {
    property: "headers",
    key: `#/operations/${operation.name}/responses/${key}/headers`,
    name: `${prefix}Headers`,
    members: headers.map((header) => ({ ...header, name: header.name.toLowerCase() })),
  };
  return {
    groups: headers.length === 0 ? [] : [group],
    // Streams are written item by item, so there is no complete value to check.
    mediaTypes: mediaTypes.filter(({ item }) => item === undefined),
    bodyName: `${prefix}Response`,
  };
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
