import { printJsonExpression, printStringLiteral } from "../../../code/encode.js";
import { isObject } from "../../../model/json.js";
import { getPossibleTypes } from "../../../model/schema/json-types.js";
import { getPropertyFacts, type PropertyFacts, type Scalar } from "../../../model/schema/property-facts.js";
import { type Block, wrapInIf } from "./block.js";
import { printMember } from "./print-member.js";
import { printPath } from "./value-path.js";
import { type CodegenContext, reject, rejectIf, rejectWith } from "./context.js";
import { readSubschemaList } from "./read-keywords.js";
import type { Discriminator, Schema } from "../../../model/schema/schema.js";

const OBJECT_ONLY = new Set(["object"] as const);

/** Tag of a union: a property whose value selects the branch. */
interface UnionTag {
  property: string;
  /** The values of the property, for each branch. */
  values: Scalar[][];
}

/** Generates `anyOf` and `oneOf`. */
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
  const { generator } = context;
  const [only] = branches;
  if (branches.length === 1 && only) return generator.generateChecks(only, context);
  // A branch that accepts every value decides anyOf, unless evaluated properties are tracked.
  if (
    keyword === "anyOf" &&
    context.evaluatedVariable === undefined &&
    branches.some((branch) => branch.boolean === true)
  )
    return [];
  const anyMatchSuffices =
    keyword === "anyOf" || areDisjoint(branches.map((branch) => getPossibleTypes(branch)));
  if (anyMatchSuffices) {
    const optional = generateNullableSchema(branches, context);
    if (optional) return optional;
  }
  const tag = findUnionTag(schema, branches);
  if (tag) return generateTagSwitch(tag, branches, context);
  const tests = branches.map((branch) => generator.generateTest(branch, context));
  const reportedTag = findReportedTag(schema, branches);
  // Unlike `||`, the sum runs all tests, because each one that matches adds evaluated properties.
  const matchCountExpression = tests.map((test) => `Number(${test})`).join(" + ");
  const anyMatches =
    context.evaluatedVariable === undefined ? `!(${tests.join(" || ")})` : `${matchCountExpression} === 0`;
  const condition = anyMatchSuffices
    ? anyMatches
    : [
        `${matchCountExpression} !== 1`,
        ...printUnlessDiscriminated(schema, reportedTag, tests, context),
      ].join(" && ");
  const checks = branches.map(
    (branch) => generator.getFunction(branch, context, { tracksEvaluated: false }).name,
  );
  const report = [
    "errors",
    printPath(context.path),
    printStringLiteral(keyword),
    context.valueVariable,
    `[${checks.join(", ")}]`,
    ...(reportedTag ? [printJsonExpression({ ...reportedTag })] : []),
  ];
  return wrapInIf(
    condition,
    rejectWith(context, `${generator.useHelper("failUnion")}(${report.join(", ")})`),
  );
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
  if (!tag || tag.property !== getDiscriminatorName(schema) || tag.property in Object.prototype) return [];
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
    return types.size === 1 && types.has("null") && allowsOnlyNull(branch);
  });
  const other = branches[isNull.indexOf(false)];
  if (!other || !isNull.includes(true)) return undefined;
  const possibleTypes = new Set([...context.possibleTypes].filter((type) => type !== "null"));
  return wrapInIf(
    `${context.valueVariable} !== null`,
    context.generator.generateChecks(other, { ...context, possibleTypes }),
  );
}

/** Whether a schema has no keywords but `type: null` and annotations. */
function allowsOnlyNull({ keywords }: Schema): boolean {
  return Object.keys(keywords).every((key) => key === "type" || ANNOTATIONS.has(key));
}

const ANNOTATIONS = new Set(["title", "description", "$comment", "deprecated", "readOnly", "writeOnly"]);

/** Whether no value is in several of the sets. */
function areDisjoint(sets: ReadonlySet<unknown>[]): boolean {
  const seen = new Set<unknown>();
  for (const set of sets) {
    for (const each of set) {
      if (seen.has(each)) return false;
      seen.add(each);
    }
  }
  return true;
}

/** Finds a required property whose listed values differ in all branches, so that at most one branch can match. */
function findUnionTag(schema: Schema, branches: readonly Schema[]): UnionTag | undefined {
  const allowsOnlyObjects = branches.every((branch) =>
    [...getPossibleTypes(branch)].every((type) => type === "object"),
  );
  if (!allowsOnlyObjects) return undefined;
  const facts = branches.map((branch) => getPropertyFacts(branch));
  const discriminatorName = getDiscriminatorName(schema);
  const candidates = [...(facts[0]?.allowedValues.keys() ?? [])].sort();
  if (discriminatorName !== undefined) candidates.unshift(discriminatorName);
  const required = candidates.filter((property) => facts.every((each) => each.required.has(property)));
  return findDisjointTag(required, facts);
}

