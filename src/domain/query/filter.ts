import { MAX_FILTER_CONDITIONS } from "../../budgets.js";
import { sumBy } from "../../lists.js";
import type { Schemas } from "../api-schemas.js";
import { type DomainError, createInvalidValueError, createValidationError } from "../errors.js";
import {
  findPropertyByNameFirst,
  type DefinitionOf,
  PROPERTY_TYPES,
  type PropertyType,
  requireProperty,
  VALUE_TRAITS,
  type ValueKind,
} from "../schema.js";
import { computeRollup, getRollupResultType } from "../properties/compute-rollup.js";
import {
  MATCH_ALL,
  MATCH_NONE,
  negate,
  rangeContains,
  type Condition,
  type RollupSource,
} from "./condition.js";
import {
  parseDateRange,
  parseNegation,
  parseNumberRange,
  parseOperation,
  parseTimestampOperation,
  readOperation,
  type Operation,
} from "./operators.js";
import { findRollupSource, type RollupContext } from "./rollup-source.js";

interface FilterContext extends RollupContext {
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Key of the operator in a condition: the type of the property. The API document also allows formulas. */
type ConditionKey = PropertyType | "formula";
export const CONDITION_KEYS: readonly ConditionKey[] = [...PROPERTY_TYPES, "formula"];

type ConditionInput = Schemas["FilterCondition"];
/** A condition or a group of a filter, on any level. */
type MemberInput = ConditionInput & {
  readonly and?: readonly MemberInput[];
  readonly or?: readonly MemberInput[];
};

/** Parses a filter, which is valid against the OpenAPI schema. Throws a DomainError (validation) if it does not fit the database. */
export function parseFilter(input: Schemas["Filter"], context: FilterContext): Condition {
  const conditions = countConditions(input);
  if (conditions > MAX_FILTER_CONDITIONS) {
    throw createValidationError(
      `body failed validation: body.filter should have ≤ \`${MAX_FILTER_CONDITIONS}\` conditions in all groups, instead has ` +
        `\`${conditions}\`. Split the query.`,
    );
  }
  return parseMember(input, "body.filter", context);
}

function countConditions({ and, or }: MemberInput): number {
  const group = and ?? or;
  return group === undefined ? 1 : sumBy(group, countConditions);
}

function parseMember(input: MemberInput, path: string, context: FilterContext): Condition {
  const { and, or, property, timestamp } = input;
  const group = and ?? or;
  if (group !== undefined) {
    const kind = and === undefined ? "or" : "and";
    const other = Object.entries(input).find(([key]) => key !== kind);
    if (other !== undefined) throw createInvalidValueError(`${path}.${other[0]}`, "not present", other[1]);
    // An empty group selects every page, even with "or", because clients that build filters send empty groups.
    if (group.length === 0) return MATCH_ALL;
    const parse = (member: MemberInput, index: number): Condition =>
      parseMember(member, `${path}.${kind}[${index}]`, context);
    return { kind, members: group.map(parse) };
  }
  if (timestamp !== undefined) {
    if (property !== undefined) throw createInvalidValueError(`${path}.property`, "not present", property);
    const key = findConditionKey(input, path, timestamp);
    if (key !== timestamp) throw createInvalidValueError(`${path}.${key}`, "not present", input[key]);
    return parseTimestampOperation(timestamp, readOperation(input[key], `${path}.${key}`), context.now);
  }
  if (property === undefined) throw createInvalidValueError(`${path}.property`, "defined", property);
  return parsePropertyCondition(input, property, path, context);
}

function parsePropertyCondition(
  input: ConditionInput,
  name: string,
  path: string,
  context: FilterContext,
): Condition {
  const property = requireProperty(findPropertyByNameFirst(context.schema, name), name);
  const key = findConditionKey(input, path, property.type);
  // Clients use the conditions of rich_text for every kind of text, and those of people for the authors of pages.
  const isAlias = (key === "rich_text" || key === "people") && isForKind(key, property.type);
  if (key !== property.type && !isAlias) {
    throw createTypeMismatchError(property.type, key);
  }
  const operation = readOperation(input[key], `${path}.${key}`);
  if (property.type === "rollup") return parseRollupCondition(property, operation, context);
  return parseOperation(property, operation, context.now);
}

function findConditionKey(input: ConditionInput, path: string, expected: string): ConditionKey {
  const [key, second] = CONDITION_KEYS.filter((candidate) => input[candidate] !== undefined);
  if (key === undefined) throw createInvalidValueError(`${path}.${expected}`, "defined", undefined);
  if (second !== undefined) throw createInvalidValueError(`${path}.${second}`, "not present", input[second]);
  return key;
}

function createTypeMismatchError(type: string, key: string): DomainError {
  return createValidationError(
    "The property type in the database does not match the property type of the filter provided: " +
      `database property ${type} does not match filter ${key}`,
  );
}

function parseRollupCondition(
  property: DefinitionOf<"rollup">,
  { operator, value, path }: Operation,
  context: FilterContext,
): Condition {
  const source = findRollupSource(property, context);
  const operation = readOperation(value, path);
  if (operator === "number" || operator === "date") {
    const resultKind = getRollupResultType(property.function);
    if (resultKind !== operator) throw createTypeMismatchError(`rollup of type ${resultKind}`, operator);
    return parseNegation(operation, (positive) => {
      const parseRange = operator === "number" ? parseNumberRange : parseDateRange;
      // The unbounded range contains every result.
      const range = positive.operator === "is_not_empty" ? {} : parseRange(positive, context.now);
      if (source !== undefined) return { kind: "rollup", source, range };
      const result = computeRollup(property.function, []);
      const isInRange =
        result.type === "number" && result.number !== null && rangeContains(range, result.number);
      return isInRange ? MATCH_ALL : MATCH_NONE;
    });
  }
  // A rollup whose relation or property was removed has no values.
  if (source === undefined) return operator === "any" ? MATCH_NONE : MATCH_ALL;
  const member = parseTargetCondition(source.target, operation, context.now);
  // "every" means that no linked page fails to match.
  const relatedMember = operator === "every" ? negate(member) : member;
  const related: Condition = { kind: "related", relationId: source.relation.id, member: relatedMember };
  return operator === "any" ? related : negate(related);
}

/** Kinds of values that a condition of a rollup applies to, by its key. */
const CONDITION_KINDS: Readonly<Record<string, ValueKind>> = {
  number: "number",
  date: "time",
  people: "user",
  rich_text: "text",
};

/** Whether a condition applies to a type of property because of its kind. */
function isForKind(key: string, type: PropertyType): boolean {
  return CONDITION_KINDS[key] === VALUE_TRAITS[type].kind;
}

/** Parses the condition of a rollup on the property of the linked pages. Its key is the type of that property. */
function parseTargetCondition(
  target: RollupSource["target"],
  { operator: key, value, path }: Operation,
  now: number,
): Condition {
  if (key !== target.type && !isForKind(key, target.type)) {
    throw createTypeMismatchError(target.type, key);
  }
  return parseOperation(target, readOperation(value, path), now);
}
