import type { Api, Operation, Response } from "../../model/model.js";
import type { Emission } from "../emitter.js";
import type { ValidatorOptions } from "./formats.js";
import {
  listParsedBodies,
  type Message,
  printObjectProperty,
  printValidators,
} from "./message-validators.js";
import { emitValidatorModule } from "./validator-module.js";

/**
 * Emits response-validators.js and response-validators.d.ts, which check responses in tests and during development.
 * Optional: servers do not need them, and they are large, because responses contain most schemas of a document.
 */
export function emitResponseValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const responses = api.operations.map((operation) => ({
    name: operation.name,
    messages: operation.responses.map((response) => createResponse(api, operation, response)),
  }));
  const allMessages = responses.flatMap(({ messages }) => messages);
  return emitValidatorModule(MODULE, api, allMessages, options, (compiler) =>
    responses.flatMap(({ name, messages }) =>
      printObjectProperty(
        name,
        messages.flatMap((message) => printValidators(message, compiler)),
      ),
    ),
  );
}

const MODULE = {
  name: "response-validators",
  constant: "responseValidators",
  doc: "Response validators by operation and status; parts without a check are omitted.",
  memberType: "Record<string, ResponseValidators>",
  types: `
/** Validators of a response: of headers by lower-case name, of the body by media type. */
export interface ResponseValidators {
  headers?: Validator;
  body?: Record<string, Validator>;
}

/** By operation, and by status as the document spells it. */
`,
};

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
    pointer: operation.pointer,
    groups: headers.length === 0 ? [] : [group],
    bodies: listParsedBodies(api, checked),
    bodyName: `${prefix}Response`,
  };
}
