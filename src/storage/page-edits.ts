import type { Kysely } from "kysely";
import { notFound } from "../domain/errors.js";
import type { Page } from "../domain/page.js";
import type { PropertyEdit } from "../domain/properties/apply.js";
import type { PropertyDefinition, Schema } from "../domain/schema.js";
import { insertPage, updatePage } from "./pages.js";
import { insertValues, replaceValues } from "./property-values.js";
import { setLinks } from "./relations.js";
import { storeSchema } from "./schema-changes.js";
import type { Tables } from "./tables.js";

/**
 * Adds a page with the values that a request gave it.
 *
 * @param schema what the page's database had before the request
 * @throws DomainError (not_found) for users and pages that there are not, (validation) for pages of another database
 */
export async function addPage(
  tx: Kysely<Tables>,
  workspaceId: string,
  page: Page,
  schema: Schema,
  edit: PropertyEdit,
): Promise<void> {
  await insertPage(tx, workspaceId, page);
  if (page.parent.type !== "database_id") return;
  const indexed = { id: page.id, databaseId: page.parent.id, properties: page.properties };
  await insertValues(tx, workspaceId, [indexed], edit.schema.definitions);
  await storeReferences(tx, workspaceId, page, page.parent.id, schema, edit);
}

/**
 * Stores a page with the values that a request changed; its version grows by one.
 *
 * @param schema what the page's database had before the request
 * @throws DomainError as addPage does
 */
export async function editPage(
  tx: Kysely<Tables>,
  workspaceId: string,
  page: Page,
  schema: Schema,
  edit: PropertyEdit,
): Promise<void> {
  await updatePage(tx, workspaceId, page);
  if (page.parent.type !== "database_id") return;
  const indexed = { id: page.id, databaseId: page.parent.id, properties: page.properties };
  await replaceValues(
    tx,
    workspaceId,
    indexed,
    edit.edited.map((property) => current(property, edit.schema)),
  );
  await storeReferences(tx, workspaceId, page, page.parent.id, schema, edit);
}

/** The definition with the options that the request brought in. */
function current(property: PropertyDefinition, schema: Schema): PropertyDefinition {
  return schema.byId.get(property.id) ?? property;
}

async function storeReferences(
  tx: Kysely<Tables>,
  workspaceId: string,
  page: Page,
  databaseId: string,
  schema: Schema,
  edit: PropertyEdit,
): Promise<void> {
  if (edit.userIds.size > 0) await checkUsers(tx, workspaceId, [...edit.userIds]);
  if (edit.schema !== schema) {
    const { lastEditedBy: by, lastEditedTime: at } = page;
    await storeSchema(tx, workspaceId, databaseId, edit.schema, { by, at });
  }
  for (const relation of edit.edited) {
    const targets = edit.links.get(relation.id);
    if (relation.type === "relation" && targets !== undefined) {
      await setLinks(tx, workspaceId, { id: page.id, databaseId }, relation, targets);
    }
  }
}

async function checkUsers(tx: Kysely<Tables>, workspaceId: string, ids: readonly string[]): Promise<void> {
  const found = await tx
    .selectFrom("users")
    .select("id")
    .where("workspace_id", "=", workspaceId)
    .where("id", "in", ids)
    .execute();
  const known = new Set(found.map((row) => row.id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw notFound("user", missing);
}

/** Gives the next number of a database to a page that is created in it. */
export async function takeUniqueNumber(
  tx: Kysely<Tables>,
  workspaceId: string,
  databaseId: string,
): Promise<number> {
  const row = await tx
    .updateTable("databases")
    .set((database) => ({ last_unique_number: database("last_unique_number", "+", 1) }))
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", databaseId)
    .returning("last_unique_number")
    .executeTakeFirstOrThrow();
  return row.last_unique_number;
}
