import type { ReadScope } from "../../operations/execution/scope.js";
import { findFilterPages, findFilterUsers } from "../../operations/views/filter-objects.js";
import { getFilterType, type NamedObject } from "./filter-types.js";
import { buildTableQuery, findTitleSearch, type TableQuery } from "./table-query.js";
import type { TableParameters } from "./table-parameters.js";
import type { DatabaseBody } from "../../operations/present/database.js";

/** Builds the API query of a table, and reads the users that its filter form suggests, if the database has properties with users. */
export async function loadTableQuery(
  scope: ReadScope,
  parameters: TableParameters,
  database: DatabaseBody,
): Promise<TableQuery & { readonly users: readonly NamedObject[] }> {
  const users = Object.keys(database.properties).some((name) => getFilterType(name, database).comparesUsers)
    ? await findFilterUsers(scope, parameters.filter?.value.trim())
    : [];
  const titleSearch = findTitleSearch(parameters, database);
  const objects = titleSearch ? await findFilterPages(scope, titleSearch) : users;
  return { ...buildTableQuery(parameters, database, objects), users };
}
