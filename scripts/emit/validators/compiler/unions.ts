import { jsonExpression, stringLiteral } from "../../../code/encode.js";
import type { JsonObject } from "../../../model/model.js";
import { isObject } from "../../../model/node.js";
import { getPossibleTypes, getPropertyFacts, type Scalar } from "../../../model/schema/composition.js";
import { type Block, member, pathExpression } from "./code.js";
import {
  type CodeGenerator,
  type CodegenContext,
  schemaList,
  keywordValue,
  reject,
  rejectIf,
  rejectWith,
} from "./context.js";
import type { Schema } from "../../../model/schema/schema.js";

/** A property whose value selects the branch of a union. */
interface Tag {
  property: string;
  /** The values of each branch. */
  values: Scalar[][];
}

/** Generates `anyOf` and `oneOf`. */
export function unionKeywords(
  node: Schema,
  values: JsonObject,
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  return (["anyOf", "oneOf"] as const).flatMap((keyword) => {
    const branches = schemaList(node, keyword);
    return branches.length === 0 ? [] : union(keyword, node, values, branches, context, generator);
  });
}

function union(
  keyword: "anyOf" | "oneOf",
  node: Schema,
  values: JsonObject,
  branches: readonly Schema[],
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  const [only] = branches;
  if (branches.length === 1 && only) return generator.schema(only, context);
  // A branch that accepts every value decides anyOf, unless evaluated properties are tracked.
  if (
    keyword === "anyOf" &&
    context.evaluated === undefined &&
    branches.some((branch) => branch.boolean === true)
  )
    return [];
  const exclusive = keyword === "anyOf" || disjoint(branches.map((branch) => getPossibleTypes(branch)));
  if (exclusive) {
    const optional = checkUnlessNull(branches, context, generator);
    if (optional) return optional;
  }
  const tag = findTag(values, branches);
  if (tag) return switchOnTag(tag, branches, context, generator);
  const tests = branches.map((branch) => generator.test(branch, context));
  const reportTag = reportTagFor(node, values, branches);
  const condition = exclusive
    ? context.evaluated === undefined
      ? `!(${tests.join(" || ")})`
      : `${tests.map((test) => `Number(${test})`).join(" + ")} === 0`
    : `${tests.map((test) => `Number(${test})`).join(" + ")} !== 1${unlessDiscriminated(reportTag, values, tests, context, generator)}`;
  const checks = branches.map((branch) => generator.unit(branch, context, false).name);
  const report = [
    "errors",
    pathExpression(context.path),
    stringLiteral(keyword),
    context.value,
    `[${checks.join(", ")}]`,
    ...(reportTag ? [jsonExpression({ ...reportTag })] : []),
  ];
  return [
    `if (${condition}) {`,
    rejectWith(context, `${generator.helper("failUnion")}(${report.join(", ")})`),
    "}",
  ];
}

/**
 * The condition for accepting a value that matches several branches of `oneOf`: it matches the branch that its
 * discriminator names. Documents with overlapping branches mean this, and no value would be valid otherwise.
 */
function unlessDiscriminated(
  reportTag: Tag | undefined,
  values: JsonObject,
  tests: string[],
  { value }: CodegenContext,
  generator: CodeGenerator,
): string {
  if (
    !reportTag ||
    reportTag.property !== getDiscriminatorName(values) ||
    reportTag.property in Object.prototype
  )
    return "";
  const tag = member(value, reportTag.property);
  const named = tests.flatMap((test, index) => {
    const names = (reportTag.values[index] ?? []).map((name) => `${tag} === ${jsonExpression(name)}`);
    return names.length === 0 ? [] : [`(${names.join(" || ")}) && ${test}`];
  });
  if (named.length === 0) return "";
  return ` && !(${generator.helper("isObject")}(${value}) && (${named.map((each) => `(${each})`).join(" || ")}))`;
}

/** Generates the union of a schema and null: a value that is not null gets the errors of the schema. */
function checkUnlessNull(
  branches: readonly Schema[],
  context: CodegenContext,
  generator: CodeGenerator,
): Block | undefined {
  if (branches.length !== 2) return undefined;
  const isNull = branches.map((branch) => {
    const types = getPossibleTypes(branch);
    return types.size === 1 && types.has("null") && onlyType(branch);
  });
  const other = branches[isNull.indexOf(false)];
  if (!other || !isNull.includes(true)) return undefined;
  const types = new Set([...context.types].filter((type) => type !== "null"));
  const code = generator.schema(other, { ...context, types });
  return code.length === 0 ? [] : [`if (${context.value} !== null) {`, code, "}"];
}

function onlyType({ keywords }: Schema): boolean {
  return (
    keywords.type === "null" && Object.keys(keywords).every((key) => key === "type" || ANNOTATIONS.has(key))
  );
}

const ANNOTATIONS = new Set(["title", "description", "$comment", "deprecated", "readOnly", "writeOnly"]);

