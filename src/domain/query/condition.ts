import type { DefinitionOf, PropertyDefinition } from "../schema.js";

/** A span of numbers; times are numbers too. Open where a side is missing. */
export interface Range {
  readonly from?: Bound;
  readonly to?: Bound;
}

export interface Bound {
  readonly value: number;
  /** Whether the value itself is out of the span. */
  readonly open: boolean;
}

/** What is asked of one element of a property's value. */
export type Test =
  | { readonly kind: "any" }
  /** `text` is folded, see domain/fold.ts, and not empty. */
  | {
      readonly kind: "text";
      readonly operator: "equals" | "contains" | "starts_with" | "ends_with";
      readonly text: string;
    }
  /** The id of an option, a user or a page. */
  | { readonly kind: "id"; readonly id: string }
  | { readonly kind: "range"; readonly range: Range };

/** A rollup with what it is computed from. */
export interface RollupSource {
  readonly rollup: DefinitionOf<"rollup">;
  /** The property of the related pages that it sums up. */
  readonly target: PropertyDefinition;
}

/** What a query asks of a page. */
export type Condition =
  /** With no members: every page. */
  | { readonly kind: "and"; readonly members: readonly Condition[] }
  /** With no members: no page. */
  | { readonly kind: "or"; readonly members: readonly Condition[] }
  | { readonly kind: "not"; readonly member: Condition }
  /** Some element of the property's value passes the test. */
  | { readonly kind: "element"; readonly property: PropertyDefinition; readonly test: Test }
  | { readonly kind: "time"; readonly column: TimeColumn; readonly range: Range }
  | { readonly kind: "user"; readonly column: UserColumn; readonly id: string }
  /** Some page that the relation leads to meets the condition. */
  | { readonly kind: "related"; readonly relationId: string; readonly member: Condition }
  /** The number or time that a rollup gives is in the span; never so when it gives none. */
  | { readonly kind: "rollup"; readonly source: RollupSource; readonly range: Range };

export type TimeColumn = "created_time" | "last_edited_time";
export type UserColumn = "created_by" | "last_edited_by";

/** The condition that every page meets. */
export const EVERY: Condition = { kind: "and", members: [] };
/** The condition that no page meets. */
export const NONE: Condition = { kind: "or", members: [] };

/** Whether a condition has the form of EVERY. */
export function isEvery(condition: Condition): boolean {
  return condition.kind === "and" && condition.members.length === 0;
}

/** The opposite of a condition. */
export function not(member: Condition): Condition {
  return { kind: "not", member };
}

/** The span of one value. */
export function point(value: number): Range {
  return { from: { value, open: false }, to: { value, open: false } };
}
