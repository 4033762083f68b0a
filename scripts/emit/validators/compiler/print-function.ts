import { escapeCommentText } from "../../../code/encode.js";
import { type Block, printBlock } from "./block.js";
import { ALL_VALID, type CheckFunction } from "./context.js";

export interface PrintFunctionOptions {
  /** Whether the function can reach itself with the same value. A nested call for that value then returns true at once. */
  isRecursive: boolean;
  /** Whether the function reports every error of a value instead of returning at the first. */
  reportsAll: boolean;
}

/**
 * Prints the source of a check function, which returns whether a value is valid. If `errors` is a list, the function adds
 * the problems to it, with JSON pointers that begin with `path`. Values are JSON, so they are never undefined.
 */
export function printFunction(
  checkFunction: CheckFunction,
  { isRecursive, reportsAll }: PrintFunctionOptions,
): string {
  const { name, pointer, tracksEvaluated, localCount, body } = checkFunction;
  const parameters = `value, errors, path${tracksEvaluated ? ", outer" : ""}`;
  // Variables for nested values, named as in `createChildContext`.
  const variables = Array.from({ length: localCount }, (_, index) => `value${index + 1}`);
  const statements: Block = [
    ...(localCount > 0 ? [`let ${variables.join(", ")};`] : []),
    ...(reportsAll
      ? [`let ${ALL_VALID} = true;`, ...body, `return ${ALL_VALID};`]
      : [...body, "return true;"]),
  ];
  const comment = `/** ${escapeCommentText(`#${pointer}`)} */`;
  if (!isRecursive) return printBlock([comment, `function ${name}(${parameters}) {`, statements, "}"]);
  // The value that is being checked; undefined between checks.
  const currentValue = `${name}$now`;
  const innerName = `${name}$once`;
  return printBlock([
    `let ${currentValue};`,
    comment,
    `function ${name}(${parameters}) {`,
    [
      "// The schema refers to itself for the same value: what is being checked already needs no second check.",
      `if (${currentValue} === value) return true;`,
      `const before = ${currentValue};`,
      `${currentValue} = value;`,
      "try {",
      [`return ${innerName}(${parameters});`],
      "} finally {",
      [`${currentValue} = before;`],
      "}",
    ],
    "}",
    `function ${innerName}(${parameters}) {`,
    statements,
    "}",
  ]);
}
