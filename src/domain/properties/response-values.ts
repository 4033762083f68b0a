import { getOrCreate } from "../../get-or-create.js";
import type { Schemas } from "../api-schemas.js";
import { getEncodedPublicId, type Option, type PropertyDefinition, VALUE_TRAITS } from "../schema.js";
import { findOption } from "./options.js";
import type { Page } from "../page.js";
import { getStoredValue } from "./stored-values.js";

/** The value of a property other than a rollup in API responses, without the property's id. */
export type NonRollupValue = Schemas["RollupElement"];

/** Data of a page from which its property values in responses are created. */
export type ValueSource = Pick<
  Page,
  "createdTime" | "createdBy" | "lastEditedTime" | "lastEditedBy" | "properties"
>;

/** Links of a relation, up to a limit. */
export interface Links {
  readonly pageIds: readonly string[];
  /** Whether the relation has more links than these. */
  readonly hasMore: boolean;
}

/** Data of other objects that the values of a page refer to. */
export interface References {
  /** Returns a user as in API responses. */
  getUser(id: string): Schemas["UserReference"];
  getLinks(property: PropertyDefinition): Links;
  computeRollup(property: PropertyDefinition & { readonly type: "rollup" }): Schemas["RollupResult"];
}

/** Creates the values of properties of a page, by name. A property without a value has an empty one. */
export function toPropertyValues(
  properties: readonly PropertyDefinition[],
  page: ValueSource,
  references: References,
): Record<string, Schemas["PropertyValue"]> {
  return Object.fromEntries(
    properties.map((property) => [property.name, toPropertyValue(property, page, references)]),
  );
}

/** Creates the value of one property of a page. */
export function toPropertyValue(
  property: PropertyDefinition,
  page: ValueSource,
  references: References,
): Schemas["PropertyValue"] {
  const id = getEncodedPublicId(property);
  if (property.type === "rollup") return { id, type: "rollup", rollup: references.computeRollup(property) };
  return { id, ...toNonRollupValue(property, page, references) };
}

/** Creates the value of a property other than a rollup, without its id. */
export function toNonRollupValue(
  property: Exclude<PropertyDefinition, { readonly type: "rollup" }>,
  page: ValueSource,
  { getUser, getLinks }: Pick<References, "getUser" | "getLinks">,
): NonRollupValue {
  const stored = page.properties;
  switch (property.type) {
    case "select":
      return { type: "select", select: toOptionValue(property.options, getStoredValue(stored, property)) };
    case "status":
      return { type: "status", status: toOptionValue(property.options, getStoredValue(stored, property)) };
    case "multi_select": {
      const ids = getStoredValue(stored, property) ?? [];
      const options = ids.map((optionId) => toOptionValue(property.options, optionId));
      return { type: "multi_select", multi_select: options.filter((option) => option !== null) };
    }
    case "people":
      return { type: "people", people: (getStoredValue(stored, property) ?? []).map(getUser) };
    case "created_time":
      return { type: "created_time", created_time: new Date(page.createdTime).toISOString() };
    case "created_by":
      return { type: "created_by", created_by: getUser(page.createdBy) };
    case "last_edited_time":
      return { type: "last_edited_time", last_edited_time: new Date(page.lastEditedTime).toISOString() };
    case "last_edited_by":
      return { type: "last_edited_by", last_edited_by: getUser(page.lastEditedBy) };
    case "unique_id": {
      const number = getStoredValue(stored, property) ?? null;
      return { type: "unique_id", unique_id: { prefix: property.prefix, number } };
    }
    case "relation": {
      const { pageIds, hasMore } = getLinks(property);
      return { type: "relation", relation: pageIds.map((pageId) => ({ id: pageId })), has_more: hasMore };
    }
    default: {
      const { type } = property;
      const value = getStoredValue(stored, property) ?? VALUE_TRAITS[type].empty;
      // Safe cast: responses show the values of the other types as they are stored.
      return { type, [type]: value } as NonRollupValue;
    }
  }
}

/** Returns the ids of the users to which the value of a property refers. */
export function getUserIds(property: PropertyDefinition, page: ValueSource): readonly string[] {
  switch (property.type) {
    case "people":
      return getStoredValue(page.properties, property) ?? [];
    case "created_by":
      return [page.createdBy];
    case "last_edited_by":
      return [page.lastEditedBy];
    default:
      return [];
  }
}

const optionValues = new WeakMap<Option, Schemas["OptionValue"]>();

/** Returns the value of an option. All values share it, because a rollup can read 500,000 of them. */
function toOptionValue(options: readonly Option[], id: string | undefined): Schemas["OptionValue"] | null {
  const option = id === undefined ? undefined : findOption(options, id);
  return option === undefined
    ? null
    : getOrCreate(optionValues, option, ({ name, color }) => ({ id: option.id, name, color }));
}
