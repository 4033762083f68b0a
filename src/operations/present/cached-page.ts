import { findPageVersions, type PageVersions, type VersionedPage } from "../../storage/pages.js";
import { createEntityTag } from "../check/entity-tag.js";
import type { ReadScope } from "../scope.js";
import { type PageResult, presentSelfContained } from "./page.js";

/** Returns the cached page if it was made from these versions. Its body is frozen, so that its JSON is encoded once. */
export function findCachedPage(
  { cache, workspaceId }: ReadScope,
  pageId: string,
  versions: PageVersions,
): PageResult | undefined {
  return cache.get<PageResult>(formatCacheKey(workspaceId, pageId), formatVersion(versions));
}

/** Returns the cached page if it is current. */
export function findCurrentPage(scope: ReadScope, pageId: string): Promise<PageResult | undefined> {
  const { cache, workspaceId } = scope;
  return cache.getCurrent<PageResult>(formatCacheKey(workspaceId, pageId), scope.readState(), async () => {
    const versions = await findPageVersions(scope, pageId);
    return versions && formatVersion(versions);
  });
}

/** Presents and caches a page; undefined if it refers to other objects, which can change without a new version of the page. */
export function presentAndCache(scope: ReadScope, page: VersionedPage): PageResult | undefined {
  const body = presentSelfContained(scope, page);
  if (body === undefined) return undefined;
  const result: PageResult = { body: Object.freeze(body), entityTag: createEntityTag(page) };
  scope.cache.set(formatCacheKey(scope.workspaceId, body.id), formatVersion(page), result);
  return result;
}

function formatCacheKey(workspaceId: string, pageId: string): string {
  return `page ${workspaceId} ${pageId}`;
}

function formatVersion({ version, schemaVersion }: PageVersions): string {
  return `${version} ${schemaVersion}`;
}
