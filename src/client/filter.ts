import type { components } from "../../generated/types.js";

/*
 * Filters for database queries, e.g. `filter.text("Name").contains("x")`. The types come from the OpenAPI document, so the
 * compiler reports an operator that is missing here or was removed there.
 */

type Schemas = components["schemas"];
type Conditions = Required<Omit<Schemas["FilterCondition"], "property" | "timestamp" | "type">>;
type Timestamp = NonNullable<Schemas["FilterCondition"]["timestamp"]>;

/** The key of a condition in a filter. */
export type ConditionType = keyof Conditions;
/** A condition, or a group of conditions. */
export type Filter = Schemas["Filter"];
/** A condition on a property. */
export type PropertyFilter<Type extends ConditionType> = { property: string } & {
  [Key in Type]: Conditions[Type];
};
/** A condition on the time when a page was created or last edited. */
export type TimestampFilter<Type extends Timestamp> = { timestamp: Type } & {
  [Key in Type]: Conditions[Type];
};

/** The constant that is sent for an operator without an operand. */
type ConstantOperand = true | Record<string, never>;
/** The operators of a condition as methods. */
type Operators<Condition, Result> = {
  [Name in keyof Condition]-?: NonNullable<Condition[Name]> extends ConstantOperand
    ? () => Result
    : (operand: NonNullable<Condition[Name]>) => Result;
};
type AnyCondition = Conditions[Exclude<ConditionType, "formula">];
/** The operand of every operator: a constant, or OPERAND for the argument of the method. */
type OperandTable = {
  readonly [Name in KeyOf<AnyCondition>]-?: ValueOf<Conditions[ConditionType], Name> extends ConstantOperand
    ? ValueOf<AnyCondition, Name>
    : typeof OPERAND;
};
type KeyOf<Condition> = Condition extends unknown ? keyof Condition : never;
type ValueOf<Condition, Name extends PropertyKey> = Condition extends { [Key in Name]?: infer Value }
  ? NonNullable<Value>
  : never;

const OPERAND = /* @__PURE__ */ Symbol();
const EMPTY: Record<string, never> = {};

const OPERATORS: OperandTable = {
  equals: OPERAND,
  does_not_equal: OPERAND,
  contains: OPERAND,
  does_not_contain: OPERAND,
  starts_with: OPERAND,
  ends_with: OPERAND,
  greater_than: OPERAND,
  less_than: OPERAND,
  greater_than_or_equal_to: OPERAND,
  less_than_or_equal_to: OPERAND,
  before: OPERAND,
  after: OPERAND,
  on_or_before: OPERAND,
  on_or_after: OPERAND,
  this_week: EMPTY,
  past_week: EMPTY,
  past_month: EMPTY,
  past_year: EMPTY,
  next_week: EMPTY,
  next_month: EMPTY,
  next_year: EMPTY,
  any: OPERAND,
  every: OPERAND,
  none: OPERAND,
  number: OPERAND,
  date: OPERAND,
  is_empty: true,
  is_not_empty: true,
};

function createOperators<Condition, Result>(
  build: (condition: Condition) => Result,
): Operators<Condition, Result> {
  const methods = Object.entries(OPERATORS).map(([name, operand]) => [
    name,
    // Safe cast: OPERATORS contains every operator of the condition.
    (argument: unknown) => build({ [name]: operand === OPERAND ? argument : operand } as Condition),
  ]);
  // Safe cast: the object has a method for each operator; the type hides the operators of other conditions.
  return Object.fromEntries(methods) as Operators<Condition, Result>;
}

type PropertyConditions<Type extends ConditionType> = (
  property: string,
) => Operators<Conditions[Type], PropertyFilter<Type>>;

function createPropertyConditions<Type extends ConditionType>(type: Type): PropertyConditions<Type> {
  return (property) =>
    createOperators<Conditions[Type], PropertyFilter<Type>>(
      // Safe cast: TypeScript widens a computed key to string.
      (condition) => ({ property, [type]: condition }) as PropertyFilter<Type>,
    );
}

function createTimestampConditions<Type extends Timestamp>(
  timestamp: Type,
): Operators<Conditions[Type], TimestampFilter<Type>> {
  return createOperators<Conditions[Type], TimestampFilter<Type>>(
    // Safe cast: TypeScript widens a computed key to string.
    (condition) => ({ timestamp, [timestamp]: condition }) as TimestampFilter<Type>,
  );
}

/** Creates a condition on a title, text, URL, e-mail address or phone number. */
export const text = /* @__PURE__ */ createPropertyConditions("rich_text");
/** Creates a condition on a number. */
export const number = /* @__PURE__ */ createPropertyConditions("number");
/** Creates a condition on a unique_id property. */
export const uniqueId = /* @__PURE__ */ createPropertyConditions("unique_id");
/** Creates a condition on a checkbox. */
export const checkbox = /* @__PURE__ */ createPropertyConditions("checkbox");
/** Creates a condition on a select, by the names of its options. */
export const select = /* @__PURE__ */ createPropertyConditions("select");
/** Creates a condition on a status, by the names of its options. */
export const status = /* @__PURE__ */ createPropertyConditions("status");
/** Creates a condition on a multi-select, by the names of its options. */
export const multiSelect = /* @__PURE__ */ createPropertyConditions("multi_select");
/** Creates a condition on a date. `createdTime` and `lastEditedTime` are for the timestamps of the page. */
export const date = /* @__PURE__ */ createPropertyConditions("date");
/** Creates a condition on people, by user id. */
export const people = /* @__PURE__ */ createPropertyConditions("people");
/** Creates a condition on a created_by property, by user id. */
export const createdBy = /* @__PURE__ */ createPropertyConditions("created_by");
/** Creates a condition on a last_edited_by property, by user id. */
export const lastEditedBy = /* @__PURE__ */ createPropertyConditions("last_edited_by");
/** Creates a condition on a relation, by page id. */
export const relation = /* @__PURE__ */ createPropertyConditions("relation");
/** Creates a condition on files. */
export const files = /* @__PURE__ */ createPropertyConditions("files");
/** Creates a condition on the result of a rollup, or on any, every or none of its values. */
export const rollup = /* @__PURE__ */ createPropertyConditions("rollup");
/** Creates a condition on the time when a page was created. */
export const createdTime = /* @__PURE__ */ createTimestampConditions("created_time");
/** Creates a condition on the time when a page was last edited. */
export const lastEditedTime = /* @__PURE__ */ createTimestampConditions("last_edited_time");

/** Combines conditions or groups, all of which must be met. */
export function and<Members extends Schemas["FilterGroup"][]>(...members: Members): { and: Members } {
  return { and: members };
}

/** Combines conditions or groups, at least one of which must be met. */
export function or<Members extends Schemas["FilterGroup"][]>(...members: Members): { or: Members } {
  return { or: members };
}
