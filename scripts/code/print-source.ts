import { BANNER, printDocComment } from "./encode.js";
import { breakLongLines } from "./break-lines.js";

/** Prints a TypeScript file. There is no blank line between imports, nor between types without a doc comment. */
export function printSource(statements: readonly string[]): string {
  let text = BANNER;
  let isCompact = false;
  for (const statement of statements) {
    const wasCompact = isCompact;
    isCompact = /^(?:import|export type) /.test(statement);
    text += `${isCompact && wasCompact ? "\n" : "\n\n"}${statement}`;
  }
  return `${text}\n`;
}

/** Prints a declaration with the lines of its doc comment, which `createDocLines` creates. Breaks long lines. */
export function printDeclaration(code: string, docs: readonly string[] = []): string {
  return breakLongLines([...printDocComment(docs), code].join("\n"));
}

/**
 * Prints an exported interface.
 *
 * @param signature its name and type parameters
 * @param members each with its doc comment and a semicolon
 */
export function printInterface(
  signature: string,
  members: readonly string[],
  docs: readonly string[] = [],
): string {
  const body = members.length === 0 ? "{}" : `{\n${members.map((member) => `${indent(member)}\n`).join("")}}`;
  return printDeclaration(`export interface ${signature} ${body}`, docs);
}

/**
 * Prints an exported type.
 *
 * @param signature its name and type parameters
 * @param type begins with a bar for a union with a line for each member
 */
export function printTypeAlias(signature: string, type: string, docs: readonly string[] = []): string {
  return printDeclaration(
    `export type ${signature} =${type.startsWith("|") ? `\n${indent(type)}` : ` ${type}`};`,
    docs,
  );
}

/** Prints a union of object types, each of which is given by its members; `never` without any. */
export function printObjectUnion(alternatives: readonly (readonly string[])[]): string {
  const types = alternatives.map((members) =>
    members.length === 0 ? "Record<string, never>" : `{ ${members.join("; ")} }`,
  );
  if (types.length === 0) return "never";
  return types.length === 1 ? types.join("") : types.map((type) => `| ${type}`).join("\n");
}

/** Indents the lines of a text that are not empty by two spaces. */
export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}
