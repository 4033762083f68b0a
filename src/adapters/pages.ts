import type { PagesHandlers } from "../../generated/routes.js";
import { createPage } from "../operations/create-page.js";
import type { EncodedPage } from "../operations/present/encoded-page.js";
import type { PageBody, PageResult } from "../operations/present/page.js";
import { retrievePageProperty } from "../operations/retrieve-page-property.js";
import { retrievePage } from "../operations/retrieve-page.js";
import type { WriteScope } from "../operations/execution/scope.js";
import { updatePage } from "../operations/update-page.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { parsePagination, parsePropertyFilter } from "./parameters.js";
import { createListResponse, createResponse } from "./responses.js";

export const pagesHandlers: PagesHandlers<HandlerContext, SuppliedHeaders> = {
  async createPage(request, { write }) {
    return write(request, async (scope) => createPageResponse(await createPage(scope, request.body)));
  },

  async retrievePage({ path, query }, { scope }) {
    return createPageResponse(await retrievePage(scope, path.page_id, parsePropertyFilter(query)));
  },

  async updatePage(request, { write }) {
    const { path, headers, body } = request;
    const run = async (scope: WriteScope) =>
      createPageResponse(await updatePage(scope, path.page_id, body, headers?.["If-Match"]));
    return write(request, run, { objectId: path.page_id });
  },

  async retrievePageProperty({ path, query }, { scope, requestId }) {
    const result = await retrievePageProperty(scope, path.page_id, path.property_id, parsePagination(query));
    if (result.kind === "item") return createResponse(result.item);
    const { items, descriptor } = result;
    return createListResponse(requestId, items, { type: "property_item", property_item: descriptor });
  },
};

function createPageResponse({ body, entityTag }: PageResult<PageBody | EncodedPage>) {
  // Safe cast: encoded JSON is sent like the value that it was made from.
  return { status: 200 as const, headers: { ETag: entityTag }, body: body as PageBody };
}
