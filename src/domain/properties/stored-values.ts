import type { Schemas } from "../api-schemas.js";
import type { RichText } from "../rich-text.js";
import type { DateValue } from "./dates.js";

/** A file in a property value, as in the request. This service stores only its URL, which may expire. */
export type FileValue = Schemas["FileValue"];

/** Types of stored values, by property type. Links of relations are only in the table property_values; other types are computed. */
interface StoredValueTypes {
  title: RichText[];
  rich_text: RichText[];
  number: number;
  checkbox: boolean;
  /** Option ids. */
  select: string;
  multi_select: string[];
  status: string;
  date: DateValue;
  /** User ids. */
  people: string[];
  files: FileValue[];
  url: string;
  email: string;
  phone_number: string;
  unique_id: number;
}

export type StoredValue = StoredValueTypes[keyof StoredValueTypes];

/** The stored values of a page by property id. A property without a value has no entry. */
export type StoredProperties = Readonly<Record<string, StoredValue>>;

/** Returns the stored value of a property; undefined when it is not set. */
export function getStoredValue<Type extends keyof StoredValueTypes>(
  stored: StoredProperties,
  property: { readonly id: string; readonly type: Type },
): StoredValueTypes[Type] | undefined {
  // Safe cast: a value has the type of its property, because changing the type converts it.
  return Object.hasOwn(stored, property.id) ? (stored[property.id] as StoredValueTypes[Type]) : undefined;
}
