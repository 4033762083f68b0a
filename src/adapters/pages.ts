import type { PagesHandlers } from "../../generated/routes.js";
import { requireId } from "../domain/ids.js";
import { missingPage } from "../storage/missing.js";
import { createPageReader, type VersionedPage } from "../storage/pages.js";
import type { Store } from "../storage/store.js";
import type { Context, SuppliedHeaders } from "./context.js";
import { entityTag } from "./entity-tag.js";
import {
  propertiesWanted,
  renderPages,
  renderSelfContained,
  requireProperty,
  type PageBody,
} from "./page-view.js";
import { createPageFrom, requirePage, updatePageFrom } from "./page-writes.js";
import { pageWanted } from "./paging.js";
import { retrieveItems } from "./property-items.js";

/** Where the service is. */
interface Addresses {
  /** Of the web application, which page addresses begin with. */
  readonly appUrl: string;
  /** Of the API. */
  readonly baseUrl: string;
}

/** The operations on pages. */
export function pagesHandlers(
  store: Store,
  { appUrl, baseUrl }: Addresses,
): PagesHandlers<Context, SuppliedHeaders> {
  const readPage = createPageReader(store.read);
  // A page that has not changed since it was read last is the same object, and so is its answer.
  const rendered = new WeakMap<VersionedPage, PageAnswer>();

  return {
    async createPage(request, { principal, write }) {
      const { workspaceId, keyId: userId } = principal;
      return write(request, async (tx) => {
        const author = { workspaceId, userId, now: Date.now() };
        const page = await createPageFrom(tx, author, request.body);
        const [body] = await renderPages(tx, { ...principal, appUrl }, [page]);
        return answer(page, body);
      });
    },

    async retrievePage({ path, query }, { principal }) {
      const id = requireId(path.page_id);
      const found = await readPage(principal.workspaceId, id);
      if (found === undefined) throw await missingPage(store.read, principal.workspaceId, id);
      const known = rendered.get(found);
      const wanted = propertiesWanted(found.schema, query?.filter_properties);
      if (known !== undefined && wanted === undefined) return known;
      const viewer = { ...principal, appUrl };
      const whole = wanted === undefined ? renderSelfContained(viewer, found) : undefined;
      if (whole === undefined) {
        const [body] = await renderPages(store.read, viewer, [found], wanted);
        return answer(found, body);
      }
      const made = answer(found, Object.freeze(whole));
      rendered.set(found, made);
      return made;
    },

    async updatePage(request, { principal, write }) {
      const { workspaceId, keyId: userId } = principal;
      const id = requireId(request.path.page_id);
      return write(request, async (tx) => {
        const author = { workspaceId, userId, now: Date.now() };
        const ifMatch = request.headers?.["If-Match"];
        const page = await updatePageFrom(tx, author, id, request.body, ifMatch);
        const [body] = await renderPages(tx, { ...principal, appUrl }, [page]);
        return answer(page, body);
      });
    },

    async retrievePageProperty({ path, query }, { principal, requestId }) {
      const id = requireId(path.page_id);
      const found = await requirePage(store.read, principal.workspaceId, id);
      const property = requireProperty(found.schema, path.property_id);
      const body = await retrieveItems(store.read, { ...principal, appUrl }, found, property, {
        requestId,
        wanted: pageWanted(query),
        address: `${baseUrl}/v1/pages/${id}/properties/${encodeURIComponent(property.id)}`,
      });
      return { status: 200, body };
    },
  };
}

interface PageAnswer {
  readonly status: 200;
  readonly headers: { readonly ETag: string };
  readonly body: PageBody;
}

function answer(page: VersionedPage, body: PageBody | undefined): PageAnswer {
  if (body === undefined) throw new Error("a page that was read was not shown");
  return { status: 200, headers: { ETag: entityTag(page) }, body };
}
