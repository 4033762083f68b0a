import type { components } from "../../generated/types.js";

/*
 * Conditions for queries of a database, e.g. `filter.text("Name").contains("x")`. Everything is typed by the document:
 * the compiler says so when an operator is added there, or goes.
 */

type Schemas = components["schemas"];
type Conditions = Required<Omit<Schemas["FilterCondition"], "property" | "timestamp" | "type">>;
type Timestamp = NonNullable<Schemas["FilterCondition"]["timestamp"]>;

/** A type of condition, by the name that it has in a filter. */
export type ConditionType = keyof Conditions;
/** A condition, or a group of conditions. */
export type Filter = Schemas["Filter"];
/** One condition for a property. */
export type PropertyFilter<Type extends ConditionType> = { property: string } & {
  [Key in Type]: Conditions[Type];
};
/** One condition for the time when a page was created or edited. */
export type TimestampFilter<Type extends Timestamp> = { timestamp: Type } & {
  [Key in Type]: Conditions[Type];
};

/** Operators without an operand: what is sent with them. */
type Fixed = true | Record<string, never>;
/** The operators of a condition as methods. */
type Operators<Condition, Result> = {
  [Name in keyof Condition]-?: NonNullable<Condition[Name]> extends Fixed
    ? () => Result
    : (operand: NonNullable<Condition[Name]>) => Result;
};
/** No database has formulas. */
type AnyCondition = Conditions[Exclude<ConditionType, "formula">];
/** Every operator of any condition: what is sent with it, or `given` where that is an operand. */
type Table = {
  readonly [Name in KeyOf<AnyCondition>]-?: ValueOf<Conditions[ConditionType], Name> extends Fixed
    ? ValueOf<AnyCondition, Name>
    : typeof given;
};
type KeyOf<Condition> = Condition extends unknown ? keyof Condition : never;
type ValueOf<Condition, Name extends PropertyKey> = Condition extends { [Key in Name]?: infer Value }
  ? NonNullable<Value>
  : never;

const given = /* @__PURE__ */ Symbol("operand");
const none: Record<string, never> = {};

const OPERATORS: Table = {
  equals: given,
  does_not_equal: given,
  contains: given,
  does_not_contain: given,
  starts_with: given,
  ends_with: given,
  greater_than: given,
  less_than: given,
  greater_than_or_equal_to: given,
  less_than_or_equal_to: given,
  before: given,
  after: given,
  on_or_before: given,
  on_or_after: given,
  this_week: none,
  past_week: none,
  past_month: none,
  past_year: none,
  next_week: none,
  next_month: none,
  next_year: none,
  any: given,
  every: given,
  none: given,
  number: given,
  date: given,
  is_empty: true,
  is_not_empty: true,
};

function operators<Condition, Result>(build: (condition: Condition) => Result): Operators<Condition, Result> {
  const methods = Object.entries(OPERATORS).map(([name, sent]) => [
    name,
    // The cast: the table has the condition's operators, and says which of them have an operand.
    (operand: unknown) => build({ [name]: sent === given ? operand : sent } as Condition),
  ]);
  // The cast: an entry for each operator of the condition; the types hide those of others.
  return Object.fromEntries(methods) as Operators<Condition, Result>;
}

type PropertyConditions<Type extends ConditionType> = (
  property: string,
) => Operators<Conditions[Type], PropertyFilter<Type>>;

function forProperty<Type extends ConditionType>(type: Type): PropertyConditions<Type> {
  return (property) =>
    operators<Conditions[Type], PropertyFilter<Type>>(
      // The cast: a computed key widens to any text.
      (condition) => ({ property, [type]: condition }) as PropertyFilter<Type>,
    );
}

function forTimestamp<Type extends Timestamp>(
  timestamp: Type,
): Operators<Conditions[Type], TimestampFilter<Type>> {
  return operators<Conditions[Type], TimestampFilter<Type>>(
    // The cast: a computed key widens to any text.
    (condition) => ({ timestamp, [timestamp]: condition }) as TimestampFilter<Type>,
  );
}

/** A condition for a title, a text, an address, an e-mail address or a phone number. */
export const text = /* @__PURE__ */ forProperty("rich_text");
/** A condition for a number. */
export const number = /* @__PURE__ */ forProperty("number");
/** A condition for the number of a page, a property of the type unique_id. */
export const uniqueId = /* @__PURE__ */ forProperty("unique_id");
/** A condition for a checkbox. */
export const checkbox = /* @__PURE__ */ forProperty("checkbox");
/** A condition for a select; options go by their names. */
export const select = /* @__PURE__ */ forProperty("select");
/** A condition for a status; options go by their names. */
export const status = /* @__PURE__ */ forProperty("status");
/** A condition for a multi-select; options go by their names. */
export const multiSelect = /* @__PURE__ */ forProperty("multi_select");
/** A condition for a date. For the times of the page itself there are `createdTime` and `lastEditedTime`. */
export const date = /* @__PURE__ */ forProperty("date");
/** A condition for people, who go by their ids. */
export const people = /* @__PURE__ */ forProperty("people");
/** A condition for a property that shows who created a page. */
export const createdBy = /* @__PURE__ */ forProperty("created_by");
/** A condition for a property that shows who edited a page last. */
export const lastEditedBy = /* @__PURE__ */ forProperty("last_edited_by");
/** A condition for a relation; pages go by their ids. */
export const relation = /* @__PURE__ */ forProperty("relation");
/** A condition for files. */
export const files = /* @__PURE__ */ forProperty("files");
/** A condition for a rollup: for what it comes to, or for any, every or none of what it shows. */
export const rollup = /* @__PURE__ */ forProperty("rollup");
/** A condition for the time when a page was created. */
export const createdTime = /* @__PURE__ */ forTimestamp("created_time");
/** A condition for the time when a page was edited last. */
export const lastEditedTime = /* @__PURE__ */ forTimestamp("last_edited_time");

/** All of the conditions, or groups of them, have to be met. */
export function and<Members extends Schemas["FilterGroup"][]>(...members: Members): { and: Members } {
  return { and: members };
}

/** One of the conditions, or groups of them, has to be met. */
export function or<Members extends Schemas["FilterGroup"][]>(...members: Members): { or: Members } {
  return { or: members };
}
