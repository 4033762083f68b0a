import { TITLE_SCHEMA, type PropertyDefinition } from "../../domain/schema.js";
import { findPageValuesAfter, type PageValues } from "../page-values.js";
import type { ContentSize } from "../content-size.js";
import { parseSchema } from "../schema-cache.js";
import { BEFORE_FIRST_ID } from "../sql-helpers.js";
import type { Db, StorageScope } from "../tables.js";
import { indexPageTexts } from "../text-index.js";
import { selectFrom } from "../workspace-rows.js";

const BATCH: ContentSize = { count: 50, bytes: 2_000_000 };

/** Adds the texts of all pages of the given workspaces to the text index, which must not contain them yet. */
export async function indexTexts(db: Db, workspaceIds: Iterable<string>): Promise<void> {
  for (const workspaceId of workspaceIds) {
    const scope = { db, workspaceId };
    const databases = await selectFrom(scope, "databases").select("id").execute();
    for (const { id } of databases) {
      // One by one, because the schemas of a workspace can be large together.
      const { properties } = await selectFrom(scope, "databases")
        .select("properties")
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      await indexPages(scope, id, parseSchema(properties).definitions);
    }
    // Pages outside of databases have no property but their title.
    await indexPages(scope, undefined, TITLE_SCHEMA.definitions);
  }
}

/** Indexes the pages of a database; those outside of databases if `databaseId` is undefined. */
async function indexPages(
  scope: StorageScope,
  databaseId: string | undefined,
  properties: readonly PropertyDefinition[],
): Promise<void> {
  let pages: PageValues[];
  let lastId = BEFORE_FIRST_ID;
  do {
    pages = await findPageValuesAfter(scope, databaseId, lastId, BATCH);
    for (const page of pages) await indexPageTexts(scope, page, properties, { isNew: true });
    lastId = pages.at(-1)?.id ?? lastId;
  } while (pages.length > 0);
}
