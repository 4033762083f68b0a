import { normalizeId } from "../ids.js";
import type { DefinitionOf } from "../schema.js";
import {
  MATCH_ALL,
  MATCH_NONE,
  negate,
  createPointRange,
  type Condition,
  type Range,
  type ElementTest,
  type RollupSource,
  type TimeColumn,
} from "./condition.js";
import { toDateRange, toRelativeDateRange } from "./date-range.js";
import { foldText } from "../text.js";

/** An operator of a condition and its operand, such as `{"equals": "Done"}`. The OpenAPI schema has checked that they fit. */
export interface Operation {
  readonly operator: string;
  readonly value: unknown;
  /** Path of the operand in the request. */
  readonly path: string;
}

/** Reads the operator and the operand of a condition, which has only one. `path` is the path of the condition. */
export function readOperation(condition: unknown, path: string): Operation {
  const [operator = "", value] = Object.entries(condition ?? {})[0] ?? [];
  return { operator, value, path: `${path}.${operator}` };
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

/** Parses an operator on a property other than a rollup. Throws a DomainError (validation) for a date that does not exist. */
export function parseOperation(
  property: RollupSource["target"],
  operation: Operation,
  now: number,
): Condition {
  if (property.type === "created_time" || property.type === "last_edited_time")
    return parseTimestampOperation(property.type, operation, now);
  const createCondition = (test: ElementTest): Condition => ({ kind: "element", property, test });
  return parseNegation(operation, (positive) => {
    if (positive.operator === "is_not_empty") {
      return property.type === "created_by" || property.type === "last_edited_by"
        ? MATCH_ALL
        : createCondition({ kind: "exists" });
    }
    switch (property.type) {
      case "number":
      case "unique_id":
        return createCondition({ kind: "range", range: parseNumberRange(positive) });
      case "checkbox": {
        const isChecked = createCondition({ kind: "range", range: createPointRange(1) });
        return readEqualOperand(positive) === true ? isChecked : negate(isChecked);
      }
      case "select":
      case "status":
      case "multi_select": {
        const option = findOptionByNameOrId(property, String(readEqualOperand(positive)));
        // No page has an unknown option.
        return option === undefined ? MATCH_NONE : createCondition({ kind: "id", id: option.id });
      }
      case "date":
        return createCondition({ kind: "range", range: parseDateRange(positive, now) });
      case "people":
      case "relation":
        return createCondition({ kind: "id", id: normalizeId(String(readEqualOperand(positive))) });
      case "created_by":
      case "last_edited_by":
        return { kind: "user", column: property.type, id: normalizeId(String(readEqualOperand(positive))) };
      case "title":
      case "rich_text":
      case "url":
      case "email":
      case "phone_number":
      // Files have only the operators above.
      case "files":
        return parseTextOperation(positive, createCondition);
    }
  });
}

/** Parses an operator on the time of creation or of the last edit. Every page has these times. */
export function parseTimestampOperation(column: TimeColumn, operation: Operation, now: number): Condition {
  switch (operation.operator) {
    case "is_empty":
      return MATCH_NONE;
    case "is_not_empty":
      return MATCH_ALL;
    default:
      return { kind: "time", column, range: parseDateRange(operation, now) };
  }
}

const NUMBER_RANGES: Readonly<Record<string, (value: number) => Range>> = {
  equals: createPointRange,
  greater_than: (value) => ({ from: { value, exclusive: true } }),
  greater_than_or_equal_to: (value) => ({ from: { value, exclusive: false } }),
  less_than: (value) => ({ to: { value, exclusive: true } }),
  less_than_or_equal_to: (value) => ({ to: { value, exclusive: false } }),
};

export function parseNumberRange(operation: Operation): Range {
  return NUMBER_RANGES[operation.operator]?.(Number(operation.value)) ?? refuseOperator(operation);
}

/** Parses an operator on a date into the range that it selects. */
export function parseDateRange(operation: Operation, now: number): Range {
  const { operator, value, path } = operation;
  const range = toDateRange(operator, String(value), path) ?? toRelativeDateRange(operator, now);
  return range ?? refuseOperator(operation);
}

function parseTextOperation(
  operation: Operation,
  createCondition: (test: ElementTest) => Condition,
): Condition {
  const { operator } = operation;
  switch (operator) {
    case "equals":
    case "contains":
    case "starts_with":
    case "ends_with": {
      const text = foldText(String(operation.value));
      if (text !== "") return createCondition({ kind: "text", operator, text });
      // A property without a value is an empty text, which every text contains.
      return operator === "equals" ? negate(createCondition({ kind: "exists" })) : MATCH_ALL;
    }
    default:
      return refuseOperator(operation);
  }
}

/** Returns the operand of `equals` or `contains`. Types of property with such an operand have only one of the two. */
function readEqualOperand(operation: Operation): unknown {
  const { operator, value } = operation;
  return operator === "equals" || operator === "contains" ? value : refuseOperator(operation);
}

function findOptionByNameOrId(
  { options }: DefinitionOf<"select" | "status" | "multi_select">,
  nameOrId: string,
) {
  return options.find(({ name }) => name === nameOrId) ?? options.find(({ id }) => id === nameOrId);
}

/** Throws an error for an operator that the OpenAPI schema allows but the service lacks. */
function refuseOperator({ path }: Operation): never {
  throw new Error(`the validator accepted an unknown operator: ${path}`);
}
