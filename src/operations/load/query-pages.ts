import { MAX_READ_BYTES } from "../../budgets.js";
import type { Schemas } from "../../domain/api-schemas.js";
import { decodeCursor, encodeCursor } from "../../domain/cursor.js";
import type { Database } from "../../domain/database.js";
import { createValidationError } from "../../domain/errors.js";
import { MATCH_ALL } from "../../domain/query/condition.js";
import { parseFilter } from "../../domain/query/filter.js";
import { CURSOR_TYPES, createQueryFingerprint } from "../../domain/query/query-cursor.js";
import {
  createTargetSelector,
  getRollupDatabaseIds,
  type RollupContext,
} from "../../domain/query/rollup-source.js";
import { parseSorts } from "../../domain/query/sort.js";
import { findSchemaParts, type FoundSchemas } from "../../storage/databases/databases.js";
import type { ListedPage, QueryScope } from "../../storage/query/page-list-query.js";
import { readPageList } from "../../storage/query/read-page-list.js";
import { createListPart, type ListPart } from "./list-parts.js";

export interface PageQuery {
  readonly filter?: Schemas["Filter"] | undefined;
  readonly sorts?: readonly Schemas["Sort"][] | undefined;
  readonly cursor?: string | undefined;
  readonly pageSize: number;
  /** Whether to find the pages in the trash instead of the pages outside of it. */
  readonly inTrash: boolean;
  /** Milliseconds since 1970, for operators such as `past_week`. */
  readonly now: number;
}

/** Reads pages of a database that match a query. Throws a DomainError (validation) when the query does not fit the database. */
export async function queryPages(
  scope: QueryScope,
  { id: databaseId, schema }: Pick<Database, "id" | "schema">,
  query: PageQuery,
): Promise<ListPart<ListedPage>> {
  const { filter, sorts: sortsInput = [], cursor, pageSize, inTrash, now } = query;
  // Reads the databases of all rollups, because the query must be parsed to know which of them it uses.
  const rollupDatabaseIds =
    filter !== undefined || sortsInput.length > 0 ? getRollupDatabaseIds(schema.definitions, schema) : [];
  const selectTargets = createTargetSelector(schema.definitions);
  const getRelatedSchema = createSchemaGetter(await findSchemaParts(scope, rollupDatabaseIds, selectTargets));
  const context = { schema, getRelatedSchema, now };
  const condition = filter === undefined ? MATCH_ALL : parseFilter(filter, context);
  const sorts = parseSorts(sortsInput, context);
  // A cursor is valid only for the same database, trash state and sorts, and has a value for each sort. The filter can differ,
  // because the cursor is a position among all pages.
  const fingerprint = createQueryFingerprint(`${databaseId} ${inTrash}`, sorts);
  const types = sorts.map(({ key }) => CURSOR_TYPES[key.kind]);
  const [id, ...values] = decodeCursor(fingerprint, cursor, ["id", ...types]);
  const listQuery = {
    pageSet: { databaseId, inTrash },
    condition,
    sorts,
    after: id === undefined ? undefined : { id, values },
    count: pageSize + 1,
  };
  const rows = await readPageList(scope, listQuery);
  return createListPart(rows, pageSize, (last) => encodeCursor(fingerprint, [last.id, ...last.values]));
}

/** Creates a function that returns the schema of a database, or throws a DomainError (validation) if it was too large to read. */
function createSchemaGetter({ schemas, skippedIds }: FoundSchemas): RollupContext["getRelatedSchema"] {
  return (databaseId) => {
    if (!skippedIds.has(databaseId)) return schemas.get(databaseId);
    throw createValidationError(
      `The databases of the rollups have more than ${MAX_READ_BYTES} bytes of properties and options together, so the filter and ` +
        `the sorts cannot use a rollup of ${databaseId}. Use fewer options, or fewer rollups.`,
    );
  };
}
