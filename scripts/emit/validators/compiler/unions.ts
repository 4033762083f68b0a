import { jsonExpression, stringLiteral } from "../../../code/encode.js";
import type { JsonObject } from "../../../model/model.js";
import { isObject } from "../../../model/node.js";
import { getPossibleTypes, getPropertyFacts, type Scalar } from "../../../model/schema/composition.js";
import { type Block, printMember, printPath } from "./code.js";
import {
  type CodeGenerator,
  type CodegenContext,
  readSubschemaList,
  readKeyword,
  reject,
  rejectIf,
  rejectWith,
} from "./context.js";
import type { Schema } from "../../../model/schema/schema.js";

/** A property whose value selects the branch of a union. */
interface DiscriminatingProperty {
  property: string;
  /** The values of each branch. */
  values: Scalar[][];
}

/** Generates `anyOf` and `oneOf`. */
export function generateUnionKeywords(
  schema: Schema,
  keywords: JsonObject,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  return (["anyOf", "oneOf"] as const).flatMap((keyword) => {
    const branches = readSubschemaList(schema, keyword);
    return branches.length === 0
      ? []
      : generateUnion(keyword, schema, keywords, branches, context, generator);
  });
}

function generateUnion(
  keyword: "anyOf" | "oneOf",
  schema: Schema,
  keywords: JsonObject,
  branches: readonly Schema[],
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  const [only] = branches;
  if (branches.length === 1 && only) return generator.generateChecks(only, context);
  // A branch that accepts every value decides anyOf, unless evaluated properties are tracked.
  if (
    keyword === "anyOf" &&
    context.evaluated === undefined &&
    branches.some((branch) => branch.boolean === true)
  )
    return [];
  const anyMatchSuffices =
    keyword === "anyOf" || areDisjoint(branches.map((branch) => getPossibleTypes(branch)));
  if (anyMatchSuffices) {
    const optional = generateNullableSchema(branches, context, generator);
    if (optional) return optional;
  }
  const tag = findDiscriminatingProperty(keywords, branches);
  if (tag) return generateSwitch(tag, branches, context, generator);
  const tests = branches.map((branch) => generator.generateTest(branch, context));
  const reportTag = findReportingProperty(schema, keywords, branches);
  const condition = anyMatchSuffices
    ? context.evaluated === undefined
      ? `!(${tests.join(" || ")})`
      : `${tests.map((test) => `Number(${test})`).join(" + ")} === 0`
    : `${tests.map((test) => `Number(${test})`).join(" + ")} !== 1${printUnlessDiscriminated(reportTag, keywords, tests, context, generator)}`;
  const checks = branches.map((branch) => generator.getUnit(branch, context, false).name);
  const report = [
    "errors",
    printPath(context.path),
    stringLiteral(keyword),
    context.value,
    `[${checks.join(", ")}]`,
    ...(reportTag ? [jsonExpression({ ...reportTag })] : []),
  ];
  return [
    `if (${condition}) {`,
    rejectWith(context, `${generator.useHelper("failUnion")}(${report.join(", ")})`),
    "}",
  ];
}

/**
 * Prints the condition that a value matches the branch that its discriminator names. Such a value is accepted even if it
 * matches several branches of `oneOf`, because in many documents the branches overlap.
 */
function printUnlessDiscriminated(
  reportTag: DiscriminatingProperty | undefined,
  keywords: JsonObject,
  tests: string[],
  { value }: CodegenContext,
  generator: CodeGenerator,
): string {
  if (
    !reportTag ||
    reportTag.property !== getDiscriminatorName(keywords) ||
    reportTag.property in Object.prototype
  )
    return "";
  const tag = printMember(value, reportTag.property);
  const named = tests.flatMap((test, index) => {
    const names = (reportTag.values[index] ?? []).map((name) => `${tag} === ${jsonExpression(name)}`);
    return names.length === 0 ? [] : [`(${names.join(" || ")}) && ${test}`];
  });
  if (named.length === 0) return "";
  return ` && !(${generator.useHelper("isObject")}(${value}) && (${named.map((each) => `(${each})`).join(" || ")}))`;
}

/** Generates the union of a schema and null, so that a value other than null gets the errors of the schema. */
function generateNullableSchema(
  branches: readonly Schema[],
  context: CodegenContext,
  generator: CodeGenerator,
): Block | undefined {
  if (branches.length !== 2) return undefined;
  const isNull = branches.map((branch) => {
    const types = getPossibleTypes(branch);
    return types.size === 1 && types.has("null") && hasOnlyType(branch);
  });
  const other = branches[isNull.indexOf(false)];
  if (!other || !isNull.includes(true)) return undefined;
  const types = new Set([...context.types].filter((type) => type !== "null"));
  const code = generator.generateChecks(other, { ...context, types });
  return code.length === 0 ? [] : [`if (${context.value} !== null) {`, code, "}"];
}

function hasOnlyType({ keywords }: Schema): boolean {
  return (
    keywords.type === "null" && Object.keys(keywords).every((key) => key === "type" || ANNOTATIONS.has(key))
  );
}

