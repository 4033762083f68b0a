import { MAX_FILTER_CONDITIONS } from "../../budgets.js";
import { type DomainError, createInvalidValueError, createValidationError } from "../errors.js";
import { isObject, type JsonObject } from "../is-object.js";
import {
  findProperty,
  isTextProperty,
  type DefinitionOf,
  PROPERTY_TYPES,
  type PropertyDefinition,
  type PropertyType,
  type RelatedSchemas,
  type Schema,
} from "../schema.js";
import { MATCH_ALL, MATCH_NONE, negate, type Condition, type Range } from "./condition.js";
import {
  checkOperandIsTrue,
  parseDateRange,
  parseNegation,
  parseNumberRange,
  parseOperation,
  parseTimeColumn,
  parseTimestampOperation,
  refuseOperator,
  type Operation,
} from "./operators.js";
import { findRollupSource, getRollupKind } from "./rollup.js";
import { abbreviate } from "../text.js";

export interface FilterContext {
  readonly schema: Schema;
  /** Schemas of the databases that rollups read, see findRollupDatabaseIds. */
  readonly related: RelatedSchemas;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Key of the operator in a condition: the type of the property. The API document also allows formulas. */
type ConditionKey = PropertyType | "formula";
export const CONDITION_KEYS: readonly ConditionKey[] = [...PROPERTY_TYPES, "formula"];

/** Parses the filter of a query, whose depth the OpenAPI schema limits. Throws a DomainError (validation) if it does not fit. */
export function parseFilter(input: unknown, context: FilterContext): Condition {
  const conditions = countConditions(input);
  if (conditions > MAX_FILTER_CONDITIONS) {
    throw createValidationError(
      `body failed validation: body.filter should have ≤ \`${MAX_FILTER_CONDITIONS}\` conditions in all groups, instead has ` +
        `\`${conditions}\`. Split the query.`,
    );
  }
  return parseMember(input, "body.filter", context);
}

function countConditions(input: unknown): number {
  const group = isObject(input) ? (input.and ?? input.or) : undefined;
  if (!Array.isArray(group)) return 1;
  return group.reduce((sum: number, member: unknown) => sum + countConditions(member), 0);
}

function parseMember(input: unknown, path: string, context: FilterContext): Condition {
  if (!isObject(input)) throw createInvalidValueError(path, "an object", input);
  const { and, or, property, timestamp } = input;
  if (and !== undefined || or !== undefined) {
    const kind = and === undefined ? "or" : "and";
    for (const [key, value] of Object.entries(input)) {
      if (key !== kind && value !== undefined)
        throw createInvalidValueError(`${path}.${key}`, "not present", value);
    }
    return parseGroup(kind, input[kind], `${path}.${kind}`, context);
  }
  if (timestamp !== undefined) {
    if (property !== undefined) throw createInvalidValueError(`${path}.property`, "not present", property);
    return parseTimestampCondition(input, timestamp, path, context);
  }
  if (property === undefined) throw createInvalidValueError(`${path}.property`, "defined", property);
  return parsePropertyCondition(input, property, path, context);
}

function parseGroup(kind: "and" | "or", input: unknown, path: string, context: FilterContext): Condition {
  if (!Array.isArray(input)) throw createInvalidValueError(path, "an array", input);
  // An empty group selects every page, even with "or", because clients that build filters send empty groups.
  if (input.length === 0) return MATCH_ALL;
  const members = input.map((member: unknown, index) => parseMember(member, `${path}[${index}]`, context));
  return { kind, members };
}

function parseTimestampCondition(
  input: JsonObject,
  timestamp: unknown,
  path: string,
  { now }: FilterContext,
): Condition {
  const column = parseTimeColumn(timestamp, `${path}.timestamp`);
  const key = findConditionKey(input, path, column);
  if (key !== column) throw createInvalidValueError(`${path}.${key}`, "not present", input[key]);
  return parseTimestampOperation(column, parseSingleOperator(input[key], `${path}.${key}`), now);
}

function parsePropertyCondition(
  input: JsonObject,
  name: unknown,
  path: string,
  context: FilterContext,
): Condition {
  if (typeof name !== "string") throw createInvalidValueError(`${path}.property`, "a string", name);
  const property = findProperty(context.schema, name);
  if (property === undefined) {
    throw createValidationError(`Could not find property with name or id: ${abbreviate(name)}`);
  }
  const key = findConditionKey(input, path, property.type);
  checkConditionKey(property, key);
  const operation = parseSingleOperator(input[key], `${path}.${key}`);
  if (property.type === "rollup") return parseRollupCondition(property, operation, context);
  return parseOperation(property, operation, context.now);
}

function findConditionKey(input: JsonObject, path: string, expected: string): ConditionKey {
  const [key, second] = CONDITION_KEYS.filter((candidate) => input[candidate] !== undefined);
  if (key === undefined) throw createInvalidValueError(`${path}.${expected}`, "defined", undefined);
  if (second !== undefined) throw createInvalidValueError(`${path}.${second}`, "not present", input[second]);
  return key;
}

function parseSingleOperator(condition: unknown, path: string): Operation {
  if (!isObject(condition)) throw createInvalidValueError(path, "an object", condition);
  const [first, second] = Object.entries(condition).filter(([, value]) => value !== undefined);
  if (first === undefined) {
    throw createValidationError(`body failed validation: ${path} should have an operator.`);
  }
  if (second !== undefined) throw createInvalidValueError(`${path}.${second[0]}`, "not present", second[1]);
  const [operator, value] = first;
  return { operator, value, path: `${path}.${operator}` };
}

/** Further property types that a condition key applies to within the condition of a rollup. */
const EXTRA_TYPES_IN_ROLLUPS: Readonly<Partial<Record<ConditionKey, readonly string[]>>> = {
  number: ["unique_id"],
  date: ["created_time", "last_edited_time"],
  people: ["created_by", "last_edited_by"],
};

function checkConditionKey(property: PropertyDefinition, key: ConditionKey, inRollup = false): void {
  const { type } = property;
  if (key === type) return;
  // Clients use the conditions of rich_text for every kind of text.
  if (key === "rich_text" && isTextProperty(property)) return;
  if (inRollup && EXTRA_TYPES_IN_ROLLUPS[key]?.includes(type)) return;
  throw createTypeMismatchError(type, key);
}

function createTypeMismatchError(type: string, key: string): DomainError {
  return createValidationError(
    "The property type in the database does not match the property type of the filter provided: " +
      `database property ${type} does not match filter ${key}`,
  );
}

function parseRollupCondition(
  property: DefinitionOf<"rollup">,
  operation: Operation,
  context: FilterContext,
): Condition {
  const { operator, value, path } = operation;
  const source = findRollupSource(property, context.schema, context.related);
  const resultKind = getRollupKind(property.function);
  switch (operator) {
    case "any":
    case "every":
    case "none": {
      // A rollup whose relation or property was removed has no value.
      if (source === undefined) return operator === "any" ? MATCH_NONE : MATCH_ALL;
      const member = parseTargetCondition(source.target, value, path, context);
      const createRelatedCondition = (targetCondition: Condition): Condition => ({
        kind: "related",
        relationId: source.relation.id,
        member: targetCondition,
      });
      if (operator === "any") return createRelatedCondition(member);
      // "every" means that no linked page fails to match.
      return negate(createRelatedCondition(operator === "every" ? negate(member) : member));
    }
    case "number":
    case "date": {
      if (resultKind !== operator) throw createTypeMismatchError(`rollup of type ${resultKind}`, operator);
      const inner = parseSingleOperator(value, path);
      return parseNegation(inner, (positive) => {
        // The unbounded range contains every result, as is_not_empty requires.
        let range: Range = {};
        if (positive.operator === "is_not_empty") checkOperandIsTrue(positive);
        // For dates the original operation, so that does_not_equal, which dates do not have, is refused.
        else
          range = resultKind === "number" ? parseNumberRange(positive) : parseDateRange(inner, context.now);
        return source === undefined ? MATCH_NONE : { kind: "rollup", source, range };
      });
    }
    default:
      return refuseOperator(operation);
  }
}

/** Parses the condition of a rollup on the property of the linked pages. */
function parseTargetCondition(
  target: PropertyDefinition,
  input: unknown,
  path: string,
  context: FilterContext,
): Condition {
  if (!isObject(input)) throw createInvalidValueError(path, "an object", input);
  const key = findConditionKey(input, path, target.type);
  checkConditionKey(target, key, true);
  return parseOperation(target, parseSingleOperator(input[key], `${path}.${key}`), context.now);
}
