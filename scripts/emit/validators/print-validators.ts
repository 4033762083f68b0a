import { printPropertyKey } from "../../code/encode.js";
import type { Api, MediaType, Operation } from "../../model/model.js";
import { isComponent } from "./function-names.js";
import type { Compiler, ObjectMember } from "./compiler/compiler.js";
import { findParsedBodySchema } from "./create-compiler.js";

/**
 * Prints the property with the validator of the parameters of one location, or of all headers. Returns no lines if there
 * are none.
 *
 * @param key identifies the members: calls with the same key share one function
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

/** Prints the type of a constant that has a member of the given type for each operation, on one line per operation. */
export function printOperationsType(name: string, operations: readonly Operation[], type: string): string {
  const members = operations.map((operation) => `\n  ${printPropertyKey(operation.name)}: ${type};`);
  return `export const ${name}: {${members.join("")}${members.length > 0 ? "\n" : ""}};\n`;
}

/** Prints the declaration of a constant with a doc comment, whose value is an object with the given lines. */
export function printConstant(doc: string, name: string, lines: readonly string[]): string {
  const opening = `/** ${doc} */\nexport const ${name} = {`;
  return lines.length === 0
    ? `${opening}};`
    : [opening, ...lines.map((line) => `  ${line}`), "};"].join("\n");
}
