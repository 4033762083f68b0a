import type { Api, Emission, Operation, Response } from "../../model/model.js";
import type { Compiler } from "./compiler/compiler.js";
import { createSchemaKey } from "./compiler/references.js";
import { BANNER, propertyKey } from "../../code/encode.js";
import type { ValidatorOptions } from "./formats.js";
import { createCompiler, collectProblems } from "./schema-compiler.js";
import { isComponent, makeComponentFunctionName, makeMediaTypeSuffix } from "./function-names.js";
import {
  printBodyValidators,
  printOperationEntry,
  printObjectDeclaration,
  VALIDATOR_TYPES,
} from "./print-validators.js";

/**
 * Emits response-validators.js and response-validators.d.ts, which check responses in tests and during development.
 * Optional, because servers do not need them, and they cover most schemas of a document.
 */
export function emitResponseValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const operations = api.groups.flatMap((group) => group.operations);
  const compiler = createCompiler(api, operations.flatMap(nameResponseFunctions), options);
  const tables = operations.map((operation) =>
    printOperationEntry(
      operation.name,
      operation.responses.flatMap((response) => printResponseValidators(api, operation, response, compiler)),
    ),
  );
  const content = [
    BANNER,
    "",
    compiler.printCode(),
    "",
    "/** Response validators by operation and status; parts without a check are omitted. */",
    printObjectDeclaration("export const responseValidators = {", tables.flat()),
    "",
  ].join("\n");
  const files = [
    { path: "response-validators.js", content },
    { path: "response-validators.d.ts", content: printDeclarations(operations) },
  ];
  const problems = collectProblems(compiler);
  return problems.some(({ severity }) => severity === "error")
    ? { files: [], problems }
    : { files, problems };
}

/** Chooses names for the functions that check the parts of responses, by schema key. */
function nameResponseFunctions(operation: Operation): [key: string, name: string][] {
  return operation.responses.flatMap((response) => [
    nameHeaders(operation, response),
    ...response.headers.flatMap(({ schema }): [string, string][] =>
      schema && isComponent(schema) ? [[createSchemaKey(schema), makeComponentFunctionName(schema)]] : [],
    ),
    ...response.mediaTypes.flatMap(({ name, schema }): [string, string][] => {
      if (!schema) return [];
      const own = `${operation.name}${makeStatusSuffix(response)}Response`;
      const base = isComponent(schema) ? makeComponentFunctionName(schema) : own;
      return [[createSchemaKey(schema), `${base}${makeMediaTypeSuffix(name)}`]];
    }),
  ]);
}

function makeStatusSuffix({ key }: Response): string {
  return key === "default" ? "Default" : key;
}

function nameHeaders(operation: Operation, response: Response): [key: string, name: string] {
  return [
    `#/operations/${operation.name}/responses/${response.key}/headers`,
    `${operation.name}${makeStatusSuffix(response)}Headers`,
  ];
}

/** Prints the validators of a response. The names of headers are in lower case. */
function printResponseValidators(
  api: Api,
  operation: Operation,
  response: Response,
  compiler: Compiler,
): string[] {
  const [headersKey] = nameHeaders(operation, response);
  const members = response.headers.map(({ name, required, schema }) => ({
    name: name.toLowerCase(),
    required,
    schema,
    isShared: isComponent(schema),
  }));
  const headers =
    members.length === 0 ? [] : [`headers: validator(${compiler.addMembersCheck(headersKey, members)}),`];
  const parts = [...headers, ...printBodyValidators(api, response.mediaTypes, compiler)];
  const key = propertyKey(response.key);
  return parts.length === 0 ? [`${key}: {},`] : [`${key}: {`, ...parts.map((line) => `  ${line}`), "},"];
}

function printDeclarations(operations: readonly Operation[]): string {
  // One line per operation, so that adding one does not change other lines.
  const members = operations.map(
    ({ name }) => `\n  ${propertyKey(name)}: Record<string, ResponseValidators>;`,
  );
  return `${BANNER}

${VALIDATOR_TYPES}/** Validators of a response: of headers by lower-case name, of the body by media type. */
export interface ResponseValidators {
  headers?: Validator;
  body?: Record<string, Validator>;
}

/** By operation, and by status as the document spells it. */
export const responseValidators: {${members.join("")}
};
`;
}