function disjoint(sets: ReadonlySet<unknown>[]): boolean {
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
function findTag(values: JsonObject, branches: readonly Schema[]): Tag | undefined {
  const objects = branches.every((branch) =>
    [...getPossibleTypes(branch)].every((type) => type === "object"),
  );
  if (!objects) return undefined;
  const facts = branches.map((branch) => getPropertyFacts(branch));
  const named = getDiscriminatorName(values);
  const candidates = [...(facts[0]?.values.keys() ?? [])].sort();
  if (named !== undefined) candidates.unshift(named);
  for (const property of candidates) {
    // Inherited properties exist in every object.
    if (property in Object.prototype || !facts.every(({ required }) => required.has(property))) continue;
    const sets = facts.map((each) => each.values.get(property));
    if (sets.every((set) => set !== undefined) && disjoint(sets)) {
      return { property, values: sets.map((set) => [...set]) };
    }
  }
  return undefined;
}

function getDiscriminatorName(values: JsonObject): string | undefined {
  const discriminator = keywordValue(values, "discriminator");
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  return typeof name === "string" ? name : undefined;
}

function switchOnTag(
  tag: Tag,
  branches: readonly Schema[],
  context: CodegenContext,
  generator: CodeGenerator,
): Block {
  const cases: Block = branches.flatMap((branch, index) => {
    const labels = (tag.values[index] ?? []).map((value) => `case ${jsonExpression(value)}:`);
    if (labels.length === 0) return [];
    const code = generator.schema(branch, { ...context, types: new Set(["object"] as const) });
    return [...labels, [...code, "break;"]];
  });
  const allowed = jsonExpression(tag.values.flat());
  const report = `errors, ${pathExpression(context.path)}, ${context.value}, ${stringLiteral(tag.property)}, ${allowed}`;
  const select: Block = [
    `switch (${member(context.value, tag.property)}) {`,
    [...cases, "default:", rejectWith(context, `${generator.helper("failTag")}(${report})`)],
    "}",
  ];
  if (context.types.size === 1 && context.types.has("object")) return select;
  const isObject = `${generator.helper("isObject")}(${context.value})`;
  const refusal = reject(context, "type", jsonExpression({ type: "object" }));
  if (context.unit.reportsAll) return [`if (!${isObject}) {`, refusal, "} else {", select, "}"];
  return [`if (!${isObject}) {`, refusal, "}", ...select];
}

/**
 * Finds the property that identifies the intended branch, for error messages only: the discriminator, or a property
 * whose listed values differ in all branches with objects.
 */
function reportTagFor(node: Schema, values: JsonObject, branches: readonly Schema[]): Tag | undefined {
  const facts = branches.map((branch) => getPropertyFacts(branch));
  const property = getDiscriminatorName(values);
  if (property !== undefined) {
    const mapped = mappedNames(node);
    const names = branches.map((branch, index): Scalar[] => {
      const listed = facts[index]?.values.get(property);
      const { reference } = branch;
      if (!reference) return [...(listed ?? [])];
      const named = mapped.get(reference) ?? [
        reference.pointer.slice(reference.pointer.lastIndexOf("/") + 1),
      ];
      // Branches may share a list of all names. A branch that lists none of its names has its listed values instead.
      return listed && !named.some((name) => listed.has(name)) ? [...listed] : named;
    });
    return disjoint(names.map((each) => new Set(each))) ? { property, values: names } : undefined;
  }
  const objects = branches.map((branch) => getPossibleTypes(branch).has("object"));
  const first = objects.indexOf(true);
  for (const candidate of [...(facts[first]?.values.keys() ?? [])].sort()) {
    const sets = facts.map((each, index) =>
      objects[index] ? each.values.get(candidate) : new Set<Scalar>(),
    );
    if (sets.every((set) => set !== undefined) && disjoint(sets) && objects.filter(Boolean).length > 1) {
      return { property: candidate, values: sets.map((set) => [...set]) };
    }
  }
  return undefined;
}

/** The discriminator values of each schema. */
function mappedNames(node: Schema): Map<Schema, string[]> {
  const names = new Map<Schema, string[]>();
  for (const [name, target] of node.discriminator?.mapping ?? []) {
    names.set(target, [...(names.get(target) ?? []), name]);
  }
  return names;
}

/** Generates `allOf` and `not`. */
export function compositionKeywords(node: Schema, context: CodegenContext, generator: CodeGenerator): Block {
  const block: Block = [];
  for (const member of schemaList(node, "allOf")) block.push(...generator.schema(member, context));
  const not = node.subschema("not");
  if (not) {
    // Properties that the schema of `not` evaluates do not count.
    const test = generator.test(not, { ...context, evaluated: undefined });
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
export function conditionalKeywords(node: Schema, context: CodegenContext, generator: CodeGenerator): Block {
  const condition = node.subschema("if");
  if (!condition) return [];
  const then = node.subschema("then");
  const otherwise = node.subschema("else");
  const yes = then ? generator.schema(then, context) : [];
  const no = otherwise ? generator.schema(otherwise, context) : [];
  const test = generator.test(condition, context);
  if (yes.length === 0 && no.length === 0) return context.evaluated === undefined ? [] : [`${test};`];
  if (yes.length === 0) return [`if (!(${test})) {`, no, "}"];
  return no.length === 0 ? [`if (${test}) {`, yes, "}"] : [`if (${test}) {`, yes, "} else {", no, "}"];
}
