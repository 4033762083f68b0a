import { createInvalidValueError } from "../errors.js";
import { fold } from "../fold.js";
import { parseId } from "../ids.js";
import type { PropertyDefinition, PropertyType } from "../schema.js";
import {
  MATCH_ALL,
  MATCH_NONE,
  negate,
  createPointRange,
  type Condition,
  type Range,
  type ElementTest,
} from "./condition.js";
import { toDateRange, RELATIVE_OPERATORS, toRelativeDateRange } from "./date-range.js";

/** An operator of a condition and its operand. */
export interface Operation {
  readonly operator: string;
  readonly value: unknown;
  /** Path of the operand in the request. */
  readonly path: string;
}

/**
 * Reads an operator on a property of any type except rollup.
 *
 * @param now milliseconds since 1970, for operators such as `past_week`
 * @throws DomainError (validation) for an operator that the type does not have, or an invalid operand
 */
export function readOperation(property: PropertyDefinition, operation: Operation, now: number): Condition {
  const { operator } = operation;
  if (operator === "is_empty" || operator === "is_not_empty") {
    const filled = isFilled(property, operation);
    return operator === "is_empty" ? negate(filled) : filled;
  }
  switch (property.type) {
    case "title":
    case "rich_text":
    case "url":
    case "email":
    case "phone_number":
      return readText(property, operation);
    case "number":
    case "unique_id":
      return readNumber(operation, (range) => ({
        kind: "element",
        property,
        test: { kind: "range", range },
      }));
    case "checkbox":
      return readCheckbox(property, operation);
    case "select":
    case "status":
    case "multi_select":
      return readOption(property, operation);
    case "date":
      return { kind: "element", property, test: { kind: "range", range: readDate(operation, now) } };
    case "created_time":
    case "last_edited_time":
      return { kind: "time", column: property.type, range: readDate(operation, now) };
    case "people":
    case "relation":
      return readContains(operation, (id) =>
        createElementCondition(property, { kind: "id", id: readId(operation, id) }),
      );
    case "created_by":
    case "last_edited_by": {
      const column = property.type;
      return readContains(operation, (id) => ({ kind: "user", column, id: readId(operation, id) }));
    }
    default:
      return refuseOperator(operation);
  }
}

/** Reads a condition on the time of creation or of the last edit. */
export function readTimestamp(
  column: "created_time" | "last_edited_time",
  operation: Operation,
  now: number,
): Condition {
  const { operator } = operation;
  if (operator === "is_empty" || operator === "is_not_empty") {
    checkFlag(operation);
    return operator === "is_empty" ? MATCH_NONE : MATCH_ALL;
  }
  return { kind: "time", column, range: readDate(operation, now) };
}

/**
 * Reads an operator on a number.
 *
 * @param inRange creates the condition for a range of numbers
 */
export function readNumber(operation: Operation, inRange: (range: Range) => Condition): Condition {
  const { operator, value, path } = operation;
  if (!Object.hasOwn(NUMBER_RANGES, operator)) return refuseOperator(operation);
  if (typeof value !== "number") throw createInvalidValueError(path, "a number", value);
  // The cast: the operator was found in NUMBER_RANGES.
  const condition = inRange(NUMBER_RANGES[operator as keyof typeof NUMBER_RANGES](value));
  return operator === "does_not_equal" ? negate(condition) : condition;
}

const NUMBER_RANGES = {
  equals: createPointRange,
  does_not_equal: createPointRange,
  greater_than: (value: number): Range => ({ from: { value, exclusive: true } }),
  greater_than_or_equal_to: (value: number): Range => ({ from: { value, exclusive: false } }),
  less_than: (value: number): Range => ({ to: { value, exclusive: true } }),
  less_than_or_equal_to: (value: number): Range => ({ to: { value, exclusive: false } }),
};

/** Reads an operator on a date, except is_empty and is_not_empty. */
export function readDate(operation: Operation, now: number): Range {
  const { operator, value, path } = operation;
  switch (operator) {
    case "equals":
    case "before":
    case "after":
    case "on_or_before":
    case "on_or_after":
      if (typeof value !== "string") throw createInvalidValueError(path, "a string", value);
      return toDateRange(operator, value, path);
  }
  const relative = RELATIVE_OPERATORS.find((known) => known === operator);
  return relative === undefined ? refuseOperator(operation) : toRelativeDateRange(relative, now);
}

