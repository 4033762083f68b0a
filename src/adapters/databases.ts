import type { DatabasesHandlers } from "../../generated/routes.js";
import { canIncreaseStorage } from "../operations/check/storage-limit.js";
import { createDatabase } from "../operations/create-database.js";
import { listDatabases, retrieveDatabase } from "../operations/databases.js";
import { queryDatabase } from "../operations/query-database.js";
import type { WriteScope } from "../operations/execution/scope.js";
import { updateDatabase } from "../operations/update-database.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { parsePagination, parsePropertyFilter } from "./parameters.js";
import { createListResponse, createResponse } from "./responses.js";

export const databasesHandlers: DatabasesHandlers<HandlerContext, SuppliedHeaders> = {
  async listDatabases({ query }, { scope, requestId }) {
    const list = await listDatabases(scope, parsePagination(query));
    return createListResponse(requestId, list, { type: "database", database: {} });
  },

  async createDatabase(request, { write }) {
    return write(request, async (scope) => createResponse(await createDatabase(scope, request.body)));
  },

  async retrieveDatabase({ path }, { scope }) {
    return createResponse(await retrieveDatabase(scope, path.database_id));
  },

  async updateDatabase(request, { write }) {
    const { path, body } = request;
    const run = async (scope: WriteScope) =>
      createResponse(await updateDatabase(scope, path.database_id, body));
    return write(request, run, { mayGrow: canIncreaseStorage(body) });
  },

  async queryDatabase({ path, query, body = {} }, { scope, requestId }) {
    const propertyFilter = parsePropertyFilter(query);
    const list = await queryDatabase(scope, path.database_id, body, parsePagination(body), propertyFilter);
    return createListResponse(requestId, list, { type: "page_or_database", page_or_database: {} });
  },
};
