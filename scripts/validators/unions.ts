import { jsonExpression, stringLiteral } from "../code/encode.js";
import type { JsonObject } from "../model/model.js";
import { isObject } from "../model/node.js";
import type { Analysis, Scalar } from "./analysis.js";
import { type Block, member, pathExpression } from "./code.js";
import { type Emitter, type Frame, lengthOf, own, refuse, refuseIf } from "./frame.js";
import type { Registry } from "./registry.js";
import { below, type SchemaNode } from "./schema.js";

/** What the code of `anyOf` and `oneOf` asks for. */
export interface UnionTools {
  emitter: Emitter;
  analysis: Analysis;
  registry: Registry;
}

/** A property whose value tells the branches of a union apart. */
interface Tag {
  property: string;
  /** By branch, the values that lead to it. */
  values: Scalar[][];
}

/** `anyOf` and `oneOf` */
export function unionKeywords(node: SchemaNode, values: JsonObject, frame: Frame, tools: UnionTools): Block {
  return (["anyOf", "oneOf"] as const).flatMap((keyword) => {
    const count = lengthOf(node, values, keyword);
    const branches = Array.from({ length: count }, (_, index) => below(node, keyword, index));
    return count === 0 ? [] : union(keyword, node, values, branches, frame, tools);
  });
}

function union(
  keyword: "anyOf" | "oneOf",
  node: SchemaNode,
  values: JsonObject,
  branches: SchemaNode[],
  frame: Frame,
  tools: UnionTools,
): Block {
  const { emitter, analysis } = tools;
  const [only] = branches;
  if (branches.length === 1 && only) return emitter.schema(only, frame);
  // A branch that any value fits decides anyOf, unless what the others evaluate must be known.
  if (keyword === "anyOf" && frame.seen === undefined && branches.some(({ value }) => value === true))
    return [];
  const exclusive = keyword === "anyOf" || disjoint(branches.map((branch) => analysis.types(branch)));
  if (exclusive) {
    const optional = orNull(branches, frame, tools);
    if (optional) return optional;
  }
  const tag = findTag(values, branches, tools);
  if (tag) return byTag(tag, branches, frame, tools);
  const tests = branches.map((branch) => emitter.test(branch, frame));
  const hint = hintFor(node, values, branches, tools);
  const condition = exclusive
    ? frame.seen === undefined
      ? `!(${tests.join(" || ")})`
      : `${tests.map((test) => `Number(${test})`).join(" + ")} === 0`
    : `${tests.map((test) => `Number(${test})`).join(" + ")} !== 1${unlessNamed(hint, values, tests, frame, emitter)}`;
  const checks = branches.map((branch) => emitter.unit(branch, frame, false).name);
  const report = [
    "errors",
    pathExpression(frame.path),
    stringLiteral(keyword),
    frame.value,
    `[${checks.join(", ")}]`,
    ...(hint ? [jsonExpression({ ...hint })] : []),
  ];
  return [
    `if (${condition}) {`,
    [`return errors !== null && ${emitter.helper("failUnion")}(${report.join(", ")});`],
    "}",
  ];
}

/**
 * Where the branches of `oneOf` overlap, a value that fits several is of the one that the `discriminator` names: the
 * documents that have such branches mean it so, and no value of theirs would fit otherwise.
 */
function unlessNamed(
  hint: Tag | undefined,
  values: JsonObject,
  tests: string[],
  { value }: Frame,
  emitter: Emitter,
): string {
  if (!hint || hint.property !== discriminatorOf(values) || hint.property in Object.prototype) return "";
  const tag = member(value, hint.property);
  const named = tests.flatMap((test, index) => {
    const names = (hint.values[index] ?? []).map((name) => `${tag} === ${jsonExpression(name)}`);
    return names.length === 0 ? [] : [`(${names.join(" || ")}) && ${test}`];
  });
  if (named.length === 0) return "";
  return ` && !(${emitter.helper("isObject")}(${value}) && (${named.map((each) => `(${each})`).join(" || ")}))`;
}

/** A schema or null: what is not null has but one branch left, and its reasons are the union's. */
function orNull(branches: SchemaNode[], frame: Frame, { emitter, analysis }: UnionTools): Block | undefined {
  if (branches.length !== 2) return undefined;
  const isNull = branches.map((branch) => {
    const types = analysis.types(branch);
    return types.size === 1 && types.has("null") && onlyType(branch);
  });
  const other = branches[isNull.indexOf(false)];
  if (!other || !isNull.includes(true)) return undefined;
  const types = new Set([...frame.types].filter((type) => type !== "null"));
  const code = emitter.schema(other, { ...frame, types });
  return code.length === 0 ? [] : [`if (${frame.value} !== null) {`, code, "}"];
}

