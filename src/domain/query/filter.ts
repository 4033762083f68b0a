import { MAX_FILTER_CONDITIONS } from "../../budgets.js";
import { type DomainError, createInvalidValueError, createValidationError } from "../errors.js";
import { isObject } from "../is-object.js";
import { isText } from "../properties/index-rows.js";
import {
  findProperty,
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
  readDate,
  readNegation,
  readNumber,
  readOperation,
  readTimeColumn,
  readTimestamp,
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

/** A key of a condition in a filter: the type of the property. The document has conditions for formulas too. */
type ConditionKey = PropertyType | "formula";
export const CONDITION_KEYS: readonly ConditionKey[] = [...PROPERTY_TYPES, "formula"];

/**
 * Reads the filter of a query. The OpenAPI schema has limited the levels of its groups. Throws a DomainError (validation)
 * for an unknown property, an operator that its type does not have, or an invalid structure.
 */
export function readFilter(input: unknown, context: FilterContext): Condition {
  const conditions = countConditions(input);
  if (conditions > MAX_FILTER_CONDITIONS) {
    throw createValidationError(
      `body failed validation: body.filter should have ≤ \`${MAX_FILTER_CONDITIONS}\` conditions in all groups, instead has ` +
        `\`${conditions}\`. Split the query.`,
    );
  }
  return readMember(input, "body.filter", context);
}

function countConditions(input: unknown): number {
  const group = isObject(input) ? (input.and ?? input.or) : undefined;
  if (!Array.isArray(group)) return 1;
  return group.reduce((sum: number, member: unknown) => sum + countConditions(member), 0);
}

function readMember(input: unknown, path: string, context: FilterContext): Condition {
  if (!isObject(input)) throw createInvalidValueError(path, "an object", input);
  const { and, or, property, timestamp } = input;
  if (and !== undefined || or !== undefined) {
    const kind = and === undefined ? "or" : "and";
    for (const [key, value] of Object.entries(input)) {
      if (key !== kind && value !== undefined)
        throw createInvalidValueError(`${path}.${key}`, "not present", value);
    }
    return readGroup(kind, input[kind], `${path}.${kind}`, context);
  }
  if (timestamp !== undefined) {
    if (property !== undefined) throw createInvalidValueError(`${path}.property`, "not present", property);
    return readTimestampCondition(input, timestamp, path, context);
  }
  if (property === undefined) throw createInvalidValueError(`${path}.property`, "defined", property);
  return readPropertyCondition(input, property, path, context);
}

function readGroup(kind: "and" | "or", input: unknown, path: string, context: FilterContext): Condition {
  if (!Array.isArray(input)) throw createInvalidValueError(path, "an array", input);
  // Programs that build filters send empty groups, which select every page.
  if (input.length === 0) return MATCH_ALL;
  const members = input.map((member: unknown, index) => readMember(member, `${path}[${index}]`, context));
  return { kind, members };
}

function readTimestampCondition(
  input: Readonly<Record<string, unknown>>,
  timestamp: unknown,
  path: string,
  { now }: FilterContext,
): Condition {
  const column = readTimeColumn(timestamp, `${path}.timestamp`);
  const key = findConditionKey(input, path, column);
  if (key !== column) throw createInvalidValueError(`${path}.${key}`, "not present", input[key]);
  return readTimestamp(column, readSingleOperator(input[key], `${path}.${key}`), now);
}

function readPropertyCondition(
  input: Readonly<Record<string, unknown>>,
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
  const operation = readSingleOperator(input[key], `${path}.${key}`);
  if (property.type === "rollup") return readRollup(property, operation, context);
  return readOperation(property, operation, context.now);
}

function findConditionKey(
  input: Readonly<Record<string, unknown>>,
  path: string,
  expected: string,
): ConditionKey {
  const [key, second] = CONDITION_KEYS.filter((candidate) => input[candidate] !== undefined);
  if (key === undefined) throw createInvalidValueError(`${path}.${expected}`, "defined", undefined);
  if (second !== undefined) throw createInvalidValueError(`${path}.${second}`, "not present", input[second]);
  return key;
}

function readSingleOperator(condition: unknown, path: string): Operation {
  if (!isObject(condition)) throw createInvalidValueError(path, "an object", condition);
  const [first, second] = Object.entries(condition).filter(([, value]) => value !== undefined);
  if (first === undefined) {
    throw createValidationError(`body failed validation: ${path} should have an operator.`);
  }
  if (second !== undefined) throw createInvalidValueError(`${path}.${second[0]}`, "not present", second[1]);
  const [operator, value] = first;
  return { operator, value, path: `${path}.${operator}` };
}

/** Property types that a condition key also applies to inside a rollup. */
const EXTRA_TYPES_IN_ROLLUPS: Readonly<Partial<Record<ConditionKey, readonly string[]>>> = {
  number: ["unique_id"],
  date: ["created_time", "last_edited_time"],
  people: ["created_by", "last_edited_by"],
};

function checkConditionKey(property: PropertyDefinition, key: ConditionKey, inRollup = false): void {
  const { type } = property;
  if (key === type) return;
  // Clients use the conditions of rich_text for every kind of text.
  if (key === "rich_text" && isText(property)) return;
  if (inRollup && EXTRA_TYPES_IN_ROLLUPS[key]?.includes(type)) return;
  throw createTypeMismatchError(type, key);
}

function createTypeMismatchError(type: string, key: string): DomainError {
  return createValidationError(
    "The property type in the database does not match the property type of the filter provided: " +
      `database property ${type} does not match filter ${key}`,
  );
}

function readRollup(
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
      const member = readTargetCondition(source.target, value, path, context);
      const createRelatedCondition = (targetCondition: Condition): Condition => ({
        kind: "related",
        relationId: source.relation.id,
        member: targetCondition,
      });
      if (operator === "any") return createRelatedCondition(member);
      // Every linked page matches if no linked page fails to match.
      return negate(createRelatedCondition(operator === "every" ? negate(member) : member));
    }
    case "number":
    case "date": {
      if (resultKind !== operator) throw createTypeMismatchError(`rollup of type ${resultKind}`, operator);
      const inner = readSingleOperator(value, path);
      return readNegation(inner, (positive) => {
        // Without limits, as for is_not_empty, every result is in the range.
        let range: Range = {};
        if (positive.operator === "is_not_empty") checkOperandIsTrue(positive);
        // Dates have no does_not_equal, so that it must not be replaced by its opposite.
        else range = resultKind === "number" ? readNumber(positive) : readDate(inner, context.now);
        return source === undefined ? MATCH_NONE : { kind: "rollup", source, range };
      });
    }
    default:
      return refuseOperator(operation);
  }
}

/** Reads the condition of a rollup on the property of the linked pages. */
function readTargetCondition(
  target: PropertyDefinition,
  input: unknown,
  path: string,
  context: FilterContext,
): Condition {
  if (!isObject(input)) throw createInvalidValueError(path, "an object", input);
  const key = findConditionKey(input, path, target.type);
  checkConditionKey(target, key, true);
  return readOperation(target, readSingleOperator(input[key], `${path}.${key}`), context.now);
}
