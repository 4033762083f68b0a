import type { Api, MediaType, Problem } from "../../model/model.js";
import { pascalCase } from "../../model/names.js";
import { unescapePointer } from "../../model/json.js";
import type { Schema } from "../../model/schema/schema.js";
import { Compiler, schemaKey } from "./compiler/compile.js";
import { propertyKey } from "../../code/encode.js";
import { FORMATS, type ValidatorOptions } from "./formats.js";

/** Kinds of bodies that are a value when a handler gets them. */
const DECODED = new Set<MediaType["kind"]>(["json", "form", "multipart"]);

/**
 * The schema of a body, as its bytes are read: in a form, binary schemas allow everything. Undefined for a body that
 * handlers get as text or bytes.
 */
export function bodySchema(api: Api, { kind, schema }: MediaType): Schema | undefined {
  if (!schema || !DECODED.has(kind)) return undefined;
  if (kind === "json") return schema;
  const { uri } = schema.resource.source;
  const { withFiles } = api.schemas;
  return withFiles.at(`${uri}?files`, schema.pointer)?.[schema.form?.direction ?? "request"];
}

/** Creates a compiler that names its functions after the schemas of the document. */
export function schemaCompiler(
  api: Api,
  parts: Iterable<readonly [key: string, name: string]>,
  { formats = "assert" }: ValidatorOptions,
): Compiler {
  const names = new Map<string, string>();
  const add = (schema: Schema, suffix: string): void => {
    for (const form of [schema.response, schema.request]) names.set(schemaKey(form), `${form.name}${suffix}`);
  };
  for (const schema of api.schemas.components().values()) add(schema, "");
  if (hasForms(api)) for (const schema of api.schemas.withFiles.components().values()) add(schema, "Form");
  for (const [key, name] of parts) if (!names.has(key)) names.set(key, name);
  return new Compiler({ names, formats: new Map(formats === "assert" ? Object.entries(FORMATS) : []) });
}

function hasForms({ groups }: Api): boolean {
  const mediaTypes = groups.flatMap(({ operations }) =>
    operations.flatMap(({ body }) => body?.mediaTypes ?? []),
  );
  return mediaTypes.some(({ kind }) => kind === "form" || kind === "multipart");
}

/** The problems of the compiler, without repetitions. */
export function problemsOf(compiler: Compiler): Problem[] {
  // An error of a schema is found once per reference to the schema.
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

/** Whether a schema belongs to a parameter, body or response that operations share. */
export function isShared(schema: Schema | undefined): boolean {
  return schema?.pointer.startsWith("/components/") === true;
}

/** The function name for a shared parameter, e.g. `perPageParameter`, independent of the operations. */
export function sharedName(schema: Schema): string {
  const [, , section = "", name = ""] = schema.pointer.split("/");
  return `${unescapePointer(name)}${pascalCase(section).replace(/s$/, "")}`;
}

/** The suffix for validators of a media type other than JSON. */
export function mediaTypeSuffix(mediaType: string): string {
  return mediaType === "application/json" ? "" : pascalCase(mediaType.replace(/^application\//, ""));
}

/** The member `body: { ... }` by media type; empty if no media type needs a check. */
export function bodyTable(api: Api, mediaTypes: readonly MediaType[], compiler: Compiler): string[] {
  const bodies = mediaTypes.flatMap((mediaType) => {
    const schema = bodySchema(api, mediaType);
    const check = schema && compiler.check(schema);
    return check === undefined ? [] : [`${propertyKey(mediaType.name)}: validator(${check}),`];
  });
  return bodies.length === 0 ? [] : ["body: {", ...bodies.map((line) => `  ${line}`), "},"];
}

/** An entry of a table. */
export function table(name: string, members: readonly string[]): string[] {
  const key = propertyKey(name);
  return members.length === 0
    ? [`  ${key}: {},`]
    : [`  ${key}: {`, ...members.map((line) => `    ${line}`), "  },"];
}

/** An object of the code: its opening line, its members, its end. */
export function objectLines(opening: string, lines: readonly string[]): string {
  return lines.length === 0 ? `${opening}};` : [opening, ...lines, "};"].join("\n");
}

/** Declarations of the types of validators. */
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
