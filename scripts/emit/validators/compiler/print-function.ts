import { escapeCommentText } from "../../../code/encode.js";
import { type Block, printBlock } from "./block.js";
import { type CheckFunction, nameNestedValue } from "./context.js";
import type { Memoization } from "./memoized-functions.js";

/**
 * Prints the source of a check function. If `errors` is null, the function returns whether a value is valid. If it is a
 * list, the function adds the errors to it, with JSON pointers that begin with `path`, and returns false once the list has the
 * maximum number of errors. `outer` collects the evaluated members for the caller. Values are JSON, so they are never undefined.
 *
 * @param isRecursive whether the function can reach itself with the same value; a nested call for that value then returns
 *   true at once
 * @param memoization when the function remembers its results
 */
export function printFunction(
  { name, pointer, tracksEvaluated, localCount, body }: CheckFunction,
  isRecursive: boolean,
  memoization: Memoization | undefined,
): string {
  const parameters = `value, errors, path${tracksEvaluated ? ", outer" : ""}`;
  const variables = Array.from({ length: localCount }, (_, index) => nameNestedValue(index + 1));
  const comment = `/** ${escapeCommentText(`#${pointer}`)} */`;
  const createFunction = (functionName: string): Block => [
    `function ${functionName}(${parameters}) {`,
    [...(localCount > 0 ? [`let ${variables.join(", ")};`] : []), ...body, "return true;"],
    "}",
  ];
  if (!isRecursive && !memoization) return printBlock([comment, ...createFunction(name)]);
  const callBody = {
    shared: `return checkShared(${name}$body, ${parameters});`,
    always: `return checkOnce(${name}$body, ${parameters});`,
    // Errors are collected after a check without a list of errors.
    "while collecting errors": `return errors === null && checkResults === undefined ? ${name}$body(${parameters}) : checkOnce(${name}$body, ${parameters});`,
    never: `return ${name}$body(${parameters});`,
  }[memoization ?? "never"];
  // The value that is being checked; undefined between checks.
  const currentValue = `${name}$current`;
  const callUnlessRunning = [
    "// The schema refers to itself for the same value, and the check of that value is already running.",
    `if (${currentValue} === value) return true;`,
    `const before = ${currentValue};`,
    `${currentValue} = value;`,
    "try {",
    [callBody],
    "} finally {",
    [`${currentValue} = before;`],
    "}",
  ];
  return printBlock([
    ...(isRecursive ? [`let ${currentValue};`] : []),
    comment,
    `function ${name}(${parameters}) {`,
    isRecursive ? callUnlessRunning : [callBody],
    "}",
    ...createFunction(`${name}$body`),
  ]);
}
