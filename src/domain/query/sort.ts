import type { Schemas } from "../api-schemas.js";
import { createInvalidValueError, createValidationError } from "../errors.js";
import { findPropertyByNameFirst, type PropertyDefinition, VALUE_TRAITS } from "../schema.js";
import type { RollupSource, TimeColumn, UserColumn } from "./condition.js";
import { getRollupResultType } from "../properties/compute-rollup.js";
import { findRollupSource, type RollupContext } from "./rollup-source.js";
import { abbreviate } from "../text.js";

export type SortKey =
  | { readonly kind: "time"; readonly column: TimeColumn }
  | { readonly kind: "user"; readonly column: UserColumn }
  /** Sorts by the first element of the value: a person by the name, and a linked page by the title. */
  | {
      readonly kind: "text" | "number" | "checkbox" | "people" | "relation";
      readonly property: PropertyDefinition;
    }
  | { readonly kind: "rollup"; readonly source: RollupSource };

export interface Sort {
  readonly key: SortKey;
  readonly descending: boolean;
}

/** Parses sorts. Omits repeated keys, and rollups without a single value. Throws a DomainError (validation) for unknown properties. */
export function parseSorts(input: readonly Schemas["Sort"][], context: RollupContext): Sort[] {
  const sorts = input.flatMap((sort, index) => parseSort(sort, `body.sorts[${index}]`, context) ?? []);
  const names = sorts.map(({ key }) => JSON.stringify(getKeyName(key)));
  return sorts.filter((_, index) => names.indexOf(names[index] ?? "") === index);
}

/** Returns a unique name of a sort key. */
export function getKeyName(key: SortKey): string[] {
  switch (key.kind) {
    case "time":
    case "user":
      return [key.kind, key.column];
    case "rollup":
      return [key.kind, key.source.rollup.id, key.source.rollup.function];
    default:
      return [key.kind, key.property.id];
  }
}

function parseSort(
  { property: name, timestamp, direction }: Schemas["Sort"],
  path: string,
  context: RollupContext,
): Sort | undefined {
  const descending = direction === "descending";
  if (timestamp !== undefined) {
    if (name !== undefined) throw createInvalidValueError(`${path}.property`, "not present", name);
    return { key: { kind: "time", column: timestamp }, descending };
  }
  if (name === undefined) throw createInvalidValueError(`${path}.property`, "defined", name);
  const property = findPropertyByNameFirst(context.schema, name);
  if (property === undefined) {
    throw createValidationError(`Could not find sort property with name or id: ${abbreviate(name)}`);
  }
  const key = toSortKey(property, context);
  return key && { key, descending };
}

function toSortKey(property: PropertyDefinition, context: RollupContext): SortKey | undefined {
  switch (property.type) {
    case "created_time":
    case "last_edited_time":
      return { kind: "time", column: property.type };
    case "created_by":
    case "last_edited_by":
      return { kind: "user", column: property.type };
    case "rollup": {
      const source = findRollupSource(property, context);
      return source === undefined || getRollupResultType(property.function) === "array"
        ? undefined
        : { kind: "rollup", source };
    }
  }
  switch (VALUE_TRAITS[property.type].kind) {
    case "text":
    case "file":
      return { kind: "text", property };
    case "number":
    // Dates sort by their start, and options by their rank.
    case "time":
    case "option":
      return { kind: "number", property };
    case "checkbox":
      return { kind: "checkbox", property };
    case "user":
      return { kind: "people", property };
    case "page":
      return { kind: "relation", property };
  }
}