function onlyType({ value }: SchemaNode): boolean {
  return (
    isObject(value) &&
    value.type === "null" &&
    Object.keys(value).every((key) => key === "type" || ANNOTATIONS.has(key))
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

/** A required property with different listed values in every branch: then at most one branch can fit. */
function findTag(values: JsonObject, branches: SchemaNode[], { analysis }: UnionTools): Tag | undefined {
  const objects = branches.every((branch) => [...analysis.types(branch)].every((type) => type === "object"));
  if (!objects) return undefined;
  const facts = branches.map((branch) => analysis.facts(branch));
  const named = discriminatorOf(values);
  const candidates = [...(facts[0]?.values.keys() ?? [])].sort();
  if (named !== undefined) candidates.unshift(named);
  for (const property of candidates) {
    // What every object inherits would have to be told from what it has itself.
    if (property in Object.prototype || !facts.every(({ required }) => required.has(property))) continue;
    const sets = facts.map((each) => each.values.get(property));
    if (sets.every((set) => set !== undefined) && disjoint(sets)) {
      return { property, values: sets.map((set) => [...set]) };
    }
  }
  return undefined;
}

function discriminatorOf(values: JsonObject): string | undefined {
  const discriminator = own(values, "discriminator");
  const name = isObject(discriminator) ? discriminator.propertyName : undefined;
  return typeof name === "string" ? name : undefined;
}

function byTag(tag: Tag, branches: SchemaNode[], frame: Frame, { emitter }: UnionTools): Block {
  const cases: Block = branches.flatMap((branch, index) => {
    const labels = (tag.values[index] ?? []).map((value) => `case ${jsonExpression(value)}:`);
    if (labels.length === 0) return [];
    const code = emitter.schema(branch, { ...frame, types: new Set(["object"] as const) });
    return [...labels, [...code, "break;"]];
  });
  const allowed = jsonExpression(tag.values.flat());
  const report = `errors, ${pathExpression(frame.path)}, ${frame.value}, ${stringLiteral(tag.property)}, ${allowed}`;
  return [
    ...(frame.types.size === 1 && frame.types.has("object")
      ? []
      : refuseIf(`!${emitter.helper("isObject")}(${frame.value})`, frame, "type", { type: "object" })),
    `switch (${member(frame.value, tag.property)}) {`,
    [...cases, "default:", [`return errors !== null && ${emitter.helper("failTag")}(${report});`]],
    "}",
  ];
}

/**
 * The property by which the branch that was meant can be told, for the reasons alone: the `discriminator`, or a
 * property that all branches with objects list different values for.
 */
function hintFor(
  node: SchemaNode,
  values: JsonObject,
  branches: SchemaNode[],
  { analysis, registry }: UnionTools,
): Tag | undefined {
  const facts = branches.map((branch) => analysis.facts(branch));
  const property = discriminatorOf(values);
  if (property !== undefined) {
    const mapped = mappedNames(node, values, registry);
    const names = branches.map((branch, index): Scalar[] => {
      const listed = facts[index]?.values.get(property);
      const { $ref } = isObject(branch.value) ? branch.value : {};
      if (typeof $ref !== "string") return [...(listed ?? [])];
      const { pointer } = registry.follow(branch, $ref);
      const named = mapped.get(pointer) ?? [pointer.slice(pointer.lastIndexOf("/") + 1)];
      // The branches may share a list of all names; a name that a branch does not list is none of its own.
      return listed && !named.some((name) => listed.has(name)) ? [...listed] : named;
    });
    return disjoint(names.map((each) => new Set(each))) ? { property, values: names } : undefined;
  }
  const objects = branches.map((branch) => analysis.types(branch).has("object"));
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

/** The names that the mapping of a discriminator gives to schemas, by their pointers. */
function mappedNames(node: SchemaNode, values: JsonObject, registry: Registry): Map<string, string[]> {
  const names = new Map<string, string[]>();
  const discriminator = own(values, "discriminator");
  const mapping = isObject(discriminator) ? discriminator.mapping : undefined;
  if (!isObject(mapping)) return names;
  for (const [name, target] of Object.entries(mapping)) {
    if (typeof target !== "string") continue;
    const reference =
      /^[A-Za-z0-9._-]+$/.test(target) && !target.includes(".json")
        ? `#/components/schemas/${target}`
        : target;
    let pointer: string;
    try {
      ({ pointer } = registry.follow(node, reference));
    } catch {
      continue; // It only helps to word reasons.
    }
    names.set(pointer, [...(names.get(pointer) ?? []), name]);
  }
  return names;
}

/** `allOf`, `not`, `if`, `dependentSchemas` */
export function compositionKeywords(
  node: SchemaNode,
  values: JsonObject,
  frame: Frame,
  emitter: Emitter,
): Block {
  const block: Block = [];
  const count = lengthOf(node, values, "allOf");
  for (let index = 0; index < count; index += 1)
    block.push(...emitter.schema(below(node, "allOf", index), frame));
  if (own(values, "not") !== undefined) {
    // What a schema evaluates that must not fit counts for nothing.
    const test = emitter.test(below(node, "not"), { ...frame, seen: undefined });
    block.push(
      ...(test === "false"
        ? []
        : test === "true"
          ? refuse(frame, "not", "{}")
          : refuseIf(test, frame, "not", {})),
    );
  }
  return block;
}

/** `if`, `then`, `else` */
export function conditionalKeywords(
  node: SchemaNode,
  values: JsonObject,
  frame: Frame,
  emitter: Emitter,
): Block {
  if (own(values, "if") === undefined) return [];
  const [then, otherwise] = ["then", "else"].map((keyword) =>
    own(values, keyword) === undefined ? [] : emitter.schema(below(node, keyword), frame),
  );
  const yes = then ?? [];
  const no = otherwise ?? [];
  const test = emitter.test(below(node, "if"), frame);
  if (yes.length === 0 && no.length === 0) return frame.seen === undefined ? [] : [`${test};`];
  if (yes.length === 0) return [`if (!(${test})) {`, no, "}"];
  return no.length === 0 ? [`if (${test}) {`, yes, "}"] : [`if (${test}) {`, yes, "} else {", no, "}"];
}
