import { publicIdOf, type Option, type PropertyDefinition, type Schema } from "../schema.js";
import { storedValue, type StoredProperties } from "./stored.js";
import type { OptionValue, PlainValue, PropertyValue, RollupValue } from "./values.js";

/** Stored values and metadata of a page from which its property values are rendered. */
export interface ValueSource {
  readonly createdTime: number;
  readonly createdBy: string;
  readonly lastEditedTime: number;
  readonly lastEditedBy: string;
  readonly properties: StoredProperties;
}

/** Links of a relation, up to a limit. */
export interface Links {
  readonly pageIds: readonly string[];
  /** Whether the relation has more links than these. */
  readonly hasMore: boolean;
}

/** Objects that the values of a page refer to. */
export interface References<User> {
  /** Returns a user as in API responses. */
  user(id: string): User;
  /** The links of a relation of the page. */
  links(property: PropertyDefinition): Links;
  /** The value of a rollup of the page. */
  rollup(property: PropertyDefinition & { readonly type: "rollup" }): RollupValue<User>;
}

/**
 * Renders the properties of a page in the order of the schema. A property without a value has the empty value of its type.
 *
 * @param chosen the properties to render; all when omitted
 */
export function renderProperties<User>(
  schema: Schema,
  page: ValueSource,
  references: References<User>,
  chosen: ReadonlySet<PropertyDefinition> | undefined = undefined,
): Record<string, PropertyValue<User>> {
  const result: Record<string, PropertyValue<User>> = {};
  for (const property of schema.definitions) {
    if (chosen !== undefined && !chosen.has(property)) continue;
    const value = renderProperty(property, page, references);
    if (property.name === "__proto__") {
      // Assigning to `__proto__` would set the prototype.
      Object.defineProperty(result, property.name, { value, enumerable: true });
    } else {
      result[property.name] = value;
    }
  }
  return result;
}

/** Renders the value of one property of a page. */
export function renderProperty<User>(
  property: PropertyDefinition,
  page: ValueSource,
  references: References<User>,
): PropertyValue<User> {
  const id = encodeURIComponent(publicIdOf(property));
  if (property.type === "rollup") return { id, type: "rollup", rollup: references.rollup(property) };
  return { id, ...renderPlain(property, page, references) };
}

/** Renders the value of a property other than a rollup, without its id. */
export function renderPlain<User>(
  property: Exclude<PropertyDefinition, { readonly type: "rollup" }>,
  page: ValueSource,
  { user, links }: Pick<References<User>, "user" | "links">,
): PlainValue<User> {
  const { id } = property;
  const stored = page.properties;
  switch (property.type) {
    case "title":
      return { type: "title", title: storedValue(stored, { id, type: "title" }) ?? [] };
    case "rich_text":
      return { type: "rich_text", rich_text: storedValue(stored, { id, type: "rich_text" }) ?? [] };
    case "number":
      return { type: "number", number: storedValue(stored, { id, type: "number" }) ?? null };
    case "select":
      return {
        type: "select",
        select: optionValue(property.options, storedValue(stored, { id, type: "select" })),
      };
    case "status":
      return {
        type: "status",
        status: optionValue(property.options, storedValue(stored, { id, type: "status" })),
      };
    case "multi_select": {
      const ids = storedValue(stored, { id, type: "multi_select" }) ?? [];
      const options = ids.map((each) => optionValue(property.options, each));
      return { type: "multi_select", multi_select: options.filter((option) => option !== null) };
    }
    case "date":
      return { type: "date", date: storedValue(stored, { id, type: "date" }) ?? null };
    case "people":
      return { type: "people", people: (storedValue(stored, { id, type: "people" }) ?? []).map(user) };
    case "files":
      return { type: "files", files: storedValue(stored, { id, type: "files" }) ?? [] };
    case "checkbox":
      return { type: "checkbox", checkbox: storedValue(stored, { id, type: "checkbox" }) ?? false };
    case "url":
      return { type: "url", url: storedValue(stored, { id, type: "url" }) ?? null };
    case "email":
      return { type: "email", email: storedValue(stored, { id, type: "email" }) ?? null };
    case "phone_number":
      return {
        type: "phone_number",
        phone_number: storedValue(stored, { id, type: "phone_number" }) ?? null,
      };
    case "created_time":
      return { type: "created_time", created_time: new Date(page.createdTime).toISOString() };
    case "created_by":
      return { type: "created_by", created_by: user(page.createdBy) };
    case "last_edited_time":
      return { type: "last_edited_time", last_edited_time: new Date(page.lastEditedTime).toISOString() };
    case "last_edited_by":
      return { type: "last_edited_by", last_edited_by: user(page.lastEditedBy) };
    case "unique_id": {
      const number = storedValue(stored, { id, type: "unique_id" }) ?? null;
      return { type: "unique_id", unique_id: { prefix: property.prefix, number } };
    }
    case "relation": {
      const { pageIds, hasMore } = links(property);
      return { type: "relation", relation: pageIds.map((pageId) => ({ id: pageId })), has_more: hasMore };
    }
  }
}

function optionValue(options: readonly Option[], id: string | undefined): OptionValue | null {
  const option = id === undefined ? undefined : options.find((each) => each.id === id);
  return option === undefined ? null : { id: option.id, name: option.name, color: option.color };
}
