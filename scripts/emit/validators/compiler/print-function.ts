import { escapeCommentText } from "../../../code/encode.js";
import { type Block, printBlock } from "./code.js";
import { ALL_VALID, type CheckFunction } from "./context.js";

/**
 * Prints a function.
 *
 * @param isRecursive whether it can call itself with the same value. It then returns immediately while it is already
 *   checking that value.
 * @param reportsAll whether it reports every error of a value instead of returning at the first
 */
export function printFunction(check: CheckFunction, isRecursive: boolean, reportsAll: boolean): string {
  const { name, pointer, tracksEvaluated, localCount, body } = check;
  const parameters = `value, errors, path${tracksEvaluated ? ", outer" : ""}`;
  const variables = Array.from({ length: localCount }, (_, index) => `value${index + 1}`);
  const checks: Block = [
    ...(localCount > 0 ? [`let ${variables.join(", ")};`] : []),
    ...(reportsAll
      ? [`let ${ALL_VALID} = true;`, ...body, `return ${ALL_VALID};`]
      : [...body, "return true;"]),
  ];
  const comment = `/** ${escapeCommentText(`#${pointer}`)} */`;
  if (!isRecursive) return printBlock([comment, `function ${name}(${parameters}) {`, checks, "}"]);
  return printBlock([
    `let ${name}$now;`,
    "",
    comment,
    `function ${name}(${parameters}) {`,
    [
      "// The schema refers to itself for the same value: what is being checked already needs no second check.",
      `if (${name}$now === value) return true;`,
      `const before = ${name}$now;`,
      `${name}$now = value;`,
      "try {",
      [`return ${name}$once(${parameters});`],
      "} finally {",
      [`${name}$now = before;`],
      "}",
    ],
    "}",
    "",
    `function ${name}$once(${parameters}) {`,
    checks,
    "}",
  ]);
}
