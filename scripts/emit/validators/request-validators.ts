import { printPropertyKey, printStringLiteral } from "../../code/encode.js";
import { escapePointer } from "../../model/json.js";
import type { Api, Operation } from "../../model/model.js";
import type { Emission } from "../emitter.js";
import { toCamelCase, toPascalCase } from "../../model/names.js";
import { groupParameters, type ParameterGroup } from "../parameter-groups.js";
import type { Compiler } from "./compiler/compiler.js";
import type { ValidatorOptions } from "./formats.js";
import { type NamedKey, isComponent, nameBody, nameComponents } from "./function-names.js";
import { emitModule } from "./emit-module.js";
import {
  printBodyValidators,
  printConstant,
  printMembersValidator,
  printObjectProperty,
  printOperationsType,
} from "./print-validators.js";
import { createCompiler, findParsedBodySchema } from "./create-compiler.js";

/**
 * Emits validators.js and validators.d.ts: request validators for every operation, compiled ahead of time. Schemas that
 * cannot be compiled are reported as problems.
 */
export function emitValidators(api: Api, options: ValidatorOptions = {}): Emission {
  const { operations } = api;
  const names = operations.flatMap((operation) => nameRequestFunctions(api, operation));
  const compiler = createCompiler(api, names, options);
  const validators = operations.flatMap((operation) =>
    printObjectProperty(operation.name, printRequestValidators(api, operation, compiler)),
  );
  const expectations = Object.entries(compiler.patternDescriptions).map(
    ([pattern, expected]) => `${printPropertyKey(pattern)}: ${printStringLiteral(expected)},`,
  );
  const constants = [
    printConstant(
      "Request validators by operation; parts without a check are omitted.",
      "validators",
      validators,
    ),
    printConstant(
      "Descriptions of expected values by pattern, which the document declares with x-expected.",
      "expectations",
      expectations,
    ),
  ];
  return emitModule("validators", compiler, constants, printTypes(operations));
}

/** Names the functions that check the parts of a request. */
function nameRequestFunctions(api: Api, operation: Operation): NamedKey[] {
  return [
    ...groupParameters(operation).map((group) => nameParameterGroup(operation, group)),
    ...nameComponents(operation.parameters),
    ...(operation.body?.mediaTypes ?? []).flatMap((mediaType) => {
      const schema = findParsedBodySchema(api, mediaType);
      return schema ? [nameBody(schema, mediaType, `${operation.name}Body`)] : [];
    }),
  ];
}

/**
 * Chooses the key and the function name for the parameters of one location, which together have no schema in the
 * document. Operations whose parameters are the same components share one function, named after them: `ownerRepoPath`.
 */
function nameParameterGroup(
  { name: operation }: Operation,
  { member, parameters }: ParameterGroup,
): NamedKey {
  const suffix = toPascalCase(member);
  if (!parameters.every(({ schema }) => isComponent(schema)))
    return [`#/operations/${operation}/${member}`, `${operation}${suffix}`];
  const pointers = parameters.map(({ schema, required }) => `${schema?.pointer}${required ? "!" : ""}`);
  const names = parameters.map(({ name }) => name);
  return [
    `#/parameters/${member}/${escapePointer(pointers.join(" "))}`,
    `${toCamelCase(names.join(" "))}${suffix}`,
  ];
}

function printRequestValidators(api: Api, operation: Operation, compiler: Compiler): string[] {
  return [
    ...groupParameters(operation).flatMap((group) => {
      const [key] = nameParameterGroup(operation, group);
      return printMembersValidator(group.member, key, group.parameters, compiler);
    }),
    ...printBodyValidators(api, operation.body?.mediaTypes ?? [], compiler),
  ];
}

function printTypes(operations: readonly Operation[]): string {
  return `
/** Validators of a request: of parameters by location, of the body by media type. */
export interface RequestValidators {
  path?: Validator;
  query?: Validator;
  headers?: Validator;
  cookies?: Validator;
  body?: Record<string, Validator>;
}

${printOperationsType("validators", operations, "RequestValidators")}export const expectations: Record<string, string>;
`;
}
