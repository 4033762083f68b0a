import { MAX_PROPERTIES, MAX_RELATIONS, MAX_SCHEMA_CHARACTERS } from "../../budgets.js";
import { createValidationError } from "../errors.js";
import type { Schema } from "../schema.js";

/** Checks the number of properties of a database, or of a request. Throws a DomainError (validation). */
export function checkPropertyCount(count: number): void {
  if (count <= MAX_PROPERTIES) return;
  throw createValidationError(
    `A database can have at most ${MAX_PROPERTIES} properties, not ${count}. Use several databases with relations.`,
  );
}

/** Checks the number of relations of a database, or of a request, as planning one takes time. Throws a DomainError (validation). */
export function checkRelationCount(count: number): void {
  if (count <= MAX_RELATIONS) return;
  throw createValidationError(
    `A database can have at most ${MAX_RELATIONS} relations, not ${count}. The other side of a two-way relation counts too.`,
  );
}

/** Checks the size of a changed schema, which each write that adds an option stores. Throws a DomainError (validation). */
export function checkSchemaSize({ definitions }: Pick<Schema, "definitions">): void {
  checkPropertyCount(definitions.length);
  checkRelationCount(definitions.filter(({ type }) => type === "relation").length);
  const { length } = JSON.stringify(definitions);
  if (length > MAX_SCHEMA_CHARACTERS) {
    throw createValidationError(
      `The properties and options of the database would have ${length} characters as JSON. ` +
        `Use at most ${MAX_SCHEMA_CHARACTERS}: fewer or shorter options, or a text instead of a select.`,
    );
  }
}
