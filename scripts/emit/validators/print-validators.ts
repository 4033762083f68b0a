import { BANNER, printPropertyKey } from "../../code/encode.js";
import type { Api, Emission, MediaType, Problem } from "../../model/model.js";
import { isComponent } from "./function-names.js";
import type { Compiler, ObjectMember } from "./compiler/compiler.js";
import { findParsedBodySchema } from "./schema-compiler.js";

/**
 * Prints the property with the validator of the parameters of one location, or of all headers. Returns no lines if there
 * are none.
 *
 * @param key identifies the members; the same key has the same members
 */
export function printMembersValidator(
  property: string,
  key: string,
  members: readonly ObjectMember[],
  compiler: Compiler,
): string[] {
  if (members.length === 0) return [];
  return [`${property}: validator(${compiler.addMembersCheck(key, members, isComponent)}),`];
}

/**
 * Prints the property `body: { ... }` with a validator for each media type. Returns no lines if no media type needs one.
 */
export function printBodyValidators(
  api: Api,
  mediaTypes: readonly MediaType[],
  compiler: Compiler,
): string[] {
  const lines = mediaTypes.flatMap((mediaType) => {
    const schema = findParsedBodySchema(api, mediaType);
    const check = schema && compiler.addCheck(schema);
    return check === undefined ? [] : [`${printPropertyKey(mediaType.name)}: validator(${check}),`];
  });
  return lines.length === 0 ? [] : printObjectProperty("body", lines);
}

/** Prints a property whose value is an object with the given lines. */
export function printObjectProperty(name: string, lines: readonly string[]): string[] {
  const key = printPropertyKey(name);
  return lines.length === 0 ? [`${key}: {},`] : [`${key}: {`, ...lines.map((line) => `  ${line}`), "},"];
}

/** Prints the declaration of a constant with a doc comment, whose value is an object with the given lines. */
export function printConstant(doc: string, name: string, lines: readonly string[]): string {
  const opening = `/** ${doc} */\nexport const ${name} = {`;
  return lines.length === 0
    ? `${opening}};`
    : [opening, ...lines.map((line) => `  ${line}`), "};"].join("\n");
}

/**
 * Creates a JavaScript module with compiled validators, and its declarations. If a schema cannot be compiled, there are
 * problems instead of files.
 *
 * @param constants declarations of the exported constants
 * @param types declarations for TypeScript, which can use the interface `Validator`
 */
export function emitModule(
  name: string,
  compiler: Compiler,
  constants: readonly string[],
  types: string,
): Emission {
  const errors = compiler.problems.map(({ pointer, message }): Problem => ({
    severity: "error",
    pointer,
    message: `the schema cannot be compiled to a validator: ${message}`,
  }));
  const warnings = compiler.unchecked.map((problem): Problem => ({ severity: "warning", ...problem }));
  const content = [BANNER, compiler.printCode(), ...constants].join("\n\n");
  const files = [
    { path: `${name}.js`, content: `${content}\n` },
    { path: `${name}.d.ts`, content: `${BANNER}\n\n${VALIDATOR_TYPES}${types}` },
  ];
  return { files: errors.length > 0 ? [] : files, problems: [...errors, ...warnings] };
}

const VALIDATOR_TYPES = `/** Checks a value. If it returns false, \`errors\` has the reasons. */
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
