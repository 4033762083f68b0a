import type { SearchHandlers } from "../../generated/routes.js";
import { search } from "../operations/search.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { parsePagination } from "./parameters.js";
import { createListResponse } from "./responses.js";

export const searchHandlers: SearchHandlers<HandlerContext, SuppliedHeaders> = {
  async search({ body = {} }, { scope, requestId }) {
    const list = await search(scope, body, parsePagination(body));
    return createListResponse(requestId, list, { type: "page_or_database", page_or_database: {} });
  },
};
