import { fold } from "../fold.js";
import { parseId } from "../ids.js";
import type { PropertyDefinition, PropertyType } from "../schema.js";
import { EVERY, NONE, not, point, type Condition, type Range, type Test } from "./condition.js";
import { comparedDates, RELATIVE_OPERATORS, relativeDates } from "./date-range.js";
import { shapeError } from "./refuse.js";

/** One operator of a condition with what it compares with. */
export interface Operation {
  readonly operator: string;
  readonly value: unknown;
  /** Path in the request. */
  readonly place: string;
}

/**
 * Reads what an operator asks of a property of any type but rollup.
 *
 * @param now milliseconds since 1970, for operators such as `past_week`
 * @throws DomainError (validation) when the property's type has no such operator, or the operator compares with
 *   something else
 */
export function readOperation(property: PropertyDefinition, operation: Operation, now: number): Condition {
  const { operator } = operation;
  if (operator === "is_empty" || operator === "is_not_empty") {
    const filled = isFilled(property, operation);
    return operator === "is_empty" ? not(filled) : filled;
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
      return readContains(operation, (id) => element(property, { kind: "id", id: readId(operation, id) }));
    case "created_by":
    case "last_edited_by": {
      const column = property.type;
      return readContains(operation, (id) => ({ kind: "user", column, id: readId(operation, id) }));
    }
    default:
      return refuseOperator(operation);
  }
}

/** Reads a condition on the time that a page was created or edited last. */
export function readTimestamp(
  column: "created_time" | "last_edited_time",
  operation: Operation,
  now: number,
): Condition {
  const { operator } = operation;
  if (operator === "is_empty" || operator === "is_not_empty") {
    checkFlag(operation);
    return operator === "is_empty" ? NONE : EVERY;
  }
  return { kind: "time", column, range: readDate(operation, now) };
}

/**
 * Reads an operator on a number.
 *
 * @param inRange makes the condition that the number is in a span
 */
export function readNumber(operation: Operation, inRange: (range: Range) => Condition): Condition {
  const { operator, value, place } = operation;
  if (!Object.hasOwn(NUMBER_RANGES, operator)) return refuseOperator(operation);
  if (typeof value !== "number") throw shapeError(place, "a number", value);
  // The cast: the line above but one has looked for it.
  const condition = inRange(NUMBER_RANGES[operator as keyof typeof NUMBER_RANGES](value));
  return operator === "does_not_equal" ? not(condition) : condition;
}

const NUMBER_RANGES = {
  equals: point,
  does_not_equal: point,
  greater_than: (value: number): Range => ({ from: { value, open: true } }),
  greater_than_or_equal_to: (value: number): Range => ({ from: { value, open: false } }),
  less_than: (value: number): Range => ({ to: { value, open: true } }),
  less_than_or_equal_to: (value: number): Range => ({ to: { value, open: false } }),
};

/** Reads an operator on a date other than the two for emptiness. */
export function readDate(operation: Operation, now: number): Range {
  const { operator, value, place } = operation;
  switch (operator) {
    case "equals":
    case "before":
    case "after":
    case "on_or_before":
    case "on_or_after":
      if (typeof value !== "string") throw shapeError(place, "a string", value);
      return comparedDates(operator, value, place);
  }
  const relative = RELATIVE_OPERATORS.find((known) => known === operator);
  return relative === undefined ? refuseOperator(operation) : relativeDates(relative, now);
}

/** The operators for emptiness take nothing but `true`. */
export function checkFlag({ value, place }: Operation): void {
  if (value !== true) throw shapeError(place, "`true`", value);
}

/** @throws DomainError (validation) always: the type has no such operator */
export function refuseOperator({ value, place }: Operation): never {
  throw shapeError(place, "not present", value);
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
  return NEVER_EMPTY.has(property.type) ? EVERY : element(property, { kind: "any" });
}

function readText(property: PropertyDefinition, operation: Operation): Condition {
  const { operator, value, place } = operation;
  switch (operator) {
    case "equals":
    case "contains":
    case "starts_with":
    case "ends_with":
      return textTest(property, operator, readString(value, place));
    case "does_not_equal":
      return not(textTest(property, "equals", readString(value, place)));
    case "does_not_contain":
      return not(textTest(property, "contains", readString(value, place)));
    default:
      return refuseOperator(operation);
  }
}

function textTest(
  property: PropertyDefinition,
  operator: "equals" | "contains" | "starts_with" | "ends_with",
  value: string,
): Condition {
  // Properties without a value have the empty text, which every text contains.
  if (value === "") return operator === "equals" ? not(element(property, { kind: "any" })) : EVERY;
  return element(property, { kind: "text", operator, text: fold(value) });
}

function readCheckbox(property: PropertyDefinition, operation: Operation): Condition {
  const { operator, value, place } = operation;
  if (operator !== "equals" && operator !== "does_not_equal") return refuseOperator(operation);
  if (typeof value !== "boolean") throw shapeError(place, "a boolean", value);
  const ticked = element(property, { kind: "range", range: point(1) });
  return value === (operator === "equals") ? ticked : not(ticked);
}

function readOption(
  property: PropertyDefinition & { readonly type: "select" | "status" | "multi_select" },
  operation: Operation,
): Condition {
  const { operator, value, place } = operation;
  const positive = property.type === "multi_select" ? "contains" : "equals";
  const negative = property.type === "multi_select" ? "does_not_contain" : "does_not_equal";
  if (operator !== positive && operator !== negative) return refuseOperator(operation);
  const wanted = readString(value, place);
  const { options } = property;
  const option = options.find(({ name }) => name === wanted) ?? options.find(({ id }) => id === wanted);
  // No page has an option that there is not.
  const chosen: Condition = option === undefined ? NONE : element(property, { kind: "id", id: option.id });
  return operator === positive ? chosen : not(chosen);
}

function readContains(operation: Operation, contains: (value: string) => Condition): Condition {
  const { operator, value, place } = operation;
  switch (operator) {
    case "contains":
      return contains(readString(value, place));
    case "does_not_contain":
      return not(contains(readString(value, place)));
    default:
      return refuseOperator(operation);
  }
}

function readId({ place }: Operation, text: string): string {
  const id = parseId(text);
  if (id === undefined) throw shapeError(place, "a valid uuid", text);
  return id;
}

function readString(value: unknown, place: string): string {
  if (typeof value !== "string") throw shapeError(place, "a string", value);
  return value;
}

function element(property: PropertyDefinition, test: Test): Condition {
  return { kind: "element", property, test };
}
