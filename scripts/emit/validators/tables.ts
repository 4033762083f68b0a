import type { Api, MediaType, Problem } from "../../model/model.js";
import { pascalCase } from "../../model/names.js";
import { unescapePointer } from "../../model/json.js";
import type { Schema } from "../../model/schema/schema.js";
import { type CompileProblem, Compiler, schemaKey } from "./compiler/compile.js";
import { propertyKey } from "../../code/encode.js";
import { FORMATS, type ValidatorOptions } from "./formats.js";

/** Code and names that request and response validators have in common: both are tables of validators by operation. */

/** Kinds of bodies that are parsed before a handler gets them. */
const PARSED_KINDS = new Set<MediaType["kind"]>(["json", "form", "multipart"]);

/**
 * The schema that a parsed body is checked against; undefined for a body that handlers get as text or bytes. In a form or
 * multipart body, schemas of files allow any value.
 */
export function findParsedBodySchema(api: Api, { kind, schema }: MediaType): Schema | undefined {
  if (!schema || !PARSED_KINDS.has(kind)) return undefined;
  if (kind === "json") return schema;
  const { uri } = schema.resource.source;
  const { withFiles } = api.schemas;
  return withFiles.findByPointer(`${uri}?files`, schema.pointer)?.[schema.form?.direction ?? "request"];
}

/**
 * Creates a compiler that names its functions after the schemas of the document.
 *
 * @param partNames function names for parts without a named schema, such as the parameters of an operation, by schema key
 */
export function createCompiler(
  api: Api,
  partNames: Iterable<readonly [key: string, name: string]>,
  { formats = "assert" }: ValidatorOptions,
): Compiler {
  const names = new Map<string, string>();
  const add = (schema: Schema, suffix: string): void => {
    for (const form of [schema.response, schema.request]) names.set(schemaKey(form), `${form.name}${suffix}`);
  };
  for (const schema of api.schemas.components().values()) add(schema, "");
  if (hasForms(api)) for (const schema of api.schemas.withFiles.components().values()) add(schema, "Form");
  for (const [key, name] of partNames) names.set(key, name);
  return new Compiler({ names, formats: new Map(formats === "assert" ? Object.entries(FORMATS) : []) });
}

function hasForms({ groups }: Api): boolean {
  const mediaTypes = groups.flatMap(({ operations }) =>
    operations.flatMap(({ body }) => body?.mediaTypes ?? []),
  );
  return mediaTypes.some(({ kind }) => kind === "form" || kind === "multipart");
}

/** Collects what the compiler could not compile, as errors, and what it left unchecked, as warnings. */
export function collectProblems(compiler: Compiler): Problem[] {
  return [
    ...removeDuplicates(compiler.problems).map(({ pointer, message }): Problem => ({
      severity: "error",
      pointer,
      message: `the schema cannot be compiled to a validator: ${message}`,
    })),
    ...removeDuplicates(compiler.unchecked).map(({ pointer, message }): Problem => ({
      severity: "warning",
      pointer,
      message,
    })),
  ];
}

/** The compiler finds a problem of a schema once for each reference to the schema. */
function removeDuplicates(problems: readonly CompileProblem[]): CompileProblem[] {
  return [...new Map(problems.map((problem) => [`${problem.pointer} ${problem.message}`, problem])).values()];
}

/** Whether a schema is in the components of the document, which operations share. */
export function isComponent(schema: Schema | undefined): boolean {
  return schema?.pointer.startsWith("/components/") === true;
}

/** Function name for the schema of a component, e.g. `perPageParameter` for `/components/parameters/perPage`. */
export function makeComponentFunctionName(schema: Schema): string {
  const [, , section = "", name = ""] = schema.pointer.split("/");
  return `${unescapePointer(name)}${pascalCase(section).replace(/s$/, "")}`;
}

/** Suffix of the function name for a media type, e.g. `XWwwFormUrlencoded`; `""` for JSON. */
export function makeMediaTypeSuffix(mediaType: string): string {
  return mediaType === "application/json" ? "" : pascalCase(mediaType.replace(/^application\//, ""));
}

/** Lines of the member `body: { ... }` with a validator for each media type; none if no media type needs a check. */
export function printBodyValidators(
  api: Api,
  mediaTypes: readonly MediaType[],
  compiler: Compiler,
): string[] {
  const bodies = mediaTypes.flatMap((mediaType) => {
    const schema = findParsedBodySchema(api, mediaType);
    const check = schema && compiler.addCheck(schema);
    return check === undefined ? [] : [`${propertyKey(mediaType.name)}: validator(${check}),`];
  });
  return bodies.length === 0 ? [] : ["body: {", ...bodies.map((line) => `  ${line}`), "},"];
}

/** Lines of an operation's entry in a table of validators. */
export function printOperationEntry(name: string, members: readonly string[]): string[] {
  const key = propertyKey(name);
  return members.length === 0
    ? [`  ${key}: {},`]
    : [`  ${key}: {`, ...members.map((line) => `    ${line}`), "  },"];
}

/**
 * Code that declares an object.
 *
 * @param opening the line up to the brace, e.g. `export const validators = {`
 */
export function printObjectDeclaration(opening: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${opening}};` : [opening, ...lines, "};"].join("\n");
}

/** TypeScript declarations for the top of validators.d.ts and response-validators.d.ts. */
export const VALIDATOR_TYPES = `/** Checks a value. If it returns false, \`errors\` has the reasons. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ValidationError[] | null;
}

/** An error of a value: the first one found at its path. */
export interface ValidationError {
  /** JSON pointer into the value. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  /** Errors of each branch, if no branch of a union matches. */
  branches?: ValidationError[][];
}

`;
