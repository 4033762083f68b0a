import type { DatabasesHandlers } from "../../generated/routes.js";
import type { Context, SuppliedHeaders } from "./context.js";

/** The operations on databases. */
export function databasesHandlers(): DatabasesHandlers<Context, SuppliedHeaders> {
  return {
    /** GET /v1/databases: List the databases */
    async listDatabases(_request, _context) {
      throw Object.assign(new Error("listDatabases is not implemented"), { status: 501 });
    },

    /** POST /v1/databases: Create a database */
    async createDatabase(_request, _context) {
      throw Object.assign(new Error("createDatabase is not implemented"), { status: 501 });
    },

    /** GET /v1/databases/{database_id}: Retrieve a database */
    async retrieveDatabase(_request, _context) {
      throw Object.assign(new Error("retrieveDatabase is not implemented"), { status: 501 });
    },

    /** PATCH /v1/databases/{database_id}: Update a database */
    async updateDatabase(_request, _context) {
      throw Object.assign(new Error("updateDatabase is not implemented"), { status: 501 });
    },

    /** POST /v1/databases/{database_id}/query: Query a database */
    async queryDatabase(_request, _context) {
      throw Object.assign(new Error("queryDatabase is not implemented"), { status: 501 });
    },
  };
}
