import { findUnparsedPage, type FoundPage, parsePage } from "../../src/storage/pages/pages.js";
import type { StorageScope } from "../../src/storage/tables.js";

/** Reads a page and parses its JSON; undefined when the workspace has no page with that id. */
export async function findPage(scope: StorageScope, pageId: string): Promise<FoundPage | undefined> {
  const found = await findUnparsedPage(scope, pageId);
  return found && { ...found, page: parsePage(found.page) };
}
