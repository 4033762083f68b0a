import { DomainError, createValidationError } from "../errors.js";
import { MAX_PAGE_BYTES } from "../../budgets.js";
import {
  findPropertyByNameFirst,
  createSchema,
  type DefinitionOf,
  type PropertyDefinition,
  type Schema,
} from "../schema.js";
import { OptionList } from "./options.js";
import { parseLinks, parseValue } from "./parse-value.js";
import { checkSchemaSize } from "./schema-size.js";
import type { StoredProperties, StoredValue } from "./stored-values.js";
import { abbreviate } from "../text.js";

const MAX_PROBLEMS = 20;

/** Property values of a page after a create or update request, and what the request changes. */
export interface AppliedProperties {
  /** The schema with the options that the request adds, or the same schema when it adds none. */
  readonly schema: Schema;
  /** The values to store. Users in them may not exist. */
  readonly stored: StoredProperties;
  /** The properties that the request changes or clears. */
  readonly changedProperties: readonly PropertyDefinition[];
  /** Ids of the linked pages of each relation that the request changes. The pages may not exist. */
  readonly links: ReadonlyMap<DefinitionOf<"relation">, readonly string[]>;
}

/**
 * Applies the `properties` of a create or update request to the stored values of a page. Their keys are names or ids of
 * properties. Throws a DomainError (validation) that lists unknown properties and invalid values.
 */
export function applyProperties(
  schema: Schema,
  current: StoredProperties,
  changes: Readonly<Record<string, unknown>>,
): AppliedProperties {
  const keys = new Map<PropertyDefinition, string>();
  const stored: Record<string, StoredValue> = { ...current };
  const links = new Map<DefinitionOf<"relation">, readonly string[]>();
  /** Option lists to which the request adds options, by the id of the property. */
  const changedOptions = new Map<string, OptionList>();
  const problems: string[] = [];
  for (const [key, input] of Object.entries(changes)) {
    const property = findPropertyByNameFirst(schema, key);
    const earlierKey = property && keys.get(property);
    // Not thrown, because there can be 30,000 unknown keys, and the stack trace of an error takes 4 µs.
    if (property === undefined) problems.push(`${abbreviate(key)} is not a property that exists.`);
    else if (earlierKey !== undefined)
      problems.push(`${abbreviate(earlierKey)} and ${abbreviate(key)} name the same property.`);
    else {
      keys.set(property, key);
      try {
        setValue(property, input);
      } catch (error) {
        // Collected, so that one response reports several problems.
        if (!(error instanceof DomainError)) throw error;
        problems.push(error.message);
      }
    }
  }
  if (problems.length > 0) throw createValidationError(summarize(problems));
  checkSize(stored, schema);
  return {
    schema: replaceOptions(schema, changedOptions),
    stored,
    changedProperties: [...keys.keys()],
    links,
  };

  /** Sets or clears the value of a property. Throws a DomainError (validation) for an invalid value. */
  function setValue(property: PropertyDefinition, input: unknown): void {
    if (property.type === "relation") {
      links.set(property, parseLinks(property, input));
      return;
    }
    const { id } = property;
    const options = "options" in property ? property.options : undefined;
    const optionList = options && new OptionList(options);
    const value = parseValue(property, input, optionList);
    if (value === null) delete stored[id];
    else stored[id] = value;
    // An addition replaces the list by a longer one.
    if (optionList !== undefined && optionList.options !== options) changedOptions.set(id, optionList);
  }
}

function summarize(problems: readonly string[]): string {
  const more = problems.length - MAX_PROBLEMS;
  const shown = problems.slice(0, MAX_PROBLEMS).join(" ");
  return more <= 0 ? shown : `${shown} And ${more} more.`;
}

/** Checks the size of the values of a page. Throws a DomainError (validation) when they take more than MAX_PAGE_BYTES. */
function checkSize(stored: StoredProperties, { byId }: Schema): void {
  // Values of removed and converted properties remain stored until a job deletes them. They do not count.
  const shown = Object.entries(stored).filter(([id]) => byId.has(id));
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(shown)));
  if (bytes <= MAX_PAGE_BYTES) return;
  throw createValidationError(
    `body failed validation: body.properties should leave the page with ≤ \`${MAX_PAGE_BYTES}\` bytes, instead it would have \`${bytes}\`. Shorten or clear some properties.`,
  );
}

/** Returns the schema with the changed options; the same schema when there are none. */
function replaceOptions(schema: Schema, changedOptions: ReadonlyMap<string, OptionList>): Schema {
  if (changedOptions.size === 0) return schema;
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
