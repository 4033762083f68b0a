import type { Api, Operation, Response } from "../../model/model.js";
import type { Emission } from "../emitter.js";
import { createCompiler } from "./create-compiler.js";
import { emitModule, printOperationsType } from "./emit-module.js";
import type { ValidatorOptions } from "./formats.js";
import {
  listParsedBodies,
  type Message,
  printObjectProperty,
  printValidators,
} from "./message-validators.js";

/**
 * Emits response-validators.js and response-validators.d.ts, which check responses in tests and during development.
 * Optional: servers do not need them, and they are large, because responses contain most schemas of a document.
 */
export function emitResponseValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const { operations } = api;
  const responses = operations.map((operation) => ({
    operation,
    messages: operation.responses.map((response) => createResponse(api, operation, response)),
  }));
  const compiler = createCompiler(
    api,
    responses.flatMap(({ messages }) => messages),
    options,
  );
  const lines = responses.flatMap(({ operation, messages }) =>
    printObjectProperty(
      operation.name,
      messages.flatMap((message) => printValidators(message, compiler)),
    ),
  );
  const doc = "Response validators by operation and status; parts without a check are omitted.";
  const constant = { name: "responseValidators", doc, lines };
  return emitModule("response-validators", compiler, constant, printTypes(operations));
}

/** Creates the checked parts of a response. Header names are in lower case, as Node.js and fetch return them. */
function createResponse(api: Api, operation: Operation, { key, headers, mediaTypes }: Response): Message {
  const prefix = `${operation.name}${key === "default" ? "Default" : key}`;
  const group = {
    property: "headers",
    key: `#/operations/${operation.name}/responses/${key}/headers`,
    name: `${prefix}Headers`,
    members: headers.map((header) => ({ ...header, name: header.name.toLowerCase() })),
  };
  // Streams are written item by item, so there is no complete value to check.
  const checked = mediaTypes.filter(({ item }) => item === undefined);
  return {
    property: key,
    groups: headers.length === 0 ? [] : [group],
    bodies: listParsedBodies(api, checked),
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
