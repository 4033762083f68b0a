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

/** Whether every object inherits a member with this name, so that reading it does not show whether the object has its own. */
export function isInheritedName(name: string): boolean {
  return Object.hasOwn(Object.prototype, name);
}

export function printMember(object: string, name: string): string {
  return /^[A-Za-z_$][A-Za-z0-9_$]*$/.test(name)
    ? `${object}.${name}`
    : `${object}[${printStringLiteral(name)}]`;
}

/**
 * Prints the condition that an object has an own member. JSON has no undefined, so reading the member suffices for most names.
 */
export function printHasMember(object: string, name: string): string {
  return isInheritedName(name) ? printHasOwn(object, name) : `${printMember(object, name)} !== undefined`;
}

export function printLacksMember(object: string, name: string): string {
  return isInheritedName(name)
    ? `!${printHasOwn(object, name)}`
    : `${printMember(object, name)} === undefined`;
}

function printHasOwn(object: string, name: string): string {
  return `Object.hasOwn(${object}, ${printStringLiteral(name)})`;
}

/**
 * Prints a condition that is true for values of a type, or with the operator `!==` for all other values. JSON.parse reads
 * 1e400 as Infinity, which is not a JSON number.
 */
export function printTypeTest(type: string, value: string, operator: "===" | "!==" = "==="): string {
  const not = operator === "===" ? "" : "!";
  switch (type) {
    case "null":
      return `${value} ${operator} null`;
    case "array":
      return `${not}Array.isArray(${value})`;
    case "object":
      return `${not}isObject(${value})`;
    case "integer":
      return `${not}Number.isInteger(${value})`;
    case "number":
      return `${not}Number.isFinite(${value})`;
    default:
      return `typeof ${value} ${operator} "${type}"`;
  }
}
