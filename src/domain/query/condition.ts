import type { DefinitionOf, PropertyDefinition } from "../schema.js";

/** A range of numbers or times. Without `from` or `to` it is unbounded on that side. */
export interface Range {
  readonly from?: Bound;
  readonly to?: Bound;
}

export interface Bound {
  readonly value: number;
  /** Whether the range excludes the value itself. */
  readonly exclusive: boolean;
}

/** A test of one element of a property's value. */
export type ElementTest =
  /** Passes for every element, so it tests that the property has a value. */
  | { readonly kind: "exists" }
  /** Compares a text. `text` is case-folded (see foldText) and not empty. */
  | {
      readonly kind: "text";
      readonly operator: "equals" | "contains" | "starts_with" | "ends_with";
      readonly text: string;
    }
  /** Compares the id of an option, a user or a page. */
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "range"; readonly range: Range };

/** A rollup and the properties that it is computed from. */
export interface RollupSource {
  readonly rollup: DefinitionOf<"rollup">;
  readonly relation: DefinitionOf<"relation">;
  /** The property of the linked pages. */
  readonly target: Exclude<PropertyDefinition, { readonly type: "rollup" }>;
}

/** A condition on pages, to which a filter of a request is compiled. */
export type Condition =
  /** Without members: every page. */
  | { readonly kind: "and"; readonly members: readonly Condition[] }
  /** Without members: no page. */
  | { readonly kind: "or"; readonly members: readonly Condition[] }
  | { readonly kind: "not"; readonly member: Condition }
  /** At least one element of the property's value passes the test. */
  | { readonly kind: "element"; readonly property: PropertyDefinition; readonly test: ElementTest }
  | { readonly kind: "time"; readonly column: TimeColumn; readonly range: Range }
  | { readonly kind: "user"; readonly column: UserColumn; readonly id: string }
  /** At least one linked page meets the condition. */
  | { readonly kind: "related"; readonly relationId: string; readonly member: Condition }
  /** The number or time of a rollup is in the range; false when the rollup has none. */
  | { readonly kind: "rollup"; readonly source: RollupSource; readonly range: Range };

export type TimeColumn = "created_time" | "last_edited_time";
export type UserColumn = "created_by" | "last_edited_by";

export const MATCH_ALL: Condition = { kind: "and", members: [] };
export const MATCH_NONE: Condition = { kind: "or", members: [] };

/** Whether a condition has the form of MATCH_ALL. */
export function isMatchAll(condition: Condition): boolean {
  return condition.kind === "and" && condition.members.length === 0;
}

/** Negates a condition. Removes a double negation, so that an index can still be used for the inner condition. */
export function negate(condition: Condition): Condition {
  return condition.kind === "not" ? condition.member : { kind: "not", member: condition };
}

/** Whether a number is in a range, as in a comparison of the database. */
export function rangeContains({ from, to }: Range, value: number): boolean {
  const isAbove = from === undefined || (from.exclusive ? value > from.value : value >= from.value);
  return isAbove && (to === undefined || (to.exclusive ? value < to.value : value <= to.value));
}

/** Whether a range contains only one value. */
export function isPointRange(range: Range): range is Required<Range> {
  const { from, to } = range;
  return from !== undefined && from.value === to?.value && !from.exclusive && !to.exclusive;
}

/** Creates the range that contains only one value. */
export function createPointRange(value: number): Range {
  return { from: { value, exclusive: false }, to: { value, exclusive: false } };
}
