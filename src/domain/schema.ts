import { indexById } from "../lists.js";
import type { Schemas } from "./api-schemas.js";
import { createValidationError } from "./errors.js";
import { abbreviate } from "./text.js";

export type OptionColor = Schemas["SelectColor"];

/** An option of a select, multi-select or status property. */
export type Option = Readonly<Schemas["Option"]> & {
  /** Position among the options of the property. It never changes. A new option gets the highest rank plus one. */
  readonly rank: number;
};

interface StatusGroup {
  readonly id: string;
  readonly name: string;
  readonly color: OptionColor;
  readonly optionIds: readonly string[];
}

type PlainPropertyType = Exclude<
  Schemas["PropertyType"],
  "number" | "select" | "multi_select" | "status" | "relation" | "rollup" | "unique_id"
>;

/** Configuration by property type, without id, name and description. */
type PropertyConfig =
  | { [Type in PlainPropertyType]: { readonly type: Type } }[PlainPropertyType]
  | { readonly type: "number"; readonly format: Schemas["NumberFormat"] }
  /** Options in the order of their ranks. */
  | { readonly type: "select"; readonly options: readonly Option[] }
  | { readonly type: "multi_select"; readonly options: readonly Option[] }
  | { readonly type: "status"; readonly options: readonly Option[]; readonly groups: readonly StatusGroup[] }
  | {
      readonly type: "relation";
      /** The database of the linked pages. */
      readonly databaseId: string;
      /** Id of the property of that database with the same links in the other direction; null for a one-way relation. */
      readonly syncedPropertyId: string | null;
    }
  | {
      readonly type: "rollup";
      /** The relation of the same database whose links the rollup follows. */
      readonly relationId: string;
      /** The property of the linked pages. */
      readonly propertyId: string;
      readonly function: RollupFunction;
    }
  | { readonly type: "unique_id"; readonly prefix: string | null };

export type PropertyDefinition = {
  /** Key of the stored values; `title` for the title property. A conversion of the values gives the property a new id. */
  readonly id: string;
  /** Id that responses show, percent-encoded, and that rollups refer to. It never changes. The same as `id` when omitted. */
  readonly publicId?: string;
  readonly name: string;
  readonly description: string | null;
} & PropertyConfig;

export type PropertyType = PropertyDefinition["type"];

/** Kinds of values. The kind determines the conditions in filters, the sort key, the key column of the index and the rollups. */
export type ValueKind =
  "text" | "number" | "checkbox" | "option" | "time" | "user" | "page" | "file" | "rollup";

export interface ValueTraits {
  readonly kind: ValueKind;
  /** Whether the service sets the values. Unique ids are the only such values that are stored. */
  readonly isComputed?: true;
  /** Replacement for a missing value in responses. Omitted for types whose stored values responses do not show unchanged. */
  readonly empty?: false | null | readonly [];
  readonly isList?: true;
}

/** Traits of the values of properties, by type. */
export const VALUE_TRAITS = {
  title: { kind: "text", empty: [] },
  rich_text: { kind: "text", empty: [] },
  url: { kind: "text", empty: null },
  email: { kind: "text", empty: null },
  phone_number: { kind: "text", empty: null },
  number: { kind: "number", empty: null },
  unique_id: { kind: "number", isComputed: true },
  checkbox: { kind: "checkbox", empty: false },
  select: { kind: "option" },
  status: { kind: "option" },
  multi_select: { kind: "option", isList: true },
  date: { kind: "time", empty: null },
  created_time: { kind: "time", isComputed: true },
  last_edited_time: { kind: "time", isComputed: true },
  people: { kind: "user", isList: true },
  created_by: { kind: "user", isComputed: true },
  last_edited_by: { kind: "user", isComputed: true },
  relation: { kind: "page", isList: true },
  files: { kind: "file", empty: [], isList: true },
  rollup: { kind: "rollup", isComputed: true },
} as const satisfies Readonly<Record<PropertyType, ValueTraits>>;

function getTraits({ type }: Pick<PropertyDefinition, "type">): ValueTraits {
  return VALUE_TRAITS[type];
}

