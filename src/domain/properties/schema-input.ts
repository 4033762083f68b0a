import type { components } from "../../../generated/types.js";
import { createValidationError } from "../errors.js";
import type { PropertyType } from "../schema.js";
import { abbreviate } from "../truncate.js";

/** An option in a request. */
export type OptionInput = components["schemas"]["OptionInput"];

/** A property of a database in a request: its configuration under the name of its type. */
export type PropertyInput = NonNullable<components["schemas"]["DatabasePropertyInput"]>;

/** Every type that a property can have. The compiler checks that none is missing. */
const TYPE_SET: Readonly<Record<PropertyType, true>> = {
  title: true,
  rich_text: true,
  number: true,
  select: true,
  multi_select: true,
  status: true,
  date: true,
  people: true,
  files: true,
  checkbox: true,
  url: true,
  email: true,
  phone_number: true,
  relation: true,
  rollup: true,
  unique_id: true,
  created_time: true,
  created_by: true,
  last_edited_time: true,
  last_edited_by: true,
};

// The cast: Object.keys does not keep the type of the keys.
const TYPES = Object.keys(TYPE_SET) as PropertyType[];

/**
 * Reads the type of a property; undefined when the request only renames or describes it.
 *
 * @throws DomainError (validation) for several types or an unsupported one
 */
export function readType(key: string, input: PropertyInput): PropertyType | undefined {
  if (input.formula !== undefined || input.type === "formula") {
    throw createValidationError(
      `${abbreviate(key)} is a formula. This service does not evaluate formulas, so properties of the type formula cannot be created.`,
    );
  }
  const configured = TYPES.filter((type) => input[type] !== undefined);
  if (configured.length > 1) {
    throw createValidationError(`${abbreviate(key)} has several types: ${configured.join(", ")}. Give one.`);
  }
  const [type] = configured;
  if (input.type === undefined || input.type === type) return type;
  const named = TYPES.find((each) => each === input.type);
  if (named === undefined || type !== undefined) {
    throw createValidationError(`${abbreviate(key)} is expected to be ${input.type}.`);
  }
  return named;
}