const ANNOTATIONS = new Set(["title", "description", "$comment", "deprecated", "readOnly", "writeOnly"]);

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
function findDiscriminatingProperty(
  keywords: JsonObject,
  branches: readonly Schema[],
): DiscriminatingProperty | undefined {
  const objects = branches.every((branch) =>
    [...getPossibleTypes(branch)].every((type) => type === "object"),
  );
  if (!objects) return undefined;
  const facts = branches.map((branch) => getPropertyFacts(branch));
  const named = getDiscriminatorName(keywords);
  const candidates = [...(facts[0]?.values.keys() ?? [])].sort();
  if (named !== undefined) candidates.unshift(named);
  for (const property of candidates) {
    // Inherited properties exist in every object.
    if (property in Object.prototype || !facts.every(({ required }) => required.has(property))) continue;
    const sets = facts.map((each) => each.values.get(property));
    if (sets.every((set) => set !== undefined) && areDisjoint(sets)) {
      return { property, values: sets.map((set) => [...set]) };
    }
  }
  return undefined;
}

function getDiscriminatorName(keywords: JsonObject): string | undefined {
  const discriminator = readKeyword(keywords, "discriminator");
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  return typeof name === "string" ? name : undefined;
}

function generateSwitch(
  tag: DiscriminatingProperty,
  branches: readonly Schema[],
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  const cases: Block = branches.flatMap((branch, index) => {
    const labels = (tag.values[index] ?? []).map((value) => `case ${jsonExpression(value)}:`);
    if (labels.length === 0) return [];
    const code = generator.generateChecks(branch, { ...context, types: new Set(["object"] as const) });
    return [...labels, [...code, "break;"]];
  });
  const allowed = jsonExpression(tag.values.flat());
  const report = `errors, ${printPath(context.path)}, ${context.value}, ${stringLiteral(tag.property)}, ${allowed}`;
  const select: Block = [
    `switch (${printMember(context.value, tag.property)}) {`,
    [...cases, "default:", rejectWith(context, `${generator.useHelper("failTag")}(${report})`)],
    "}",
  ];
  if (context.types.size === 1 && context.types.has("object")) return select;
  const isObject = `${generator.useHelper("isObject")}(${context.value})`;
  const refusal = reject(context, "type", jsonExpression({ type: "object" }));
  if (context.unit.reportsAll) return [`if (!${isObject}) {`, refusal, "} else {", select, "}"];
  return [`if (!${isObject}) {`, refusal, "}", ...select];
}

/**
 * Finds the property that identifies the intended branch, for error messages only: the discriminator, or a property
 * whose listed values differ in all branches with objects.
 */
function findReportingProperty(
  schema: Schema,
  keywords: JsonObject,
  branches: readonly Schema[],
): DiscriminatingProperty | undefined {
  const facts = branches.map((branch) => getPropertyFacts(branch));
  const property = getDiscriminatorName(keywords);
  if (property !== undefined) {
    const mapped = listDiscriminatorValues(schema);
    const names = branches.map((branch, index): Scalar[] => {
      const listed = facts[index]?.values.get(property);
      const { reference } = branch;
      if (!reference) return [...(listed ?? [])];
      const named = mapped.get(reference) ?? [
        reference.pointer.slice(reference.pointer.lastIndexOf("/") + 1),
      ];
      // A branch has the discriminator values that refer to it, unless its schema lists only other values.
      return listed && !named.some((name) => listed.has(name)) ? [...listed] : named;
    });
    return areDisjoint(names.map((each) => new Set(each))) ? { property, values: names } : undefined;
  }
  const objects = branches.map((branch) => getPossibleTypes(branch).has("object"));
  const first = objects.indexOf(true);
  for (const candidate of [...(facts[first]?.values.keys() ?? [])].sort()) {
    const sets = facts.map((each, index) =>
      objects[index] ? each.values.get(candidate) : new Set<Scalar>(),
    );
    if (sets.every((set) => set !== undefined) && areDisjoint(sets) && objects.filter(Boolean).length > 1) {
      return { property: candidate, values: sets.map((set) => [...set]) };
    }
  }
  return undefined;
}

/** Lists the discriminator values by the schema that they select. */
function listDiscriminatorValues(schema: Schema): Map<Schema, string[]> {
  const names = new Map<Schema, string[]>();
  for (const [name, target] of schema.discriminator?.mapping ?? []) {
    names.set(target, [...(names.get(target) ?? []), name]);
  }
  return names;
}

/** Generates `allOf` and `not`. */
export function generateCompositionKeywords(
  schema: Schema,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  const block: Block = [];
  for (const member of readSubschemaList(schema, "allOf"))
    block.push(...generator.generateChecks(member, context));
  const not = schema.subschema("not");
  if (not) {
    // Properties that the schema of `not` evaluates do not count.
    const test = generator.generateTest(not, { ...context, evaluated: undefined });
    block.push(
      ...(test === "false"
        ? []
        : test === "true"
          ? reject(context, "not", "{}")
          : rejectIf(test, context, "not", {})),
    );
  }
  return block;
}

/** Generates `if`, `then` and `else`. */
export function generateConditionalKeywords(
  schema: Schema,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  const condition = schema.subschema("if");
  if (!condition) return [];
  const then = schema.subschema("then");
  const otherwise = schema.subschema("else");
  const yes = then ? generator.generateChecks(then, context) : [];
  const no = otherwise ? generator.generateChecks(otherwise, context) : [];
  const test = generator.generateTest(condition, context);
  if (yes.length === 0 && no.length === 0) return context.evaluated === undefined ? [] : [`${test};`];
  if (yes.length === 0) return [`if (!(${test})) {`, no, "}"];
  return no.length === 0 ? [`if (${test}) {`, yes, "}"] : [`if (${test}) {`, yes, "} else {", no, "}"];
}
