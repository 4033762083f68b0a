import type { Api, Emission, Operation, Parameter } from "../../model/model.js";
import { camelCase, pascalCase } from "../../model/names.js";
import { escapePointer } from "../../model/json.js";
import type { Compiler } from "./compiler/compiler.js";
import { createSchemaKey } from "./compiler/references.js";
import { BANNER, propertyKey, stringLiteral } from "../../code/encode.js";
import { PARAMETER_GROUPS } from "../references.js";
import type { ValidatorOptions } from "./formats.js";
import { findParsedBodySchema, createCompiler, collectProblems } from "./schema-compiler.js";
import { isComponent, makeComponentFunctionName, makeMediaTypeSuffix } from "./function-names.js";
import {
  printBodyValidators,
  printOperationEntry,
  printObjectDeclaration,
  VALIDATOR_TYPES,
} from "./print-validators.js";

/**
 * Emits validators.js and validators.d.ts: request validators for every operation, compiled ahead of time. Schemas that
 * cannot be compiled are reported as problems.
 */
export function emitValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const operations = api.groups.flatMap((group) => group.operations);
  const compiler = createCompiler(api, nameRequestFunctions(api, operations), options);
  const tables = operations.map((operation) =>
    printOperationEntry(operation.name, printRequestValidators(api, operation, compiler)),
  );
  const expectations = Object.entries(compiler.expectations).map(
    ([pattern, expected]) => `  ${propertyKey(pattern)}: ${stringLiteral(expected)},`,
  );
  const content = [
    BANNER,
    "",
    compiler.printCode(),
    "",
    "/** Request validators by operation; parts without a check are omitted. */",
    printObjectDeclaration("export const validators = {", tables.flat()),
    "",
    "/** Descriptions of expected values by pattern, which the document declares with x-expected. */",
    printObjectDeclaration("export const expectations = {", expectations),
    "",
  ].join("\n");
  const files = [
    { path: "validators.js", content },
    { path: "validators.d.ts", content: printDeclarations(operations) },
  ];
  const problems = collectProblems(compiler);
  return problems.some(({ severity }) => severity === "error")
    ? { files: [], problems }
    : { files, problems };
}

/** Chooses names for the functions that check the parts of requests, by schema key. */
function nameRequestFunctions(api: Api, operations: readonly Operation[]): [key: string, name: string][] {
  return operations.flatMap((operation) => [
    ...PARAMETER_GROUPS.map(([member, location]) => [member, parametersIn(operation, location)] as const)
      .filter(([, parameters]) => parameters.length > 0)
      .map(([member, parameters]) => nameParameterGroup(operation, member, parameters)),
    ...operation.parameters.flatMap(({ schema }): [string, string][] =>
      schema && isComponent(schema) ? [[createSchemaKey(schema), makeComponentFunctionName(schema)]] : [],
    ),
    ...(operation.body?.mediaTypes ?? []).flatMap((mediaType): [string, string][] => {
      const schema = findParsedBodySchema(api, mediaType);
      if (!schema) return [];
      const base = isComponent(schema) ? makeComponentFunctionName(schema) : `${operation.name}Body`;
      return [[createSchemaKey(schema), `${base}${makeMediaTypeSuffix(mediaType.name)}`]];
    }),
  ]);
}

function parametersIn(operation: Operation, location: Parameter["in"]): Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === location);
}

/**
 * Chooses the key and the function name for the parameters of one location, which together have no schema in the
 * document. Operations whose parameters are the same components share one function, named after them: `ownerRepoPath`.
 */
function nameParameterGroup(
  operation: Operation,
  member: string,
  parameters: Parameter[],
): [key: string, name: string] {
  const suffix = pascalCase(member);
  if (!parameters.every(({ schema }) => isComponent(schema))) {
    return [`#/operations/${operation.name}/${member}`, `${operation.name}${suffix}`];
  }
  const pointers = parameters.map(({ schema, required }) => `${schema?.pointer}${required ? "!" : ""}`);
  return [
    `#/parameters/${member}/${escapePointer(pointers.join(" "))}`,
    `${camelCase(parameters.map(({ name }) => name).join(" "))}${suffix}`,
  ];
}

function printRequestValidators(api: Api, operation: Operation, compiler: Compiler): string[] {
  const parts: string[] = [];
  for (const [member, location] of PARAMETER_GROUPS) {
    const parameters = parametersIn(operation, location);
    if (parameters.length === 0) continue;
    const members = parameters.map(({ name, required, schema }) => ({
      name,
      required,
      schema,
      isShared: isComponent(schema),
    }));
    const [key] = nameParameterGroup(operation, member, parameters);
    parts.push(`${member}: validator(${compiler.addMembersCheck(key, members)}),`);
  }
  return [...parts, ...printBodyValidators(api, operation.body?.mediaTypes ?? [], compiler)];
}

function printDeclarations(operations: readonly Operation[]): string {
  // One line per operation, so that adding one does not change other lines.
  const members = operations.map(({ name }) => `\n  ${propertyKey(name)}: RequestValidators;`);
  return `${BANNER}

${VALIDATOR_TYPES}/** Validators of a request: of parameters by location, of the body by media type. */
export interface RequestValidators {
  path?: Validator;
  query?: Validator;
  headers?: Validator;
  cookies?: Validator;
  body?: Record<string, Validator>;
}

export const validators: {${members.join("")}${members.length > 0 ? "\n" : ""}};
export const expectations: Record<string, string>;
`;
}
