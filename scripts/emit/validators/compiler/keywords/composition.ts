import { printJsonExpression, printStringLiteral } from "../../../../code/encode.js";
import { getPossibleTypes } from "../../../../model/schema/json-types.js";
import { listAssertionKeywords } from "../assertions.js";
import { type Block, wrapInIf } from "../block.js";
import { printMember, printPath } from "../expressions.js";
import { type CodegenContext, reject, rejectIf, rejectOtherTypes } from "../context.js";
import { readSubschemaList } from "./read-keywords.js";
import { areDisjoint, findReportedTag, findUnionTag, type UnionTag } from "./union-tags.js";
import type { Schema } from "../../../../model/schema/schema.js";

/** Generates `allOf` and `not`. */
export function generateCompositionKeywords(schema: Schema, context: CodegenContext): Block {
  const { generator } = context;
  const block = readSubschemaList(schema, "allOf").flatMap((each) => generator.generateChecks(each, context));
  const not = schema.subschema("not");
  if (!not) return block;
  // Without the properties and items that are evaluated: a value that passes the test is refused.
  const test = generator.generateTest(not, { ...context, evaluatedVariable: undefined });
  return [...block, ...(test === "true" ? reject(context, "not") : rejectIf(test, context, "not"))];
}

/** Generates `if`, `then` and `else`. */
export function generateConditionalKeywords(schema: Schema, context: CodegenContext): Block {
  const { generator } = context;
  const condition = schema.subschema("if");
  if (!condition) return [];
  const thenSchema = schema.subschema("then");
  const elseSchema = schema.subschema("else");
  const thenChecks = thenSchema ? generator.generateChecks(thenSchema, context) : [];
  const elseChecks = elseSchema ? generator.generateChecks(elseSchema, context) : [];
  const test = generator.generateTest(condition, context);
  if (thenChecks.length > 0 && elseChecks.length > 0)
    return [`if (${test}) {`, thenChecks, "} else {", elseChecks, "}"];
  if (thenChecks.length > 0) return wrapInIf(test, thenChecks);
  if (elseChecks.length > 0) return wrapInIf(`!(${test})`, elseChecks);
  // The test also adds the properties that the condition evaluates.
  return context.evaluatedVariable === undefined ? [] : [`${test};`];
}

const OBJECT_ONLY = new Set(["object"] as const);

export function generateUnionKeywords(schema: Schema, context: CodegenContext): Block {
  return (["anyOf", "oneOf"] as const).flatMap((keyword) => {
    const branches = readSubschemaList(schema, keyword);
    return branches.length === 0 ? [] : generateUnion(keyword, schema, branches, context);
  });
}

function generateUnion(
  keyword: "anyOf" | "oneOf",
  schema: Schema,
  branches: readonly Schema[],
  context: CodegenContext,
): Block {
  const [only] = branches;
  if (branches.length === 1 && only) return context.generator.generateChecks(only, context);
  // A branch that accepts every value decides anyOf, unless evaluated properties are tracked.
  const acceptsAll = keyword === "anyOf" && branches.some((branch) => branch.booleanValue === true);
  if (acceptsAll && context.evaluatedVariable === undefined) return [];
  const anyMatchSuffices =
    keyword === "anyOf" || areDisjoint(branches.map((branch) => getPossibleTypes(branch)));
  const optional = anyMatchSuffices ? generateNullableSchema(branches, context) : undefined;
  if (optional) return optional;
  const tag = findUnionTag(schema, branches);
  return tag
    ? generateTagSwitch(tag, branches, context)
    : generateBranchTests(keyword, schema, anyMatchSuffices, context);
}

/**
 * Generates tests of all branches, and a report of the errors unless as many branches match as the keyword requires.
 *
 * @param anyMatchSuffices whether a value is valid if at least one branch matches, otherwise exactly one must match
 */
