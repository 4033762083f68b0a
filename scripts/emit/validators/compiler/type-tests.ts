/**
 * Prints a condition that is true for values of a type. JSON.parse reads 1e400 as Infinity, which is not a JSON number.
 */
export function printTypeTest(type: string, value: string): string {
  switch (type) {
    case "null":
      return `${value} === null`;
    case "array":
      return `Array.isArray(${value})`;
    case "object":
      return `isObject(${value})`;
    case "integer":
      return `Number.isInteger(${value})`;
    case "number":
      return `Number.isFinite(${value})`;
    default:
      return `typeof ${value} === "${type}"`;
  }
}

/** Prints a condition that is true for values of none of the types. */
export function printNegatedTypeTest(types: readonly string[], value: string): string {
  return types
    .map((type) => {
      const test = printTypeTest(type, value);
      return test.includes(" === ") ? test.replace(" === ", " !== ") : `!${test}`;
    })
    .join(" && ");
}
