import type { StoredValues } from "../../storage/pages.js";

/** Maximum number of pages in a batch, because other workspaces wait for its transaction. */
const MAX_PAGES = 100;
/** Characters of JSON after which a batch takes no further pages. */
const MAX_CHARACTERS = 250_000;
/** Pages that one statement reads. Bounds the memory, because each can have megabytes. */
const PAGES_PER_READ = 10;

/**
 * Reads the pages of one batch of a job. A batch has fewer pages when they are large.
 *
 * @param read reads up to `limit` pages after `pages`, the pages that the batch already has
 */
export async function readBatch(
  read: (pages: readonly StoredValues[], limit: number) => Promise<StoredValues[]>,
): Promise<StoredValues[]> {
  const pages: StoredValues[] = [];
  let characters = 0;
  let part: StoredValues[];
  do {
    part = await read(pages, PAGES_PER_READ);
    pages.push(...part);
    for (const { json } of part) characters += json.length;
  } while (part.length === PAGES_PER_READ && pages.length < MAX_PAGES && characters < MAX_CHARACTERS);
  return pages;
}
