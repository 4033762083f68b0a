import { printStringLiteral } from "../../../code/encode.js";
import { escapePointer } from "../../../json.js";

/**
 * The path of a nested value, relative to the argument of a function: property names, and expressions for steps that are
 * computed at run time.
 */
export type ValuePath = readonly (string | { readonly expression: string })[];

/** Prints the expression for the JSON pointer of a value. In generated code, `path` is the pointer of the argument. */
export function printPath(path: ValuePath): string {
  const operands = ["path"];
  let literal = "";
  const flushLiteral = (): void => {
    if (literal !== "") operands.push(printStringLiteral(literal));
    literal = "";
  };
  for (const step of path) {
    if (typeof step === "string") literal += `/${escapePointer(step)}`;
    else {
      literal += "/";
      flushLiteral();
      operands.push(step.expression);
    }
  }
  flushLiteral();
  return operands.join(" + ");
}
