import { DomainError } from "../errors.js";
import { findProperty, makeSchema, type PropertyDefinition, type Schema } from "../schema.js";
import { OptionList } from "./options.js";
import { readValue } from "./read-value.js";
import { Refusal } from "./refusal.js";
import type { StoredProperties, StoredValue } from "./stored.js";

/** What a request's `properties` make of a page. */
export interface PropertyEdit {
  /** With the options that the request brought in; the one that was given when it brought none. */
  readonly schema: Schema;
  /** All of what is to be stored for the page. */
  readonly stored: StoredProperties;
  /** The properties that have a new value, or none any more. */
  readonly edited: readonly PropertyDefinition[];
  /** The pages that each relation among them is to lead to; that they exist has not been checked. */
  readonly links: ReadonlyMap<DefinitionId, readonly string[]>;
  /** The users that people properties name now; that they exist has not been checked. */
  readonly userIds: ReadonlySet<string>;
}

type DefinitionId = PropertyDefinition["id"];

/**
 * Applies the `properties` of a create or update request.
 *
 * @param schema The properties of the page's database.
 * @param current What is stored so far; `{}` for a new page. It is not changed.
 * @param changes Property name or id to new value, in the forms that readValue takes.
 * @throws DomainError (validation) that names every key that is not in the schema or has a value that cannot be taken.
 */
export function applyProperties(
  schema: Schema,
  current: StoredProperties,
  changes: Readonly<Record<string, unknown>>,
): PropertyEdit {
  const stored: Record<string, StoredValue> = { ...current };
  const keyOf = new Map<PropertyDefinition, string>();
  const links = new Map<string, readonly string[]>();
  const userIds = new Set<string>();
  const lists = new Map<string, OptionList>();
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

    const list = "options" in property ? new OptionList(property.options) : undefined;
    const read = readValue(property, input, list);
    if (read instanceof Refusal) {
      problems.push(read.sentence);
    } else if ("pageIds" in read) {
      links.set(property.id, read.pageIds);
    } else if (read.value === null) {
      delete stored[property.id];
    } else {
      stored[property.id] = read.value;
      if (property.type === "people" && Array.isArray(read.value)) {
        for (const id of read.value) userIds.add(String(id));
      }
      if (list?.added === true) lists.set(property.id, list);
    }
  }

  if (problems.length > 0) throw new DomainError("validation", problems.join(" "));
  return {
    schema: lists.size === 0 ? schema : withOptions(schema, lists),
    stored,
    edited: [...keyOf.keys()],
    links,
    userIds,
  };
}

function withOptions(schema: Schema, lists: ReadonlyMap<string, OptionList>): Schema {
  return makeSchema(
    schema.definitions.map((definition) => {
      const list = lists.get(definition.id);
      return list !== undefined && "options" in definition
        ? { ...definition, options: list.options }
        : definition;
    }),
  );
}
