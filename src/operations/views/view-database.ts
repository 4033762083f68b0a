import type { Schemas } from "../../domain/api-schemas.js";
import type { VersionedDatabase } from "../../storage/databases/databases.js";
import { createWaitIfLong } from "../../storage/wait-if-long.js";
import { findUserNames } from "../../storage/users.js";
import type { Pagination } from "../load/list-parts.js";
import { findAncestors } from "./ancestors.js";
import { findLinkedTitles } from "./linked-titles.js";
import { loadNumberFormats } from "./number-formats.js";
import type { PageBody } from "../present/page.js";
import { queryLoadedDatabase } from "../query-database.js";
import type { ReadScope } from "../execution/scope.js";

/** The data that the web page of a database shows: some of its pages, and names and titles that they refer to. */
export type DatabaseView = Awaited<ReturnType<typeof viewDatabase>>;

/** Reads the data for the web page of a database. Throws a DomainError (validation) when the query does not fit the database. */
export async function viewDatabase(
  scope: ReadScope,
  database: VersionedDatabase,
  query: Pick<Schemas["QueryDatabaseBody"], "filter" | "sorts">,
  pagination: Pagination,
) {
  const { results, nextCursor } = await queryLoadedDatabase(scope, database, query, pagination);
  const waitIfLong = createWaitIfLong(scope);
  const rows: PageBody[] = [];
  for (const page of results) {
    rows.push(page.toJSON());
    await waitIfLong();
  }
  return {
    /** Whether the database was moved to the trash by itself. */
    isTrashRoot: database.trashRoot === database.id,
    rows,
    nextCursor,
    ancestors: await findAncestors(scope, database.parent),
    userNames: await findUserNames(scope, [database.createdBy, database.lastEditedBy]),
    titles: await findLinkedTitles(scope, rows),
    numberFormats: await loadNumberFormats(scope, database.schema),
  };
}
