import { DomainError } from "../errors.js";
import type { Hue } from "../rich-text.js";
import type { PropertyType, RollupFunction } from "../schema.js";

/** An option as requests bring it. */
export interface OptionInput {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly color?: Hue | undefined;
  readonly description?: string | null | undefined;
}

interface OptionsInput {
  readonly options?: readonly OptionInput[] | undefined;
}

type Empty = object | undefined;

/** A property of a database as requests bring it: what its type is configured with stands under the type's name. */
export interface PropertyInput {
  readonly type?: string | undefined;
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly title?: Empty;
  readonly rich_text?: Empty;
  readonly number?: { readonly format?: string | undefined } | undefined;
  readonly select?: OptionsInput | undefined;
  readonly multi_select?: OptionsInput | undefined;
  readonly status?: OptionsInput | undefined;
  readonly date?: Empty;
  readonly people?: Empty;
  readonly files?: Empty;
  readonly checkbox?: Empty;
  readonly url?: Empty;
  readonly email?: Empty;
  readonly phone_number?: Empty;
  readonly formula?: Empty;
  readonly relation?:
    | {
        readonly database_id: string;
        readonly type?: "single_property" | "dual_property" | undefined;
        readonly single_property?: Empty;
        readonly dual_property?: { readonly synced_property_name?: string | undefined } | undefined;
      }
    | undefined;
  readonly rollup?:
    | {
        readonly relation_property_name?: string | undefined;
        readonly relation_property_id?: string | undefined;
        readonly rollup_property_name?: string | undefined;
        readonly rollup_property_id?: string | undefined;
        readonly function: RollupFunction;
      }
    | undefined;
  readonly unique_id?: { readonly prefix?: string | null | undefined } | undefined;
  readonly created_time?: Empty;
  readonly created_by?: Empty;
  readonly last_edited_time?: Empty;
  readonly last_edited_by?: Empty;
}

const TYPES: readonly PropertyType[] = [
  "title",
  "rich_text",
  "number",
  "select",
  "multi_select",
  "status",
  "date",
  "people",
  "files",
  "checkbox",
  "url",
  "email",
  "phone_number",
  "relation",
  "rollup",
  "unique_id",
  "created_time",
  "created_by",
  "last_edited_time",
  "last_edited_by",
];

/**
 * The type that a request gives a property; undefined when it gives none, and only renames or describes it.
 *
 * @throws DomainError (validation) when it names two types, or one that the service does not have
 */
export function typeOfInput(key: string, input: PropertyInput): PropertyType | undefined {
  if (input.formula !== undefined || input.type === "formula") {
    throw new DomainError(
      "validation",
      `${key} is a formula. This service does not evaluate formulas, so properties of the type formula cannot be created.`,
    );
  }
  const configured = TYPES.filter((type) => input[type] !== undefined);
  if (configured.length > 1) {
    throw new DomainError("validation", `${key} has several types: ${configured.join(", ")}. Give one.`);
  }
  const [type] = configured;
  if (input.type === undefined || input.type === type) return type;
  const named = TYPES.find((each) => each === input.type);
  if (named === undefined || type !== undefined) {
    throw new DomainError("validation", `${key} is expected to be ${input.type}.`);
  }
  return named;
}
