import type { Kysely } from "kysely";
import { compileOnce } from "./compile-once.js";
import type { Tables } from "./tables.js";

const selectVersion = compileOnce((db, workspaceId: string, pageId: string) =>
  db
    .selectFrom("pages")
    .select("version")
    .where("workspace_id", "=", workspaceId)
    .where("id", "=", pageId)
    .limit(1),
);

/**
 * The version of a page, which grows with every change of the page and of the blocks in it.
 *
 * @returns undefined when the workspace has no page of that id.
 */
export async function findPageVersion(
  db: Kysely<Tables>,
  workspaceId: string,
  pageId: string,
): Promise<number | undefined> {
  const [row] = await selectVersion(db, workspaceId, pageId);
  return row?.version;
}
