import { EncodedJson } from "../../http/responses/encoded-json.js";
import {
  findPageVersions,
  type PageVersions,
  type PageWithSchema,
  parsePage,
  type UnparsedPage,
} from "../../storage/pages/pages.js";
import type { ReadScope } from "../execution/scope.js";
import { createEntityTag, type PageBody, type PageOptions, presentPages } from "./page.js";
import { renderPageJson } from "./page-json.js";

type PageToEncode = PageWithSchema<UnparsedPage> & PageVersions;

/** The response body of a page as JSON, and its entity tag. */
export class EncodedPage extends EncodedJson<PageBody> {
  /** @param version undefined if the page refers to other objects, which can change without a new version of the page */
  constructor(
    readonly id: string,
    readonly entityTag: string,
    readonly version: string | undefined,
    json: string,
  ) {
    super(json);
  }
}

/** Converts pages to response bodies, in any order. */
export async function encodePages(
  scope: ReadScope,
  pages: readonly PageToEncode[],
  options: PageOptions,
): Promise<EncodedPage[]> {
  const encoded: EncodedPage[] = [];
  const others: PageToEncode[] = [];
  for (const found of pages) {
    const json = options.shownProperties === undefined ? renderPageJson(scope, found) : undefined;
    if (json === undefined) others.push(found);
    else encoded.push(new EncodedPage(found.page.id, createEntityTag(found), formatVersion(found), json));
  }
  const parsed = others.map(({ page, schema }) => ({ page: parsePage(page), schema }));
  const bodies = await presentPages(scope, parsed, options);
  for (const [index, found] of others.entries()) {
    const json = JSON.stringify(bodies[index]);
    encoded.push(new EncodedPage(found.page.id, createEntityTag(found), undefined, json));
  }
  return encoded;
}

/** Returns the cached page if it is current, or encodes and caches it. */
export function rememberPage(
  scope: ReadScope,
  pageId: string,
  encode: () => Promise<EncodedPage>,
): Promise<EncodedPage> {
  const readVersion = async (): Promise<string | undefined> => {
    const versions = await findPageVersions(scope, pageId);
    return versions && formatVersion(versions);
  };
  return scope.cache.remember(formatCacheKey(scope, pageId), scope.getGeneration(), readVersion, encode);
}

/** Returns the cached page if it was made from these versions. */
export function getCachedPage(
  scope: ReadScope,
  pageId: string,
  versions: PageVersions,
): EncodedPage | undefined {
  return scope.cache.get(formatCacheKey(scope, pageId), formatVersion(versions));
}

export function cachePage(scope: ReadScope, page: EncodedPage): void {
  scope.cache.set(formatCacheKey(scope, page.id), page);
}

function formatCacheKey({ workspaceId }: ReadScope, pageId: string): string {
  return `page ${workspaceId} ${pageId}`;
}

function formatVersion({ version, schemaVersion, lastEditedTime, schemaEditedTime }: PageVersions): string {
  return `${version} ${schemaVersion} ${lastEditedTime} ${schemaEditedTime}`;
}
