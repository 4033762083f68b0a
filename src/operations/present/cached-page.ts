import {
  findPageVersions,
  type PageVersions,
  type PageWithSchema,
  type StoredPage,
} from "../../storage/pages.js";
import { createEntityTag } from "../check/entity-tag.js";
import type { ReadScope } from "../execution/scope.js";
import { EncodedPage } from "./page.js";
import { renderPageJson } from "./page-json.js";

/** Returns the cached page if it was made from these versions. */
export function getCachedPage(
  { cache, workspaceId }: ReadScope,
  pageId: string,
  versions: PageVersions,
): EncodedPage | undefined {
  return cache.get<EncodedPage>(formatCacheKey(workspaceId, pageId), formatVersion(versions));
}

/** Returns the cached page if it is current. Reads its versions, unless nothing was written to the workspace. */
export function findCurrentCachedPage(scope: ReadScope, pageId: string): Promise<EncodedPage | undefined> {
  const { cache, workspaceId } = scope;
  return cache.getCurrent<EncodedPage>(
    formatCacheKey(workspaceId, pageId),
    scope.getGeneration(),
    async () => {
      const versions = await findPageVersions(scope, pageId);
      return versions && formatVersion(versions);
    },
  );
}

/** Encodes and caches a page; undefined if it refers to other objects, which can change without a new version of the page. */
export function encodeAndCache(
  scope: ReadScope,
  found: PageWithSchema<StoredPage> & PageVersions,
): EncodedPage | undefined {
  const json = renderPageJson(scope, found);
  if (json === undefined) return undefined;
  const encoded = new EncodedPage(found.page.id, createEntityTag(found), json);
  const key = formatCacheKey(scope.workspaceId, encoded.id);
  scope.cache.set(key, formatVersion(found), encoded, encoded.bytes.length);
  return encoded;
}

function formatCacheKey(workspaceId: string, pageId: string): string {
  return `page ${workspaceId} ${pageId}`;
}

function formatVersion({ version, schemaVersion }: PageVersions): string {
  return `${version} ${schemaVersion}`;
}
