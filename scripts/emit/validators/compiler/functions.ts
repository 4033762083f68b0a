import { commentText } from "../../../code/encode.js";
import { type Block, printBlock } from "./code.js";
import { ALL_VALID, type Unit } from "./context.js";

/** Prints a function. If it is recursive, it returns immediately while it is already checking the same value. */
export function printFunction(unit: Unit, isRecursive: boolean): string {
  const { name, pointer, tracksEvaluated: tracks, reportsAll, localCount: locals, body } = unit;
  const parameters = `value, errors, path${tracks ? ", outer" : ""}`;
  const variables = Array.from({ length: locals }, (_, index) => `value${index + 1}`);
  const checks: Block = [
    ...(locals > 0 ? [`let ${variables.join(", ")};`] : []),
    ...(reportsAll
      ? [`let ${ALL_VALID} = true;`, ...body, `return ${ALL_VALID};`]
      : [...body, "return true;"]),
  ];
  const comment = `/** ${commentText(`#${pointer}`)} */`;
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

/** Finds the functions that call themselves with the same value, directly or through others. */
export function findRecursiveFunctions(units: readonly Unit[]): Set<Unit> {
  const index = new Map<Unit, number>();
  const low = new Map<Unit, number>();
  const stack: Unit[] = [];
  const onStack = new Set<Unit>();
  const recursive = new Set<Unit>();
  // Tarjan's strongly connected components.
  const visit = (unit: Unit): number => {
    const number = index.size;
    index.set(unit, number);
    let lowest = number;
    stack.push(unit);
    onStack.add(unit);
    for (const next of unit.sameValueCalls) {
      if (!index.has(next)) lowest = Math.min(lowest, visit(next));
      else if (onStack.has(next)) lowest = Math.min(lowest, index.get(next) ?? lowest);
    }
    low.set(unit, lowest);
    if (lowest === number) {
      const members: Unit[] = [];
      for (let member = stack.pop(); member; member = stack.pop()) {
        onStack.delete(member);
        members.push(member);
        if (member === unit) break;
      }
      if (members.length > 1 || unit.sameValueCalls.has(unit))
        for (const member of members) recursive.add(member);
    }
    return lowest;
  };
  for (const unit of units) if (!index.has(unit)) visit(unit);
  return recursive;
}