/**
 * Finds the first property whose listed values differ in all branches.
 *
 * @param facts the facts about each branch; undefined for a branch that allows no objects
 */
function findDisjointTag(
  candidates: readonly string[],
  facts: readonly (PropertyFacts | undefined)[],
): UnionTag | undefined {
  for (const property of candidates) {
    const valueSets = facts.map((each) => (each ? each.allowedValues.get(property) : new Set<Scalar>()));
    if (valueSets.every((set) => set !== undefined) && areDisjoint(valueSets))
      return { property, values: valueSets.map((set) => [...set]) };
  }
  return undefined;
}

function getDiscriminatorName(schema: Schema): string | undefined {
  const discriminator = schema.keyword("discriminator");
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  return typeof name === "string" ? name : undefined;
}

function generateTagSwitch(tag: UnionTag, branches: readonly Schema[], context: CodegenContext): Block {
  const { generator } = context;
  const cases: Block = branches.flatMap((branch, index) => {
    const labels = (tag.values[index] ?? []).map((value) => `case ${printJsonExpression(value)}:`);
    if (labels.length === 0) return [];
    const code = generator.generateChecks(branch, { ...context, possibleTypes: OBJECT_ONLY });
    return [...labels, [...code, "break;"]];
  });
  const allowed = printJsonExpression(tag.values.flat());
  const report = `errors, ${printPath(context.path)}, ${context.valueVariable}, ${printStringLiteral(tag.property)}, ${allowed}`;
  const select: Block = [
    `switch (${printMember(context.valueVariable, tag.property)}) {`,
    [...cases, "default:", rejectWith(context, `${generator.useHelper("failTag")}(${report})`)],
    "}",
  ];
  if (context.possibleTypes.size === 1 && context.possibleTypes.has("object")) return select;
  const rejection = reject(context, "type", printJsonExpression({ type: "object" }));
  const rejectOthers: Block = [`if (!isObject(${context.valueVariable})) {`, rejection];
  return generator.reportsAll
    ? [...rejectOthers, "} else {", select, "}"]
    : [...rejectOthers, "}", ...select];
}

/**
 * Finds the property that identifies the intended branch, for error messages only: the discriminator, or a property
 * whose listed values differ in all branches with objects.
 */
function findReportedTag(schema: Schema, branches: readonly Schema[]): UnionTag | undefined {
  const facts = branches.map((branch) => getPropertyFacts(branch));
  const property = getDiscriminatorName(schema);
  if (property !== undefined) {
    const { discriminator } = schema;
    const names = branches.map(({ reference }, index): Scalar[] => {
      const allowedValues = facts[index]?.allowedValues.get(property);
      if (!reference) return [...(allowedValues ?? [])];
      const named = listDiscriminatorValues(discriminator, reference);
      // A branch has the discriminator values that refer to it, unless its schema lists only other values.
      return allowedValues && !named.some((name) => allowedValues.has(name)) ? [...allowedValues] : named;
    });
    return areDisjoint(names.map((each) => new Set(each))) ? { property, values: names } : undefined;
  }
  const objectFacts = branches.map((branch, index) =>
    getPossibleTypes(branch).has("object") ? facts[index] : undefined,
  );
  const [first, second] = objectFacts.filter((each) => each !== undefined);
  if (!first || !second) return undefined;
  return findDisjointTag([...first.allowedValues.keys()].sort(), objectFacts);
}

/** Lists the discriminator values that select a component: the values in `mapping`, otherwise the component's name. */
function listDiscriminatorValues(discriminator: Discriminator | undefined, target: Schema): string[] {
  const mapped = [...(discriminator?.mapping ?? [])].filter(([, schema]) => schema === target);
  if (mapped.length > 0) return mapped.map(([value]) => value);
  return [target.pointer.slice(target.pointer.lastIndexOf("/") + 1)];
}

/** Generates `allOf` and `not`. */
export function generateCompositionKeywords(schema: Schema, context: CodegenContext): Block {
  const { generator } = context;
  const block = readSubschemaList(schema, "allOf").flatMap((each) => generator.generateChecks(each, context));
  const not = schema.subschema("not");
  if (!not) return block;
  // Properties that the schema of `not` evaluates do not count.
  const test = generator.generateTest(not, { ...context, evaluatedVariable: undefined });
  if (test === "false") return block;
  return [...block, ...(test === "true" ? reject(context, "not", "{}") : rejectIf(test, context, "not", {}))];
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
