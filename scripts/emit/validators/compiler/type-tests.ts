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

/** Prints a condition that is true for values of none of the types. */
export function printNegatedTypeTest(types: readonly string[], value: string): string {
  return types.map((type) => printTypeTest(type, value, "!==")).join(" && ");
}
