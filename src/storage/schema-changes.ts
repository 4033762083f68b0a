import type { Kysely } from "kysely";
import type { PropertyInput } from "../domain/properties/schema-input.js";
import {
  planSchema,
  relatedDatabaseIds,
  type PlannedDatabase,
  type SchemaPlan,
  type TwinChange,
} from "../domain/properties/schema-plan.js";
import type { RelatedDatabase } from "../domain/properties/schema-config.js";
import { plainText } from "../domain/properties/text.js";
import { makeSchema, type Schema } from "../domain/schema.js";
import { convertValues } from "./convert-values.js";
import { mirrorLinks } from "./relations.js";
import { formatSchema, parseSchema } from "./schema-cache.js";
import type { Tables } from "./tables.js";

const NOTHING = makeSchema([]);

/** Who changes something, and when. */
export interface Edit {
  /** The id of the user. */
  readonly by: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/**
 * Works out what a request's `properties` make of a database, see planSchema.
 *
 * @param schema what the database has so far; left out for a new one
 * @throws DomainError as planSchema does
 */
export async function planSchemaChange(
  tx: Kysely<Tables>,
  workspaceId: string,
  database: PlannedDatabase,
  schema: Schema | undefined,
  inputs: Readonly<Record<string, PropertyInput | null>>,
): Promise<SchemaPlan> {
  const before = schema ?? NOTHING;
  const related = await loadRelated(tx, workspaceId, [...relatedDatabaseIds(before, inputs)]);
  return planSchema(database, before, inputs, related);
}

/**
 * Carries out a plan: converts the values of the pages, changes the databases on the other side of relations, and stores
 * the properties of the database, whose row must be there.
 *
 * @returns the properties as they are now: conversion can bring in options
 */
export async function applySchemaPlan(
  tx: Kysely<Tables>,
  workspaceId: string,
  databaseId: string,
  plan: SchemaPlan,
  edit: Edit,
): Promise<Schema> {
  for (const change of plan.twins) await changeTwin(tx, workspaceId, change, edit);
  const converted = await convertValues(tx, workspaceId, databaseId, plan);
  const schema = makeSchema(
    plan.schema.definitions.map((definition) => converted.get(definition.id) ?? definition),
  );
  await storeSchema(tx, workspaceId, databaseId, schema, edit);
  for (const relation of plan.mirrored) await mirrorLinks(tx, workspaceId, databaseId, relation);
  return schema;
}

/** Replaces the properties of a database that exists. */
export async function storeSchema(
  tx: Kysely<Tables>,
  workspaceId: string,
  databaseId: string,
  schema: Schema,
  edit: Edit,
): Promise<void> {
  await tx
    .updateTable("databases")
    .set((row) => ({
      properties: formatSchema(schema),
      last_edited_time: edit.at,
      last_edited_by: edit.by,
      version: row("version", "+", 1),
    }))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", databaseId)
    .execute();
}

/** Reads the titles and properties of databases, by id; those that there are. */
export async function loadRelated(
  db: Kysely<Tables>,
  workspaceId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, RelatedDatabase>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("databases")
    .select(["id", "title", "properties"])
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  return new Map(
    rows.map((row) => [
      row.id,
      { title: plainText(JSON.parse(row.title)), schema: parseSchema(row.properties) },
    ]),
  );
}

async function changeTwin(
  tx: Kysely<Tables>,
  workspaceId: string,
  change: TwinChange,
  edit: Edit,
): Promise<void> {
  const { databaseId } = change;
  const { schema } = (await loadRelated(tx, workspaceId, [databaseId])).get(databaseId) ?? {};
  if (schema === undefined) return;
  const definitions =
    change.kind === "add"
      ? [...schema.definitions, change.twin]
      : schema.definitions.map((definition) =>
          definition.id === change.propertyId && definition.type === "relation"
            ? { ...definition, twin: null }
            : definition,
        );
  await storeSchema(tx, workspaceId, databaseId, makeSchema(definitions), edit);
}
