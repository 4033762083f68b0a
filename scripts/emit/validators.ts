import type { Api, Emission, MediaType, Operation, Parameter, Problem } from "../model/model.js";
import { camelCase, pascalCase } from "../model/names.js";
import { escapePointer, isObject, unescapePointer } from "../model/node.js";
import { Compiler } from "../validators/compile.js";
import { BANNER, propertyKey, stringLiteral } from "./encode.js";
import { FORMATS } from "./formats.js";

const DOCUMENT = "openapi.json";
/** The same document as forms are read: what it calls binary may be anything there. */
const FORMS = "openapi.json?forms";

const PLACES: readonly [member: string, place: Parameter["in"]][] = [
  ["path", "path"],
  ["query", "query"],
  ["headers", "header"],
  ["cookies", "cookie"],
];

/** Kinds of bodies that are a value when a handler gets them. */
const DECODED = new Set<MediaType["kind"]>(["json", "form", "multipart"]);

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

/** A compiler of the schemas of a document, which calls its functions after what the document calls its schemas. */
function schemaCompiler(api: Api, parts: Iterable<readonly [pointer: string, name: string]>): Compiler {
  const { openapi, components } = api.directed;
  const dialect = typeof openapi === "string" && openapi.startsWith("3.0") ? "openapi-3.0" : "openapi-3.1";
  const names = new Map<string, string>();
  const schemas = isObject(components) && isObject(components.schemas) ? components.schemas : {};
  for (const name of Object.keys(schemas)) {
    names.set(`${DOCUMENT}#/components/schemas/${escapePointer(name)}`, name);
    names.set(`${FORMS}#/components/schemas/${escapePointer(name)}`, `${name}Form`);
  }
  for (const [pointer, name] of parts) {
    for (const uri of [DOCUMENT, FORMS]) {
      if (!names.has(`${uri}#${pointer}`)) names.set(`${uri}#${pointer}`, name);
    }
  }
  const source = { document: api.directed, dialect } as const;
  return new Compiler({
    sources: [
      { ...source, uri: DOCUMENT },
      { ...source, uri: FORMS, hasFiles: true },
    ],
    names,
    formats: new Map(Object.entries(FORMATS)),
  });
}

function problemsOf(compiler: Compiler): Problem[] {
  // What is wrong with a schema is found again wherever it is reached from.
  const messages = new Map(
    compiler.problems.map((problem) => [`${problem.pointer} ${problem.message}`, problem]),
  );
  const unchecked = new Map(compiler.unchecked.map((one) => [`${one.pointer} ${one.message}`, one]));
  return [
    ...[...messages.values()].map(({ pointer, message }): Problem => ({
      severity: "error",
      pointer,
      message: `the schema cannot be compiled to a validator: ${message}`,
    })),
    ...[...unchecked.values()].map(({ pointer, message }): Problem => ({
      severity: "warning",
      pointer,
      message,
    })),
  ];
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

/** Whether a schema belongs to a parameter, body or response that operations share. */
function isShared(pointer: string): boolean {
  return pointer.startsWith("/components/");
}

/** What operations share is called after itself, not after the first of them: `perPageParameter`. */
function sharedName(pointer: string): string {
  const [, , section = "", name = ""] = pointer.split("/");
  return `${unescapePointer(name)}${pascalCase(section).replace(/s$/, "")}`;
}

function mediaTypeSuffix(mediaType: string): string {
  return mediaType === "application/json" ? "" : pascalCase(mediaType.replace(/^application\//, ""));
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

/** `body: { ... }`, by media type; nothing where nothing is checked. */
function bodyTable(mediaTypes: readonly MediaType[], compiler: Compiler): string[] {
  const bodies = mediaTypes.flatMap(({ name, kind, schemaPointer }) => {
    if (schemaPointer === undefined || !DECODED.has(kind)) return [];
    const check = compiler.check(kind === "json" ? DOCUMENT : FORMS, schemaPointer);
    return check === undefined ? [] : [`${propertyKey(name)}: validator(${check}),`];
  });
  return bodies.length === 0 ? [] : ["body: {", ...bodies.map((line) => `  ${line}`), "},"];
}

/** One entry of a table; nothing where it would be empty. */
function table(name: string, members: readonly string[]): string[] {
  const key = propertyKey(name);
  return members.length === 0
    ? [`  ${key}: {},`]
    : [`  ${key}: {`, ...members.map((line) => `    ${line}`), "  },"];
}

function objectLines(opening: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${opening}};` : [opening, ...lines, "};"].join("\n");
}

function declarations(operations: readonly Operation[]): string {
  // A line for each: one more changes no other.
  const members = operations.map(({ name }) => `\n  ${propertyKey(name)}: RequestValidators;`);
  return `${BANNER}

/** Checks a value; after false, \`errors\` says why. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ValidationError[] | null;
}

/** One reason why a value was refused: the first one found at its place. */
export interface ValidationError {
  /** JSON pointer into the value. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  /** Where no branch of a union fits: the reasons of each. */
  branches?: ValidationError[][];
}

/** What is checked of a request: parameters by place, the body by media type. */
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
