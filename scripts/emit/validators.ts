import type { Api, Emission, Operation, Parameter } from "../model/model.js";
import { camelCase, pascalCase } from "../model/names.js";
import { escapePointer } from "../model/node.js";
import type { Compiler } from "../validators/compile.js";
import { BANNER, propertyKey, stringLiteral } from "../code/encode.js";
import {
  bodyTable,
  DOCUMENT,
  isShared,
  mediaTypeSuffix,
  objectLines,
  problemsOf,
  schemaCompiler,
  sharedName,
  table,
  VALIDATOR_TYPES,
} from "./validator-tables.js";

const PLACES: readonly [member: string, place: Parameter["in"]][] = [
  ["path", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
];

/**
 * validators.js and validators.d.ts: the request validators of every operation, compiled ahead of time. A schema that
 * cannot be compiled is a problem.
 */
export function emitValidators(api: Api): Emission {
  const operations = api.groups.flatMap((group) => group.operations);
  const compiler = schemaCompiler(api, requestNames(operations));
  const tables = operations.map((operation) => table(operation.name, requestParts(operation, compiler)));
  const expectations = Object.entries(compiler.expectations).map(
    ([pattern, expected]) => `  ${propertyKey(pattern)}: ${stringLiteral(expected)},`,
  );
  const content = [
    BANNER,
    "",
    compiler.code(),
    "",
    "/** Request validators by operation; a part is left out where there is nothing to check. */",
    objectLines("export const validators = {", tables.flat()),
    "",
    "/** What a value that misses a pattern should have been, where the document says it with x-expected. */",
    objectLines("export const expectations = {", expectations),
    "",
  ].join("\n");
  const files = [
    { path: "validators.js", content },
    { path: "validators.d.ts", content: declarations(operations) },
  ];
  const problems = problemsOf(compiler);
  return problems.some(({ severity }) => severity === "error")
    ? { files: [], problems }
    : { files, problems };
}

/** Names of the functions for what operations take, by the places of the schemas. */
function requestNames(operations: readonly Operation[]): [pointer: string, name: string][] {
  return operations.flatMap((operation) => [
    ...PLACES.map(([member, place]) => [member, at(operation, place)] as const)
      .filter(([, parameters]) => parameters.length > 0)
      .map(([member, parameters]) => partName(operation, member, parameters)),
    ...operation.parameters
      .filter(({ schemaPointer }) => isShared(schemaPointer))
      .map(({ schemaPointer }): [string, string] => [schemaPointer, sharedName(schemaPointer)]),
    ...(operation.body?.mediaTypes ?? []).flatMap(({ name, schemaPointer }): [string, string][] => {
      if (schemaPointer === undefined) return [];
      const base = isShared(schemaPointer) ? sharedName(schemaPointer) : `${operation.name}Body`;
      return [[schemaPointer, `${base}${mediaTypeSuffix(name)}`]];
    }),
  ]);
}

function at(operation: Operation, place: Parameter["in"]): Parameter[] {
  return operation.parameters.filter((parameter) => parameter.in === place);
}

/**
 * A place and a name for what the document describes by pieces: it is nowhere in it. Operations whose pieces are all
 * shared have one between them, called after the pieces: `ownerRepoPath`.
 */
function partName(
  operation: Operation,
  member: string,
  parameters: Parameter[],
): [place: string, name: string] {
  const suffix = pascalCase(member);
  if (!parameters.every(({ schemaPointer }) => isShared(schemaPointer))) {
    return [`/operations/${operation.name}/${member}`, `${operation.name}${suffix}`];
  }
  const pieces = parameters.map(({ schemaPointer, required }) => `${schemaPointer}${required ? "!" : ""}`);
  return [
    `/parameters/${member}/${escapePointer(pieces.join(" "))}`,
    `${camelCase(parameters.map(({ name }) => name).join(" "))}${suffix}`,
  ];
}

function requestParts(operation: Operation, compiler: Compiler): string[] {
  const parts: string[] = [];
  for (const [member, place] of PLACES) {
    const parameters = at(operation, place);
    if (parameters.length === 0) continue;
    const members = parameters.map(({ name, required, schemaPointer }) => ({
      name,
      required,
      pointer: schemaPointer === "" ? undefined : schemaPointer,
      apart: isShared(schemaPointer),
    }));
    const [part] = partName(operation, member, parameters);
    parts.push(`${member}: validator(${compiler.checkMembers(DOCUMENT, part, members)}),`);
  }
  return [...parts, ...bodyTable(operation.body?.mediaTypes ?? [], compiler)];
}

function declarations(operations: readonly Operation[]): string {
  // A line for each: one more changes no other.
  const members = operations.map(({ name }) => `\n  ${propertyKey(name)}: RequestValidators;`);
  return `${BANNER}

${VALIDATOR_TYPES}/** What is checked of a request: parameters by place, the body by media type. */
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
