import { MAX_WAITING_PAGE_CHARACTERS } from "../budgets.js";
import { normalizeId } from "../domain/ids.js";
import { takeOnly } from "../lists.js";
import { requireUnparsedPage } from "./load/pages-and-databases.js";
import { type EncodedPage, encodePages, rememberPage } from "./present/encoded-page.js";
import type { PageResult } from "./present/page.js";
import { resolvePropertyFilter } from "./present/property-filter.js";
import { runAsLongList } from "./execution/event-loop-turns.js";
import type { ReadScope } from "./execution/scope.js";

/** Retrieves a page with all properties or those of `propertyFilter`. Throws a DomainError: (not_found), or (validation). */
export async function retrievePage(
  scope: ReadScope,
  pageId: string,
  propertyFilter?: readonly string[],
): Promise<PageResult<EncodedPage>> {
  const id = normalizeId(pageId);
  const encode = async (hasSlot = false): Promise<EncodedPage> => {
    const found = await requireUnparsedPage(scope, id);
    const shownProperties = resolvePropertyFilter(found.schema, propertyFilter);
    const hasRollups = (shownProperties ?? found.schema.definitions).some(({ type }) => type === "rollup");
    // Reads the page again in the slot, because rollups can wait: meanwhile 100 large pages took 0.4 GB.
    if (!hasSlot && hasRollups && found.page.properties.length > MAX_WAITING_PAGE_CHARACTERS)
      return runAsLongList(scope, () => encode(true));
    return takeOnly(await encodePages(scope, [found], { shownProperties }));
  };
  const body = propertyFilter === undefined ? await rememberPage(scope, id, () => encode()) : await encode();
  return { body, entityTag: body.entityTag };
}
