import type { Kysely } from "kysely";
import { createConverter, type Converter } from "../domain/properties/convert.js";
import type { Conversion, SchemaPlan } from "../domain/properties/schema-plan.js";
import type { ValueSource } from "../domain/properties/render.js";
import type { StoredProperties, StoredValue } from "../domain/properties/stored.js";
import type { PropertyDefinition } from "../domain/schema.js";
import { deleteValues, insertValues } from "./property-values.js";
import type { Tables } from "./tables.js";

/** How many pages are in memory at once. */
const BATCH = 500;

/**
 * Converts the values of all pages of a database as a plan says, those of pages in the trash too, and gives the pages
 * numbers for a unique id that is new.
 *
 * @returns the properties that were converted, by id: conversion can bring in options
 */
export async function convertValues(
  tx: Kysely<Tables>,
  workspaceId: string,
  databaseId: string,
  { conversions, numbered }: SchemaPlan,
): Promise<ReadonlyMap<string, PropertyDefinition>> {
  if (conversions.length === 0 && numbered === null) return new Map();
  const steps = await makeSteps(tx, workspaceId, conversions);
  let lastNumber = numbered === null ? 0 : await readLastNumber(tx, workspaceId, databaseId);
  const convert = (page: StoredPage): StoredProperties => {
    const properties: Record<string, StoredValue> = { ...page.properties };
    for (const { propertyId, converter } of steps) {
      const value = converter.convert(page);
      if (value === undefined) delete properties[propertyId];
      else properties[propertyId] = value;
    }
    if (numbered !== null) properties[numbered.id] = lastNumber += 1;
    return properties;
  };

  const touched = [...steps.map((step) => step.propertyId), ...(numbered === null ? [] : [numbered.id])];
  for await (const pages of readPages(tx, workspaceId, databaseId)) {
    const converted = pages.map((page) => ({ id: page.id, databaseId, properties: convert(page) }));
    for (const [index, { id, properties }] of converted.entries()) {
      const text = JSON.stringify(properties);
      if (text !== pages[index]?.text) await storeProperties(tx, workspaceId, id, text);
    }
    const ids = converted.map((page) => page.id);
    await deleteValues(tx, workspaceId, ids, touched);
    const definitions = steps.flatMap(({ converter }) => converter.definition ?? []);
    await insertValues(
      tx,
      workspaceId,
      converted,
      numbered === null ? definitions : [...definitions, numbered],
    );
  }
  if (numbered !== null) await storeLastNumber(tx, workspaceId, databaseId, lastNumber);
  const definitions = steps.flatMap(({ converter }) => converter.definition ?? []);
  return new Map(definitions.map((definition) => [definition.id, definition]));
}

interface Step {
  readonly propertyId: string;
  readonly converter: Converter;
}

async function makeSteps(
  tx: Kysely<Tables>,
  workspaceId: string,
  conversions: readonly Conversion[],
): Promise<Step[]> {
  if (conversions.length === 0) return [];
  const users = await tx
    .selectFrom("users")
    .select(["id", "name"])
    .where("workspace_id", "=", workspaceId)
    .execute();
  const names = new Map(users.map((user) => [user.id, user.name]));
  return conversions
    .filter(({ to }) => to?.type !== "unique_id")
    .map(({ from, to }) => ({
      propertyId: from.id,
      converter: createConverter(from, to, (id) => names.get(id)),
    }));
}

/** A page as conversion sees it. */
interface StoredPage extends ValueSource {
  readonly id: string;
  /** The properties as the text that is stored. */
  readonly text: string;
}

/** The pages of a database in the order in which they were created, in batches. */
async function* readPages(
  tx: Kysely<Tables>,
  workspaceId: string,
  databaseId: string,
): AsyncGenerator<StoredPage[]> {
  let after = "";
  for (;;) {
    const rows = await tx
      .selectFrom("pages")
      .select(["id", "created_time", "created_by", "last_edited_time", "last_edited_by", "properties"])
      .where("workspace_id", "=", workspaceId)
      .where("parent_id", "=", databaseId)
      .where("id", ">", after)
      .orderBy("id")
      .limit(BATCH)
      .execute();
    yield rows.map((row) => ({
      id: row.id,
      createdTime: row.created_time,
      createdBy: row.created_by,
      lastEditedTime: row.last_edited_time,
      lastEditedBy: row.last_edited_by,
      properties: JSON.parse(row.properties),
      text: row.properties,
    }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.id;
  }
}

async function storeProperties(
  tx: Kysely<Tables>,
  workspaceId: string,
  pageId: string,
  properties: string,
): Promise<void> {
  await tx
    .updateTable("pages")
    .set((row) => ({ properties, version: row("version", "+", 1) }))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", pageId)
    .execute();
}

async function readLastNumber(tx: Kysely<Tables>, workspaceId: string, databaseId: string): Promise<number> {
  const row = await tx
    .selectFrom("databases")
    .select("last_unique_number")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", databaseId)
    .executeTakeFirst();
  return row?.last_unique_number ?? 0;
}

async function storeLastNumber(
  tx: Kysely<Tables>,
  workspaceId: string,
  databaseId: string,
  number: number,
): Promise<void> {
  await tx
    .updateTable("databases")
    .set({ last_unique_number: number })
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", databaseId)
    .execute();
}
