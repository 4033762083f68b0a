import { DomainError } from "./errors.js";
import { isRichTextInput, toRichText, type RichText } from "./rich-text.js";
import { findProperty, type PropertyDefinition, type PropertyType, type Schema } from "./schema.js";

/** What is stored for one property of one page; its type is that of the property. */
export type StoredValue = RichText[] | number | boolean;

/** What is stored for a page: property id to value. A property that is not set has no entry. */
export type StoredProperties = Readonly<Record<string, StoredValue>>;

/** The value of one property as responses show it. */
export type PropertyValue =
  | { id: string; type: "title"; title: RichText[] }
  | { id: string; type: "rich_text"; rich_text: RichText[] }
  | { id: string; type: "number"; number: number | null }
  | { id: string; type: "checkbox"; checkbox: boolean };

/**
 * Applies the `properties` of a create or update request.
 *
 * @param schema The properties of the page's database.
 * @param current What is stored so far; `{}` for a new page. It is not changed.
 * @param changes Property name or id to new value: `{title: [...]}`, with `type`, `id` and `name` as
 *   responses have them or without, or the bare value. `null`, bare or inside, clears the property.
 * @returns What is to be stored: `current` with the properties of `changes` replaced.
 * @throws DomainError (validation) that names every key that is not in the schema or has a value of
 *   another type.
 */
export function applyProperties(
  schema: Schema,
  current: StoredProperties,
  changes: Readonly<Record<string, unknown>>,
): StoredProperties {
  const result = { ...current };
  const keyOf = new Map<PropertyDefinition, string>();
  const problems: string[] = [];

  for (const [key, input] of Object.entries(changes)) {
    const property = findProperty(schema, key);
    if (property === undefined) {
      problems.push(`${key} is not a property that exists.`);
      continue;
    }
    const earlierKey = keyOf.get(property);
    if (earlierKey !== undefined) {
      problems.push(`${earlierKey} and ${key} name the same property.`);
      continue;
    }
    keyOf.set(property, key);

    const value = readValue(property.type, input);
    if (value === undefined) {
      problems.push(`${property.name} is expected to be ${property.type}.`);
    } else if (value === null) {
      delete result[property.id];
    } else {
      result[property.id] = value;
    }
  }

  if (problems.length > 0) throw new DomainError("validation", problems.join(" "));
  return result;
}

/** The value to store; null when the property is to be cleared; undefined when the input is of another type. */
function readValue(type: PropertyType, input: unknown): StoredValue | null | undefined {
  const bare = unwrap(type, input);
  if (bare === null) return null;
  switch (type) {
    case "title":
    case "rich_text":
      return isRichTextInput(bare) ? bare.map(toRichText) : undefined;
    case "number":
      return typeof bare === "number" ? bare : undefined;
    case "checkbox":
      return typeof bare === "boolean" ? bare : undefined;
    default:
      throw new Error(`values of the type ${type} cannot be written yet`);
  }
}

/** Takes the bare value out of `{type, [type]: value}`; undefined when the wrapping is that of another type. */
function unwrap(type: PropertyType, input: unknown): unknown {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return input;
  let value: unknown;
  for (const [key, member] of Object.entries(input)) {
    if (key === type) value = member;
    else if (key === "type" ? member !== type : key !== "id" && key !== "name") return undefined;
  }
  return value;
}

/**
 * Renders the properties of a page as responses show them: every property of the schema, in its order, with
 * the empty value of its type where nothing is stored.
 */
export function renderProperties(schema: Schema, stored: StoredProperties): Record<string, PropertyValue> {
  const result: Record<string, PropertyValue> = {};
  for (const property of schema.definitions) {
    const value = renderValue(property, stored[property.id]);
    if (property.name === "__proto__") {
      // An assignment would set the prototype and lose the property.
      Object.defineProperty(result, property.name, { value, enumerable: true });
    } else {
      result[property.name] = value;
    }
  }
  return result;
}

function renderValue(property: PropertyDefinition, stored: StoredValue | undefined): PropertyValue {
  const id = encodeURIComponent(property.id);
  switch (property.type) {
    case "title":
      return { id, type: "title", title: Array.isArray(stored) ? stored : [] };
    case "rich_text":
      return { id, type: "rich_text", rich_text: Array.isArray(stored) ? stored : [] };
    case "number":
      return { id, type: "number", number: typeof stored === "number" ? stored : null };
    case "checkbox":
      return { id, type: "checkbox", checkbox: stored === true };
    default:
      throw new Error(`values of the type ${property.type} cannot be shown yet`);
  }
}
