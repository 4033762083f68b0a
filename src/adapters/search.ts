import type { SearchHandlers } from "../../generated/routes.js";
import type { Context, SuppliedHeaders } from "./context.js";

export function searchHandlers(): SearchHandlers<Context, SuppliedHeaders> {
  return {
    /** POST /v1/search: Search pages and databases */
    async search(_request, _context) {
      throw Object.assign(new Error("search is not implemented"), { status: 501 });
    },
  };
}
