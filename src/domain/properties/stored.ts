import type { ExternalFile } from "../icon.js";
import type { RichText } from "../rich-text.js";
import type { PropertyDefinition, PropertyType } from "../schema.js";
import type { DateValue } from "./date-value.js";

/** A file elsewhere. */
export type FileValue = ExternalFile & { readonly name: string };

/** What `pages.properties` holds for a property of each type. Other types are stored elsewhere or computed. */
export interface StoredValueTypes {
  title: RichText[];
  rich_text: RichText[];
  number: number;
  checkbox: boolean;
  /** Options by id. */
  select: string;
  multi_select: string[];
  status: string;
  date: DateValue;
  /** Users by id. */
  people: string[];
  files: FileValue[];
  url: string;
  email: string;
  phone_number: string;
  unique_id: number;
}

/** What is stored for one property of one page; its type is that of the property. */
export type StoredValue = StoredValueTypes[keyof StoredValueTypes];

/** What is stored for a page: property id to value. A property that is not set has no entry. */
export type StoredProperties = Readonly<Record<string, StoredValue>>;

/** The stored value of a property; undefined when it is not set. */
export function storedValue<Type extends keyof StoredValueTypes>(
  stored: StoredProperties,
  property: { readonly id: string; readonly type: Type },
): StoredValueTypes[Type] | undefined {
  // The cast: values are stored under the id of a property of their type, and converted when the type changes.
  return Object.hasOwn(stored, property.id) ? (stored[property.id] as StoredValueTypes[Type]) : undefined;
}

const COMPUTED: ReadonlySet<PropertyType> = new Set<PropertyType>([
  "created_time",
  "created_by",
  "last_edited_time",
  "last_edited_by",
  "rollup",
  "unique_id",
]);

/** Whether the service gives a property its values, so that requests cannot. */
export function isComputed(property: PropertyDefinition): boolean {
  return COMPUTED.has(property.type);
}
