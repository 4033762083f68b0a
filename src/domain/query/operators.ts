import { createInvalidValueError } from "../errors.js";
import { parseId } from "../ids.js";
import type { PropertyDefinition } from "../schema.js";
import {
  MATCH_ALL,
  MATCH_NONE,
  negate,
  createPointRange,
  type Condition,
  type Range,
  type ElementTest,
  type TimeColumn,
} from "./condition.js";
import { DATE_OPERATORS, toDateRange, RELATIVE_OPERATORS, toRelativeDateRange } from "./date-range.js";
import { foldText } from "../text.js";

/** An operator of a filter and its operand, such as `{"equals": "Done"}`. */
export interface Operation {
  readonly operator: string;
  readonly value: unknown;
  /** Path of the operand in the request. */
  readonly path: string;
}

/** Operators that are negations, and the operators that they negate. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["is_empty", "is_not_empty"],
  ["does_not_equal", "equals"],
  ["does_not_contain", "contains"],
]);

/** Parses an operator that can be the negation of another one. `parse` gets only operators that are not negations. */
export function parseNegation(operation: Operation, parse: (operation: Operation) => Condition): Condition {
  const operator = OPPOSITES.get(operation.operator);
  return operator === undefined ? parse(operation) : negate(parse({ ...operation, operator }));
}

/** Parses an operator on a property other than a rollup. Throws a DomainError (validation) for an invalid operator or operand. */
export function parseOperation(property: PropertyDefinition, operation: Operation, now: number): Condition {
  const { type } = property;
  if (type === "created_time" || type === "last_edited_time")
    return parseTimestampOperation(type, operation, now);
  const createCondition = (test: ElementTest): Condition => ({ kind: "element", property, test });
  return parseNegation(operation, (positive) => {
    if (positive.operator === "is_not_empty") {
      if (type === "checkbox") return refuseOperator(positive);
      checkOperandIsTrue(positive);
      return type === "created_by" || type === "last_edited_by"
        ? MATCH_ALL
        : createCondition({ kind: "any" });
    }
    switch (property.type) {
      case "title":
      case "rich_text":
      case "url":
      case "email":
      case "phone_number":
        return parseTextOperation(positive, createCondition);
      case "number":
      case "unique_id":
        return createCondition({ kind: "range", range: parseNumberRange(positive) });
      case "checkbox":
        return parseCheckboxOperation(positive, createCondition);
      case "select":
      case "status":
      case "multi_select":
        return parseOptionOperation(property, positive);
      case "date":
        // Passes the original operation, so that does_not_equal, which dates do not have, is refused.
        return createCondition({ kind: "range", range: parseDateRange(operation, now) });
      case "people":
      case "relation":
        return createCondition({ kind: "id", id: parseContainedId(positive) });
      case "created_by":
      case "last_edited_by":
        return { kind: "user", column: property.type, id: parseContainedId(positive) };
      default:
        return refuseOperator(positive);
    }
  });
}

/** Parses an operator on the time of creation or of the last edit. Every page has these times. */
export function parseTimestampOperation(column: TimeColumn, operation: Operation, now: number): Condition {
  const { operator } = operation;
  if (operator === "is_empty" || operator === "is_not_empty") {
    checkOperandIsTrue(operation);
    return operator === "is_empty" ? MATCH_NONE : MATCH_ALL;
  }
  return { kind: "time", column, range: parseDateRange(operation, now) };
}

/** Parses the name of a time column. Throws a DomainError (validation) for any other value. */
export function parseTimeColumn(input: unknown, path: string): TimeColumn {
  if (input === "created_time" || input === "last_edited_time") return input;
  throw createInvalidValueError(path, '`"created_time"` or `"last_edited_time"`', input);
}

/** Parses an operator on a number into the range that it selects. */
export function parseNumberRange(operation: Operation): Range {
  const { operator, value, path } = operation;
  if (!Object.hasOwn(NUMBER_RANGES, operator)) return refuseOperator(operation);
  if (typeof value !== "number") throw createInvalidValueError(path, "a number", value);
  // The cast: the operator was found in NUMBER_RANGES.
  return NUMBER_RANGES[operator as keyof typeof NUMBER_RANGES](value);
}

const NUMBER_RANGES = {
  equals: createPointRange,
  greater_than: (value: number): Range => ({ from: { value, exclusive: true } }),
  greater_than_or_equal_to: (value: number): Range => ({ from: { value, exclusive: false } }),
  less_than: (value: number): Range => ({ to: { value, exclusive: true } }),
  less_than_or_equal_to: (value: number): Range => ({ to: { value, exclusive: false } }),
};

/** Parses an operator on a date into the range that it selects. */
export function parseDateRange(operation: Operation, now: number): Range {
  const absolute = DATE_OPERATORS.find((each) => each === operation.operator);
  if (absolute !== undefined) return toDateRange(absolute, parseString(operation), operation.path);
  const relative = RELATIVE_OPERATORS.find((each) => each === operation.operator);
  return relative === undefined ? refuseOperator(operation) : toRelativeDateRange(relative, now);
}

/** Checks the operand of is_empty and is_not_empty, which is always `true`. */
export function checkOperandIsTrue({ value, path }: Operation): void {
  if (value !== true) throw createInvalidValueError(path, "`true`", value);
}

/** Throws a DomainError (validation) for an operator that the type of the property does not have. */
export function refuseOperator({ value, path }: Operation): never {
  throw createInvalidValueError(path, "not present", value);
}

type CreateCondition = (test: ElementTest) => Condition;

function parseTextOperation(operation: Operation, createCondition: CreateCondition): Condition {
  const { operator } = operation;
  switch (operator) {
    case "equals":
    case "contains":
    case "starts_with":
    case "ends_with": {
      const text = parseString(operation);
      if (text !== "") return createCondition({ kind: "text", operator, text: foldText(text) });
      // A property without a value is an empty text, which every text contains.
      return operator === "equals" ? negate(createCondition({ kind: "any" })) : MATCH_ALL;
    }
    default:
      return refuseOperator(operation);
  }
}

function parseCheckboxOperation(operation: Operation, createCondition: CreateCondition): Condition {
  const { operator, value, path } = operation;
  if (operator !== "equals") return refuseOperator(operation);
  if (typeof value !== "boolean") throw createInvalidValueError(path, "a boolean", value);
  const isChecked = createCondition({ kind: "range", range: createPointRange(1) });
  return value ? isChecked : negate(isChecked);
}

function parseOptionOperation(
  property: PropertyDefinition & { readonly type: "select" | "status" | "multi_select" },
  operation: Operation,
): Condition {
  if (operation.operator !== (property.type === "multi_select" ? "contains" : "equals")) {
    return refuseOperator(operation);
  }
  const wanted = parseString(operation);
  const { options } = property;
  const option = options.find(({ name }) => name === wanted) ?? options.find(({ id }) => id === wanted);
  // No page has an unknown option.
  if (option === undefined) return MATCH_NONE;
  return { kind: "element", property, test: { kind: "id", id: option.id } };
}

function parseContainedId(operation: Operation): string {
  if (operation.operator !== "contains") return refuseOperator(operation);
  const text = parseString(operation);
  const id = parseId(text);
  if (id === undefined) throw createInvalidValueError(operation.path, "a valid uuid", text);
  return id;
}

function parseString({ value, path }: Operation): string {
  if (typeof value !== "string") throw createInvalidValueError(path, "a string", value);
  return value;
}