// Safe cast: Object.keys does not keep the type of the keys.
export const PROPERTY_TYPES = Object.keys(VALUE_TRAITS) as PropertyType[];

/** Whether the values of a property are texts, which filters can search in. */
export function isTextProperty(property: PropertyDefinition): boolean {
  return getTraits(property).kind === "text";
}

/** Whether a value is a list, whose elements filters and sorts find separately. */
export function isListProperty(property: PropertyDefinition): boolean {
  return getTraits(property).isList === true;
}

export function isComputedProperty(property: Pick<PropertyDefinition, "type">): boolean {
  return getTraits(property).isComputed === true;
}

/** Whether values of a property refer to users or other pages. Mentions do not count. */
export function isReferenceProperty(property: PropertyDefinition): boolean {
  const { kind } = getTraits(property);
  return kind === "user" || kind === "page" || kind === "rollup";
}

export type DefinitionOf<Type extends PropertyType> = PropertyDefinition & { readonly type: Type };

export type RollupFunction = Schemas["RollupFunction"];

/** The properties of a database, in order, by name and by id. */
export interface Schema {
  readonly definitions: readonly PropertyDefinition[];
  readonly byName: ReadonlyMap<string, PropertyDefinition>;
  readonly byId: ReadonlyMap<string, PropertyDefinition>;
  readonly byPublicId: ReadonlyMap<string, PropertyDefinition>;
}

/** The properties of a database, in any order, by name and by public id. */
export interface PropertyLookup {
  readonly definitions: readonly PropertyDefinition[];
  readonly byName: Pick<Schema["byName"], "get">;
  readonly byPublicId: Pick<Schema["byPublicId"], "get">;
}

/** Schemas of the databases that relations link to, by the id of the database. */
export type RelatedSchemas = ReadonlyMap<string, Schema>;

/** Returns the id by which the API knows a property, see PropertyDefinition.publicId. */
export function getPublicId({ id, publicId }: Pick<PropertyDefinition, "id" | "publicId">): string {
  return publicId ?? id;
}

/** Returns the percent-encoded public id, as in responses of Notion's API, so that clients can put it into a path. */
export function getEncodedPublicId(property: Pick<PropertyDefinition, "id" | "publicId">): string {
  return encodeURIComponent(getPublicId(property));
}

/** Creates a schema. Uses maps instead of objects, because a property can have the name `__proto__`. */
export function createSchema(definitions: readonly PropertyDefinition[]): Schema {
  return {
    definitions,
    byName: new Map(definitions.map((definition) => [definition.name, definition])),
    byId: indexById(definitions),
    byPublicId: new Map(definitions.map((definition) => [getPublicId(definition), definition])),
  };
}

/** Schema of a page outside of databases: only a title. */
export const TITLE_SCHEMA: Schema = createSchema([
  { id: "title", name: "title", description: null, type: "title" },
]);

/** Finds a property by its name or, if no property has this name, by its public id. */
export function findPropertyByNameFirst(
  properties: PropertyLookup,
  nameOrId: string,
): PropertyDefinition | undefined {
  return properties.byName.get(nameOrId) ?? findPropertyByIdFirst(properties, nameOrId);
}

/** Matches percent-encoded ASCII, as in ids. Other keys are not decoded: the errors of 25,000 in a request would take 0.2 s. */
const ENCODED = /^[^%]*(?:%[0-7][\da-f][^%]*)+$/i;

/** Finds a property by its public id, which can be percent-encoded, or, if no property has this id, by its name. */
export function findPropertyByIdFirst({ byPublicId, byName }: PropertyLookup, idOrName: string) {
  const found = byPublicId.get(idOrName) ?? byName.get(idOrName);
  return found === undefined && ENCODED.test(idOrName) ? byPublicId.get(decodeURIComponent(idOrName)) : found;
}

/** Returns the property that was found for a key. Throws a DomainError (validation) when there is none. */
export function requireProperty(property: PropertyDefinition | undefined, key: string): PropertyDefinition {
  if (property === undefined) {
    throw createValidationError(`Could not find property with name or id: ${abbreviate(key)}`);
  }
  return property;
}
