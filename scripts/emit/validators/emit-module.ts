import { BANNER, printPropertyKey } from "../../code/encode.js";
import type { Operation } from "../../model/model.js";
import type { Emission, Problem } from "../emitter.js";
import type { Compiler } from "./compiler/compiler.js";

/**
 * Creates a JavaScript module with compiled validators, and its declarations. If a schema cannot be compiled, it has
 * errors instead of files.
 *
 * @param constant the exported constant: its name, its doc comment, and the lines of its object
 * @param types declaration of the constant for TypeScript, which can use the interface `Validator`
 */
export function emitModule(
  name: string,
  compiler: Compiler,
  constant: { name: string; doc: string; lines: readonly string[] },
  types: string,
): Emission {
  const errors = compiler.errors.map(({ pointer, message }): Problem => ({
    severity: "error",
    pointer,
    message: `This schema cannot be compiled to a validator: ${message}.`,
  }));
  const warnings = compiler.warnings.map((problem): Problem => ({ severity: "warning", ...problem }));
  // Without it, a project with `checkJs` would check the untyped parameters of compiled code.
  const noCheck = "// @ts-nocheck: compiled JavaScript, whose types are in the .d.ts file";
  const content = [`${BANNER}\n${noCheck}`, compiler.printCode(), printConstant(constant)].join("\n\n");
  const files = [
    { path: `${name}.js`, content: `${content}\n` },
    { path: `${name}.d.ts`, content: `${BANNER}\n\n${VALIDATOR_TYPES}${types}` },
  ];
  return { files: errors.length > 0 ? [] : files, problems: [...errors, ...warnings] };
}

/** Prints the type of a constant that has a member of the given type for each operation, on one line per operation. */
export function printOperationsType(name: string, operations: readonly Operation[], type: string): string {
  const members = operations.map((operation) => `\n  ${printPropertyKey(operation.name)}: ${type};`);
  return `export const ${name}: {${members.join("")}${members.length > 0 ? "\n" : ""}};\n`;
}

function printConstant({ name, doc, lines }: Parameters<typeof emitModule>[2]): string {
  const opening = `/** ${doc} */\nexport const ${name} = {`;
  return lines.length === 0
    ? `${opening}};`
    : [opening, ...lines.map((line) => `  ${line}`), "};"].join("\n");
}

const VALIDATOR_TYPES = `/** Checks a value. If it returns false, \`errors\` has the reasons. */
export interface Validator {
  (data: unknown): boolean;
  errors?: ValidationError[] | null;
}

/** An error of a value. */
export interface ValidationError {
  /** JSON pointer into the value. */
  instancePath: string;
  keyword: string;
  params: Record<string, unknown>;
  /** Errors of each branch, if no branch of a union matches. */
  branches?: ValidationError[][];
}
`;
