import type { Api, Emission, Operation, Response } from "../../model/model.js";
import { type Compiler, schemaKey } from "./compiler/compile.js";
import { BANNER, propertyKey } from "../../code/encode.js";
import type { ValidatorOptions } from "./formats.js";
import {
  bodyMember,
  isComponent,
  mediaTypeSuffix,
  objectCode,
  collectProblems,
  createCompiler,
  componentFunctionName,
  tableEntry,
  VALIDATOR_TYPES,
} from "./tables.js";

/**
 * Emits response-validators.js and response-validators.d.ts, which check responses in tests and during development.
 * Optional, because servers do not need them, and they cover most schemas of a document.
 */
export function emitResponseValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const operations = api.groups.flatMap((group) => group.operations);
  const compiler = createCompiler(api, operations.flatMap(responseNames), options);
  const tables = operations.map((operation) =>
    tableEntry(
      operation.name,
      operation.responses.flatMap((response) => responseTable(api, operation, response, compiler)),
    ),
  );
  const content = [
    BANNER,
    "",
    compiler.code(),
    "",
    "/** Response validators by operation and status; parts without a check are omitted. */",
    objectCode("export const responseValidators = {", tables.flat()),
    "",
  ].join("\n");
  const files = [
    { path: "response-validators.js", content },
    { path: "response-validators.d.ts", content: declarations(operations) },
  ];
  const problems = collectProblems(compiler);
  return problems.some(({ severity }) => severity === "error")
    ? { files: [], problems }
    : { files, problems };
}

/** Function names for the parts of responses, by schema key. */
function responseNames(operation: Operation): [key: string, name: string][] {
  return operation.responses.flatMap((response) => [
    headersName(operation, response),
    ...response.headers.flatMap(({ schema }): [string, string][] =>
      schema && isComponent(schema) ? [[schemaKey(schema), componentFunctionName(schema)]] : [],
    ),
    ...response.mediaTypes.flatMap(({ name, schema }): [string, string][] => {
      if (!schema) return [];
      const own = `${operation.name}${statusName(response)}Response`;
      const base = isComponent(schema) ? componentFunctionName(schema) : own;
      return [[schemaKey(schema), `${base}${mediaTypeSuffix(name)}`]];
    }),
  ]);
}

function statusName({ key }: Response): string {
  return key === "default" ? "Default" : key;
}

function headersName(operation: Operation, response: Response): [key: string, name: string] {
  return [
    `#/operations/${operation.name}/responses/${response.key}/headers`,
    `${operation.name}${statusName(response)}Headers`,
  ];
}

/** Names of headers are compared in lower case. */
function responseTable(api: Api, operation: Operation, response: Response, compiler: Compiler): string[] {
  const [headersKey] = headersName(operation, response);
  const members = response.headers.map(({ name, required, schema }) => ({
    name: name.toLowerCase(),
    required,
    schema,
    apart: isComponent(schema),
  }));
  const headers =
    members.length === 0 ? [] : [`headers: validator(${compiler.checkMembers(headersKey, members)}),`];
  const parts = [...headers, ...bodyMember(api, response.mediaTypes, compiler)];
  const key = propertyKey(response.key);
  return parts.length === 0 ? [`${key}: {},`] : [`${key}: {`, ...parts.map((line) => `  ${line}`), "},"];
}

function declarations(operations: readonly Operation[]): string {
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
