import { DomainError } from "../errors.js";
import { isObject } from "../properties/refusal.js";
import { findProperty, type PropertyDefinition, type Schema } from "../schema.js";
import type { RollupSource, TimeColumn, UserColumn } from "./condition.js";
import { shapeError } from "./refuse.js";
import { findSource, rollupKind, type RelatedSchemas } from "./rollup.js";

/** What pages are sorted by. */
export type SortKey =
  | { readonly kind: "time"; readonly column: TimeColumn }
  /** The name of a user. */
  | { readonly kind: "user"; readonly column: UserColumn }
  /** The only value of the property, or the first: a text, or a number (of an option its rank). */
  | { readonly kind: "text" | "number"; readonly propertyId: string; readonly single: boolean }
  | { readonly kind: "checkbox"; readonly propertyId: string }
  /** The name of the first of the people. */
  | { readonly kind: "people"; readonly propertyId: string }
  /** The title of the first of the pages. */
  | { readonly kind: "relation"; readonly propertyId: string }
  | { readonly kind: "rollup"; readonly source: RollupSource }
  /** All pages alike: what the key was computed from is gone, or is many values. */
  | { readonly kind: "none" };

export interface Sort {
  readonly key: SortKey;
  readonly descending: boolean;
}

/**
 * Reads the sorts of a query; earlier ones take precedence.
 *
 * @param input as the request has it, its shape checked against the document
 * @param related schemas of the databases that rollups lead to, see rollupDatabases
 * @throws DomainError (validation) when one names a property that the database does not have, or is not built as sorts
 *   are
 */
export function readSorts(input: readonly unknown[], schema: Schema, related: RelatedSchemas): Sort[] {
  return input.map((sort, index) => readSort(sort, `body.sorts[${index}]`, schema, related));
}

function readSort(input: unknown, place: string, schema: Schema, related: RelatedSchemas): Sort {
  if (!isObject(input)) throw shapeError(place, "an object", input);
  const { property: name, timestamp, direction } = input;
  if (direction !== "ascending" && direction !== "descending") {
    throw shapeError(`${place}.direction`, '`"ascending"` or `"descending"`', direction);
  }
  const descending = direction === "descending";
  if (timestamp !== undefined) {
    if (name !== undefined) throw shapeError(`${place}.property`, "not present", name);
    if (timestamp !== "created_time" && timestamp !== "last_edited_time") {
      throw shapeError(`${place}.timestamp`, '`"created_time"` or `"last_edited_time"`', timestamp);
    }
    return { key: { kind: "time", column: timestamp }, descending };
  }
  if (name === undefined) throw shapeError(`${place}.property`, "defined", name);
  if (typeof name !== "string") throw shapeError(`${place}.property`, "a string", name);
  const property = findProperty(schema, name);
  if (property === undefined) {
    throw new DomainError("validation", `Could not find sort property with name or id: ${name}`);
  }
  return { key: keyOf(property, schema, related), descending };
}

function keyOf(property: PropertyDefinition, schema: Schema, related: RelatedSchemas): SortKey {
  const { id: propertyId } = property;
  switch (property.type) {
    case "created_time":
    case "last_edited_time":
      return { kind: "time", column: property.type };
    case "created_by":
    case "last_edited_by":
      return { kind: "user", column: property.type };
    case "title":
    case "rich_text":
    case "url":
    case "email":
    case "phone_number":
      return { kind: "text", propertyId, single: true };
    case "files":
      return { kind: "text", propertyId, single: false };
    case "number":
    case "unique_id":
    case "date":
    case "select":
    case "status":
      return { kind: "number", propertyId, single: true };
    case "multi_select":
      return { kind: "number", propertyId, single: false };
    case "checkbox":
    case "people":
    case "relation":
      return { kind: property.type, propertyId };
    case "rollup": {
      const source = findSource(property, schema, related);
      return source === undefined || rollupKind(property.function) === "array"
        ? { kind: "none" }
        : { kind: "rollup", source };
    }
  }
}