/** Checks the operand of is_empty and is_not_empty, which is always `true`. */
export function checkFlag({ value, path }: Operation): void {
  if (value !== true) throw createInvalidValueError(path, "`true`", value);
}

/** @throws DomainError (validation) because the type does not have the operator */
export function refuseOperator({ value, path }: Operation): never {
  throw createInvalidValueError(path, "not present", value);
}

const WITHOUT_EMPTY: ReadonlySet<PropertyType> = new Set<PropertyType>(["checkbox", "rollup"]);
const NEVER_EMPTY: ReadonlySet<PropertyType> = new Set<PropertyType>([
  "created_time",
  "last_edited_time",
  "created_by",
  "last_edited_by",
]);

function isFilled(property: PropertyDefinition, operation: Operation): Condition {
  if (WITHOUT_EMPTY.has(property.type)) return refuseOperator(operation);
  checkFlag(operation);
  return NEVER_EMPTY.has(property.type) ? MATCH_ALL : createElementCondition(property, { kind: "any" });
}

function readText(property: PropertyDefinition, operation: Operation): Condition {
  const { operator, value, path } = operation;
  switch (operator) {
    case "equals":
    case "contains":
    case "starts_with":
    case "ends_with":
      return textTest(property, operator, readString(value, path));
    case "does_not_equal":
      return negate(textTest(property, "equals", readString(value, path)));
    case "does_not_contain":
      return negate(textTest(property, "contains", readString(value, path)));
    default:
      return refuseOperator(operation);
  }
}

function textTest(
  property: PropertyDefinition,
  operator: "equals" | "contains" | "starts_with" | "ends_with",
  value: string,
): Condition {
  // A property without a value is an empty text, which every text contains.
  if (value === "")
    return operator === "equals" ? negate(createElementCondition(property, { kind: "any" })) : MATCH_ALL;
  return createElementCondition(property, { kind: "text", operator, text: fold(value) });
}

function readCheckbox(property: PropertyDefinition, operation: Operation): Condition {
  const { operator, value, path } = operation;
  if (operator !== "equals" && operator !== "does_not_equal") return refuseOperator(operation);
  if (typeof value !== "boolean") throw createInvalidValueError(path, "a boolean", value);
  const checked = createElementCondition(property, { kind: "range", range: createPointRange(1) });
  return value === (operator === "equals") ? checked : negate(checked);
}

function readOption(
  property: PropertyDefinition & { readonly type: "select" | "status" | "multi_select" },
  operation: Operation,
): Condition {
  const { operator, value, path } = operation;
  const positive = property.type === "multi_select" ? "contains" : "equals";
  const negative = property.type === "multi_select" ? "does_not_contain" : "does_not_equal";
  if (operator !== positive && operator !== negative) return refuseOperator(operation);
  const wanted = readString(value, path);
  const { options } = property;
  const option = options.find(({ name }) => name === wanted) ?? options.find(({ id }) => id === wanted);
  // No page has an unknown option.
  const chosen: Condition =
    option === undefined ? MATCH_NONE : createElementCondition(property, { kind: "id", id: option.id });
  return operator === positive ? chosen : negate(chosen);
}

function readContains(operation: Operation, contains: (value: string) => Condition): Condition {
  const { operator, value, path } = operation;
  switch (operator) {
    case "contains":
      return contains(readString(value, path));
    case "does_not_contain":
      return negate(contains(readString(value, path)));
    default:
      return refuseOperator(operation);
  }
}

function readId({ path }: Operation, text: string): string {
  const id = parseId(text);
  if (id === undefined) throw createInvalidValueError(path, "a valid uuid", text);
  return id;
}

function readString(value: unknown, path: string): string {
  if (typeof value !== "string") throw createInvalidValueError(path, "a string", value);
  return value;
}

function createElementCondition(property: PropertyDefinition, test: ElementTest): Condition {
  return { kind: "element", property, test };
}