function generateBranchTests(
  keyword: "anyOf" | "oneOf",
  schema: Schema,
  anyMatchSuffices: boolean,
  context: CodegenContext,
): Block {
  const { generator } = context;
  const branches = readSubschemaList(schema, keyword);
  const tests = branches.map((branch) => generator.generateTest(branch, context));
  const reportedTag = findReportedTag(schema, branches);
  // Unlike `||`, the sum runs all tests, because each one that matches adds evaluated properties.
  const matchCountExpression = tests.map((test) => `Number(${test})`).join(" + ");
  const anyMatches =
    context.evaluatedVariable === undefined ? `!(${tests.join(" || ")})` : `${matchCountExpression} === 0`;
  const conditions = anyMatchSuffices
    ? [anyMatches]
    : [...printUnlessDiscriminated(schema, reportedTag, tests, context), `${matchCountExpression} !== 1`];
  // The branch that the discriminator names is tested first: testing all branches at each level of a recursive value takes
  // exponential time. With evaluated properties, all tests must run.
  if (context.evaluatedVariable !== undefined) conditions.reverse();
  const condition = conditions.join(" && ");
  const checks = branches.map((branch) => generator.getFunction(branch, context, false, true).name);
  const report = [
    "errors",
    printPath(context.path),
    printStringLiteral(keyword),
    context.valueVariable,
    `[${checks.join(", ")}]`,
    ...(reportedTag ? [printJsonExpression({ ...reportedTag })] : []),
  ];
  return [`if (${condition} && ${generator.useHelper("failUnion")}(${report.join(", ")})) return false;`];
}

/**
 * Prints the condition that a value does not match the branch that its discriminator names. Returns no condition without a
 * discriminator. A value that matches the named branch is accepted even if it matches several branches of `oneOf`,
 * because in many documents the branches overlap.
 */
function printUnlessDiscriminated(
  schema: Schema,
  tag: UnionTag | undefined,
  tests: readonly string[],
  { valueVariable }: CodegenContext,
): string[] {
  if (!tag || tag.property !== schema.discriminator?.propertyName || tag.property in Object.prototype)
    return [];
  const member = printMember(valueVariable, tag.property);
  const branchTests = tests.flatMap((test, index) => {
    const nameTests = (tag.values[index] ?? []).map((name) => `${member} === ${printJsonExpression(name)}`);
    return nameTests.length === 0 ? [] : [`((${nameTests.join(" || ")}) && ${test})`];
  });
  return branchTests.length === 0 ? [] : [`!(isObject(${valueVariable}) && (${branchTests.join(" || ")}))`];
}

/** Generates the union of a schema and null, so that a value other than null gets the errors of the schema. */
function generateNullableSchema(branches: readonly Schema[], context: CodegenContext): Block | undefined {
  if (branches.length !== 2) return undefined;
  const isNull = branches.map((branch) => {
    const types = getPossibleTypes(branch);
    return types.size === 1 && types.has("null") && listAssertionKeywords(branch).join() === "type";
  });
  const other = branches[isNull.indexOf(false)];
  if (!other || !isNull.includes(true)) return undefined;
  const possibleTypes = new Set([...context.possibleTypes].filter((type) => type !== "null"));
  return wrapInIf(
    `${context.valueVariable} !== null`,
    context.generator.generateChecks(other, { ...context, possibleTypes }),
  );
}

function generateTagSwitch(tag: UnionTag, union: readonly Schema[], context: CodegenContext): Block {
  const { generator } = context;
  const cases: Block = union.flatMap((branch, index) => {
    const labels = (tag.values[index] ?? []).map((value) => `case ${printJsonExpression(value)}:`);
    if (labels.length === 0) return [];
    const branches = new Map([...context.branches, [tag, branch]]);
    const code = generator.generateChecks(branch, { ...context, branches, possibleTypes: OBJECT_ONLY });
    return [...labels, [...code, "break;"]];
  });
  const allowed = printJsonExpression(tag.values.flat());
  const report = `errors, ${printPath(context.path)}, ${context.valueVariable}, ${printStringLiteral(tag.property)}, ${allowed}`;
  const select: Block = [
    `switch (${printMember(context.valueVariable, tag.property)}) {`,
    [...cases, "default:", [`if (${generator.useHelper("failTag")}(${report})) return false;`]],
    "}",
  ];
  if (context.possibleTypes.size === 1 && context.possibleTypes.has("object")) return select;
  return rejectOtherTypes(`!isObject(${context.valueVariable})`, context, { type: "object" }, select);
}
