import { DomainError, createValidationError } from "../errors.js";
import { MAX_PAGE_BYTES } from "../../budgets.js";
import { findProperty, createSchema, type PropertyDefinition, type Schema } from "../schema.js";
import { OptionList } from "./options.js";
import { type NewValue, parseValue } from "./parse-value.js";
import { checkSchemaSize } from "./schema-size.js";
import type { StoredProperties, StoredValue } from "./stored-values.js";
import { abbreviate } from "../text.js";

const MAX_PROBLEMS = 20;

/** Property values of a page after a create or update request, and what the request changes. */
export interface PropertyEdit {
  /** The schema with the options that the request adds, or the same schema when it adds none. */
  readonly schema: Schema;
  readonly stored: StoredProperties;
  /** The properties that the request changes or clears. */
  readonly edited: readonly PropertyDefinition[];
  /** Ids of the linked pages, by the id of each relation that the request changes. The pages may not exist. */
  readonly links: ReadonlyMap<string, readonly string[]>;
  /** Ids of the users in the changed people properties. The users may not exist. */
  readonly userIds: ReadonlySet<string>;
}

/**
 * Applies the `properties` of a create or update request to the stored values of a page. Their keys are names or ids of
 * properties. Throws a DomainError (validation) that lists unknown properties and invalid values.
 */
export function applyProperties(
  schema: Schema,
  current: StoredProperties,
  changes: Readonly<Record<string, unknown>>,
): PropertyEdit {
  const stored: Record<string, StoredValue> = { ...current };
  const keysInRequest = new Map<PropertyDefinition, string>();
  const links = new Map<string, readonly string[]>();
  const userIds = new Set<string>();
  const changedOptions = new Map<string, OptionList>();
  const problems: string[] = [];

  for (const [key, input] of Object.entries(changes)) {
    const property = findProperty(schema, key);
    if (property === undefined) {
      problems.push(`${abbreviate(key)} is not a property that exists.`);
      continue;
    }
    const earlierKey = keysInRequest.get(property);
    if (earlierKey !== undefined) {
      problems.push(`${abbreviate(earlierKey)} and ${abbreviate(key)} name the same property.`);
      continue;
    }
    keysInRequest.set(property, key);

    const optionList = "options" in property ? new OptionList(property.options) : undefined;
    let read: NewValue;
    try {
      read = parseValue(property, input, optionList);
    } catch (error) {
      // Collected, so that one response reports several problems.
      if (!(error instanceof DomainError)) throw error;
      problems.push(error.message);
      continue;
    }
    if ("pageIds" in read) {
      links.set(property.id, read.pageIds);
    } else if (read.value === null) {
      delete stored[property.id];
    } else {
      stored[property.id] = read.value;
      if (property.type === "people" && Array.isArray(read.value)) {
        for (const id of read.value) userIds.add(String(id));
      }
      if (optionList?.hasAdditions === true) changedOptions.set(property.id, optionList);
    }
  }

  if (problems.length > 0) throw createValidationError(summarize(problems));
  checkSize(stored, schema);
  return {
    schema: changedOptions.size === 0 ? schema : replaceOptions(schema, changedOptions),
    stored,
    edited: [...keysInRequest.keys()],
    links,
    userIds,
  };
}

function summarize(problems: readonly string[]): string {
  const more = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS).join(" ");
  return more <= 0 ? shown : `${shown} And ${more} more.`;
}

/** @throws DomainError (validation) when the values of a page take more than MAX_PAGE_BYTES. */
function checkSize(stored: StoredProperties, { byId }: Schema): void {
  // A UTF-16 unit takes at most three bytes in UTF-8.
  if (JSON.stringify(stored).length * 3 <= MAX_PAGE_BYTES) return;
  // Values of removed and converted properties remain stored until a job deletes them. They do not count.
  const shown = Object.entries(stored).filter(([id]) => byId.has(id));
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(shown)));
  if (bytes <= MAX_PAGE_BYTES) return;
  throw createValidationError(
    `body failed validation: body.properties should leave the page with ≤ \`${MAX_PAGE_BYTES}\` bytes, instead it would have \`${bytes}\`. Shorten or clear some properties.`,
  );
}

function replaceOptions(schema: Schema, changedOptions: ReadonlyMap<string, OptionList>): Schema {
  const changed = createSchema(
    schema.definitions.map((definition) => {
      const optionList = changedOptions.get(definition.id);
      return optionList !== undefined && "options" in definition
        ? { ...definition, options: optionList.options }
        : definition;
    }),
  );
  checkSchemaSize(changed);
  return changed;
}
