import { propertyKey } from "../../code/encode.js";
import type { Api, MediaType } from "../../model/model.js";
import type { Compiler } from "./compiler/compiler.js";
import { findParsedBodySchema } from "./schema-compiler.js";

/**
 * Prints the property `body: { ... }` with a validator for each media type. Returns no lines if no media type needs one.
 */
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

/** Prints the property of an operation in the object of all validators. */
export function printOperationEntry(name: string, members: readonly string[]): string[] {
  const key = propertyKey(name);
  return members.length === 0
    ? [`  ${key}: {},`]
    : [`  ${key}: {`, ...members.map((line) => `    ${line}`), "  },"];
}

/**
 * Prints the declaration of an object.
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
