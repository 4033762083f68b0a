import { findPageVersions, type PageVersions, type VersionedPage } from "../../storage/pages.js";
import { createEntityTag } from "../check/entity-tag.js";
import type { ReadScope } from "../scope.js";
import { EncodedPage, presentSelfContained } from "./page.js";

/** Returns the cached page if it was made from these versions. */
export function findCachedPage(
  { cache, workspaceId }: ReadScope,
  pageId: string,
  versions: PageVersions,
): EncodedPage | undefined {
  return cache.get<EncodedPage>(formatCacheKey(workspaceId, pageId), formatVersion(versions));
}

/** Returns the cached page if it is current. */
export function findCurrentPage(scope: ReadScope, pageId: string): Promise<EncodedPage | undefined> {
  const { cache, workspaceId } = scope;
  return cache.getCurrent<EncodedPage>(formatCacheKey(workspaceId, pageId), scope.readState(), async () => {
    const versions = await findPageVersions(scope, pageId);
    return versions && formatVersion(versions);
  });
}

/** Presents and caches a page; undefined if it refers to other objects, which can change without a new version of the page. */
export function presentAndCache(scope: ReadScope, page: VersionedPage): EncodedPage | undefined {
  const body = presentSelfContained(scope, page);
  if (body === undefined) return undefined;
  const encoded = new EncodedPage(body.id, createEntityTag(page), JSON.stringify(body));
  const key = formatCacheKey(scope.workspaceId, encoded.id);
  scope.cache.set(key, formatVersion(page), encoded, encoded.bytes.length);
  return encoded;
}

function formatCacheKey(workspaceId: string, pageId: string): string {
  return `page ${workspaceId} ${pageId}`;
}

function formatVersion({ version, schemaVersion }: PageVersions): string {
  return `${version} ${schemaVersion}`;
}
