import type { Api, MediaType, Problem } from "../model/model.js";
import { pascalCase } from "../model/names.js";
import { escapePointer, isObject, unescapePointer } from "../model/node.js";
import { Compiler } from "../validators/compile.js";
import { propertyKey } from "../code/encode.js";
import { FORMATS } from "./formats.js";

export const DOCUMENT = "openapi.json";
/** The same document as forms are read: what it calls binary may be anything there. */
const FORMS = "openapi.json?forms";

/** Kinds of bodies that are a value when a handler gets them. */
const DECODED = new Set<MediaType["kind"]>(["json", "form", "multipart"]);

/** A compiler of the schemas of a document, which calls its functions after what the document calls its schemas. */
export function schemaCompiler(
  api: Api,
  parts: Iterable<readonly [pointer: string, name: string]>,
): Compiler {
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

/** What the compiler found wrong, each problem once. */
export function problemsOf(compiler: Compiler): Problem[] {
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

/** Whether a schema belongs to a parameter, body or response that operations share. */
export function isShared(pointer: string): boolean {
  return pointer.startsWith("/components/");
}

/** What operations share is called after itself, not after the first of them: `perPageParameter`. */
export function sharedName(pointer: string): string {
  const [, , section = "", name = ""] = pointer.split("/");
  return `${unescapePointer(name)}${pascalCase(section).replace(/s$/, "")}`;
}

/** What tells the names of a media type's validators apart from those for JSON. */
export function mediaTypeSuffix(mediaType: string): string {
  return mediaType === "application/json" ? "" : pascalCase(mediaType.replace(/^application\//, ""));
}

/** `body: { ... }`, by media type; nothing where nothing is checked. */
export function bodyTable(mediaTypes: readonly MediaType[], compiler: Compiler): string[] {
  const bodies = mediaTypes.flatMap(({ name, kind, schemaPointer }) => {
    if (schemaPointer === undefined || !DECODED.has(kind)) return [];
    const check = compiler.check(kind === "json" ? DOCUMENT : FORMS, schemaPointer);
    return check === undefined ? [] : [`${propertyKey(name)}: validator(${check}),`];
  });
  return bodies.length === 0 ? [] : ["body: {", ...bodies.map((line) => `  ${line}`), "},"];
}

/** One entry of a table; nothing where it would be empty. */
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

/** Declarations of what a validator is. */
export const VALIDATOR_TYPES = `/** Checks a value; after false, \`errors\` says why. */
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

`;
