import type { Hue } from "./rich-text.js";

/** One of the choices of a select, multi-select or status property. */
export interface Option {
  readonly id: string;
  readonly name: string;
  readonly color: Hue;
  readonly description: string | null;
  /** Orders the options of a property. An option keeps it for life; a new one gets the highest plus one. */
  readonly rank: number;
}

/** A group of the options of a status property. */
export interface StatusGroup {
  readonly id: string;
  readonly name: string;
  readonly color: Hue;
  readonly optionIds: readonly string[];
}

/** Property types that a request configures no further, and numbers, whose format has a default. */
export type PlainPropertyType =
  | "title"
  | "rich_text"
  | "number"
  | "date"
  | "people"
  | "files"
  | "checkbox"
  | "url"
  | "email"
  | "phone_number"
  | "created_time"
  | "created_by"
  | "last_edited_time"
  | "last_edited_by";

/** What a property of each type is configured with besides its id, name and description. */
type PropertyConfig =
  | { readonly type: Exclude<PlainPropertyType, "number"> }
  | { readonly type: "number"; readonly format: string }
  /** Options are in the order of their ranks. */
  | { readonly type: "select" | "multi_select"; readonly options: readonly Option[] }
  | { readonly type: "status"; readonly options: readonly Option[]; readonly groups: readonly StatusGroup[] }
  | {
      readonly type: "relation";
      /** The database whose pages it names. */
      readonly databaseId: string;
      /** The property of that database that shows the same links from the other side; null when there is none. */
      readonly twin: { readonly propertyId: string } | null;
    }
  | {
      readonly type: "rollup";
      /** The relation of the same database that leads to the pages. */
      readonly relationId: string;
      /** The property of those pages. */
      readonly propertyId: string;
      readonly function: RollupFunction;
    }
  | { readonly type: "unique_id"; readonly prefix: string | null };

/** One property of a database. */
export type PropertyDefinition = {
  /** Raw, as stored; responses show it percent-encoded. `title` for the title property. */
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
} & PropertyConfig;

/** The property types that a database can have. */
export type PropertyType = PropertyDefinition["type"];

/** The definition of a property of one type. */
export type DefinitionOf<Type extends PropertyType> = PropertyDefinition & { readonly type: Type };

/** How a rollup computes its value from the values of the pages that its relation leads to. */
export const ROLLUP_FUNCTIONS = [
  "count",
  "count_values",
  "empty",
  "not_empty",
  "unique",
  "show_unique",
  "percent_empty",
  "percent_not_empty",
  "sum",
  "average",
  "median",
  "min",
  "max",
  "range",
  "earliest_date",
  "latest_date",
  "date_range",
  "checked",
  "unchecked",
  "percent_checked",
  "percent_unchecked",
  "count_per_group",
  "percent_per_group",
  "show_original",
] as const;
export type RollupFunction = (typeof ROLLUP_FUNCTIONS)[number];

/** The properties of a database, in order, with the look-ups that reading and writing pages need. */
export interface Schema {
  readonly definitions: readonly PropertyDefinition[];
  readonly byName: ReadonlyMap<string, PropertyDefinition>;
  readonly byId: ReadonlyMap<string, PropertyDefinition>;
}

/** Builds a schema. Maps, not objects: a property may be called `__proto__` or `constructor`. */
export function makeSchema(definitions: readonly PropertyDefinition[]): Schema {
  return {
    definitions,
    byName: new Map(definitions.map((definition) => [definition.name, definition])),
    byId: new Map(definitions.map((definition) => [definition.id, definition])),
  };
}

/** Defines a property whose type needs no more than that. */
export function plainProperty(id: string, name: string, type: PlainPropertyType): PropertyDefinition {
  const common = { id, name, description: null };
  return type === "number" ? { ...common, type, format: "number" } : { ...common, type };
}

/** The schema of a page that is in no database: its title is all that it has. */
export const TITLE_SCHEMA: Schema = makeSchema([plainProperty("title", "title", "title")]);

/**
 * Finds the property that a key of a request means.
 *
 * @param key A property's name, its id, or its id percent-encoded; a name wins over an id.
 */
export function findProperty(schema: Schema, key: string): PropertyDefinition | undefined {
  const found = schema.byName.get(key) ?? schema.byId.get(key);
  if (found !== undefined || !key.includes("%")) return found;
  try {
    return schema.byId.get(decodeURIComponent(key));
  } catch {
    // A stray percent sign: not an encoded id, and so not the key of any property.
    return undefined;
  }
}
