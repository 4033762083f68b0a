import type { OptionColor, RichText } from "../rich-text.js";
import type { RollupFunction } from "../schema.js";
import type { DateValue } from "./date-value.js";
import type { FileValue } from "./stored.js";

/** An option in a property value. */
export interface OptionValue {
  readonly id: string;
  readonly name: string;
  readonly color: OptionColor;
}

/**
 * The value of a property other than a rollup in API responses, without the property's id.
 *
 * @typeParam User a user in API responses
 */
export type PlainValue<User> =
  | { readonly type: "title"; readonly title: RichText[] }
  | { readonly type: "rich_text"; readonly rich_text: RichText[] }
  | { readonly type: "number"; readonly number: number | null }
  | { readonly type: "select"; readonly select: OptionValue | null }
  | { readonly type: "multi_select"; readonly multi_select: OptionValue[] }
  | { readonly type: "status"; readonly status: OptionValue | null }
  | { readonly type: "date"; readonly date: DateValue | null }
  | { readonly type: "people"; readonly people: User[] }
  | { readonly type: "files"; readonly files: FileValue[] }
  | { readonly type: "checkbox"; readonly checkbox: boolean }
  | { readonly type: "url"; readonly url: string | null }
  | { readonly type: "email"; readonly email: string | null }
  | { readonly type: "phone_number"; readonly phone_number: string | null }
  | { readonly type: "created_time"; readonly created_time: string }
  | { readonly type: "created_by"; readonly created_by: User }
  | { readonly type: "last_edited_time"; readonly last_edited_time: string }
  | { readonly type: "last_edited_by"; readonly last_edited_by: User }
  | {
      readonly type: "unique_id";
      readonly unique_id: { readonly prefix: string | null; readonly number: number | null };
    }
  | {
      readonly type: "relation";
      readonly relation: { readonly id: string }[];
      readonly has_more: boolean;
    };

/** The value of a rollup in API responses. */
export type RollupValue<User> = { readonly function: RollupFunction } & (
  | { readonly type: "number"; readonly number: number | null }
  | { readonly type: "date"; readonly date: DateValue | null }
  | { readonly type: "array"; readonly array: PlainValue<User>[] }
  | { readonly type: "unsupported"; readonly unsupported: Readonly<Record<string, never>> }
);

/** The value of a property in API responses. */
export type PropertyValue<User> = { readonly id: string } & (
  PlainValue<User> | { readonly type: "rollup"; readonly rollup: RollupValue<User> }
);
