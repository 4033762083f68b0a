import { MAX_BATCH_BYTES } from "../../budgets.js";
import { TITLE_SCHEMA, type PropertyDefinition } from "../../domain/schema.js";
import { findPageValuesAfter } from "../pages/page-values.js";
import type { RowLimit } from "../row-limit.js";
import { parseSchema } from "../databases/schema-cache.js";
import { BEFORE_FIRST_ID } from "../sql-helpers.js";
import type { Db, StorageScope } from "../tables.js";
import { indexPageTexts } from "../pages/text-index.js";
import { selectFrom } from "../workspace-rows.js";
import type { Write } from "./batch.js";

const BATCH_LIMIT: RowLimit = { count: 200, bytes: MAX_BATCH_BYTES };

/** Indexes the texts of all pages of workspaces, which must not be indexed yet. `db` must see what `write` has written. */
export async function indexTexts(db: Db, write: Write, workspaceIds: Iterable<string>): Promise<void> {
  for (const workspaceId of workspaceIds) {
    const scope = { db, workspaceId };
    const databases = await selectFrom(scope, "databases").select("id").execute();
    for (const { id } of databases) {
      // One by one, because the schemas of a workspace can be large together.
      const { properties } = await selectFrom(scope, "databases")
        .select("properties")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      await indexPages(scope, write, id, parseSchema(properties).definitions);
    }
    // Pages outside of databases have no property but their title.
    await indexPages(scope, write, undefined, TITLE_SCHEMA.definitions);
  }
}

/** Indexes the pages of a database; those outside of databases if `databaseId` is undefined. */
async function indexPages(
  scope: StorageScope,
  write: Write,
  databaseId: string | undefined,
  properties: readonly PropertyDefinition[],
): Promise<void> {
  let lastId = BEFORE_FIRST_ID;
  for (;;) {
    const pages = await findPageValuesAfter(scope, databaseId, lastId, BATCH_LIMIT);
    if (pages.length === 0) return;
    lastId = pages.at(-1)?.id ?? lastId;
    await write(async (db) => {
      for (const page of pages) {
        await indexPageTexts({ db, workspaceId: scope.workspaceId }, page, properties, { isNew: true });
      }
    });
  }
}
