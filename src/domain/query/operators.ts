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
import { toDateRange, RELATIVE_OPERATORS, toRelativeDateRange } from "./date-range.js";
import { fold } from "../text.js";

export interface Operation {
  readonly operator: string;
  readonly value: unknown;
  /** Path of the operand in the request. */
  readonly path: string;
}

/** The opposites of the operators that are negations. */
const OPPOSITES: ReadonlyMap<string, string> = new Map([
  ["is_empty", "is_not_empty"],
  ["does_not_equal", "equals"],
  ["does_not_contain", "contains"],
]);

/** Reads an operator, which can be the negation of another one. `read` reads an operator that is not a negation. */
export function readNegation(operation: Operation, read: (operation: Operation) => Condition): Condition {
  const operator = OPPOSITES.get(operation.operator);
  return operator === undefined ? read(operation) : negate(read({ ...operation, operator }));
}

/**
 * Reads an operator on a property of any type except rollup. Throws a DomainError (validation) when the type does not
 * have it, or the operand is invalid.
 */
export function readOperation(property: PropertyDefinition, operation: Operation, now: number): Condition {
  const { type } = property;
  if (type === "created_time" || type === "last_edited_time") return readTimestamp(type, operation, now);
  const createCondition = (test: ElementTest): Condition => ({ kind: "element", property, test });
  return readNegation(operation, (positive) => {
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
        return readText(positive, createCondition);
      case "number":
      case "unique_id":
        return createCondition({ kind: "range", range: readNumber(positive) });
      case "checkbox":
        return readCheckbox(positive, createCondition);
      case "select":
      case "status":
      case "multi_select":
        return readOption(property, positive);
      case "date":
        // Dates have no does_not_equal, so that it must not be replaced by its opposite.
        return createCondition({ kind: "range", range: readDate(operation, now) });
      case "people":
      case "relation":
        return createCondition({ kind: "id", id: readContainedId(positive) });
      case "created_by":
      case "last_edited_by":
        return { kind: "user", column: property.type, id: readContainedId(positive) };
      default:
        return refuseOperator(positive);
    }
  });
}

/** Reads a condition on the time of creation or of the last edit, which every page has. */
export function readTimestamp(column: TimeColumn, operation: Operation, now: number): Condition {
  const { operator } = operation;
  if (operator === "is_empty" || operator === "is_not_empty") {
    checkOperandIsTrue(operation);
    return operator === "is_empty" ? MATCH_NONE : MATCH_ALL;
  }
  return { kind: "time", column, range: readDate(operation, now) };
}

/** Reads the name of a time of pages. Throws a DomainError (validation) for another value. */
export function readTimeColumn(input: unknown, path: string): TimeColumn {
  if (input === "created_time" || input === "last_edited_time") return input;
  throw createInvalidValueError(path, '`"created_time"` or `"last_edited_time"`', input);
}

/** Reads an operator on a number, except for negations. */
export function readNumber(operation: Operation): Range {
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

/** Reads an operator on a date, except is_empty and is_not_empty. */
export function readDate(operation: Operation, now: number): Range {
  const { operator, path } = operation;
  switch (operator) {
    case "equals":
    case "before":
    case "after":
    case "on_or_before":
    case "on_or_after":
      return toDateRange(operator, readString(operation), path);
  }
  const relative = RELATIVE_OPERATORS.find((known) => known === operator);
  return relative === undefined ? refuseOperator(operation) : toRelativeDateRange(relative, now);
}

/** Checks the operand of is_empty and is_not_empty, which is always `true`. */
export function checkOperandIsTrue({ value, path }: Operation): void {
  if (value !== true) throw createInvalidValueError(path, "`true`", value);
}

/** @throws DomainError (validation) because the type does not have the operator */
export function refuseOperator({ value, path }: Operation): never {
  throw createInvalidValueError(path, "not present", value);
}

type CreateCondition = (test: ElementTest) => Condition;

function readText(operation: Operation, createCondition: CreateCondition): Condition {
  const { operator } = operation;
  switch (operator) {
    case "equals":
    case "contains":
    case "starts_with":
    case "ends_with": {
      const text = readString(operation);
      if (text !== "") return createCondition({ kind: "text", operator, text: fold(text) });
      // A property without a value is an empty text, which every text contains.
      return operator === "equals" ? negate(createCondition({ kind: "any" })) : MATCH_ALL;
    }
    default:
      return refuseOperator(operation);
  }
}

function readCheckbox(operation: Operation, createCondition: CreateCondition): Condition {
  const { operator, value, path } = operation;
  if (operator !== "equals") return refuseOperator(operation);
  if (typeof value !== "boolean") throw createInvalidValueError(path, "a boolean", value);
  const isChecked = createCondition({ kind: "range", range: createPointRange(1) });
  return value ? isChecked : negate(isChecked);
}

function readOption(
  property: PropertyDefinition & { readonly type: "select" | "status" | "multi_select" },
  operation: Operation,
): Condition {
  if (operation.operator !== (property.type === "multi_select" ? "contains" : "equals")) {
    return refuseOperator(operation);
  }
  const wanted = readString(operation);
  const { options } = property;
  const option = options.find(({ name }) => name === wanted) ?? options.find(({ id }) => id === wanted);
  // No page has an unknown option.
  if (option === undefined) return MATCH_NONE;
  return { kind: "element", property, test: { kind: "id", id: option.id } };
}

function readContainedId(operation: Operation): string {
  if (operation.operator !== "contains") return refuseOperator(operation);
  const text = readString(operation);
  const id = parseId(text);
  if (id === undefined) throw createInvalidValueError(operation.path, "a valid uuid", text);
  return id;
}

function readString({ value, path }: Operation): string {
  if (typeof value !== "string") throw createInvalidValueError(path, "a string", value);
  return value;
}
