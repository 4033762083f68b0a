import type { StoredValues } from "../../storage/pages.js";

/** Pages in a piece: other workspaces wait for its transaction. */
const MAX_PAGES = 100;
/** Characters of their JSON, after which a piece takes no further pages. */
const MAX_CHARACTERS = 250_000;
/** Pages that are read at once: each can have megabytes. */
const BATCH_SIZE = 10;

/**
 * Reads the pages of one piece of a job: fewer when they are large.
 *
 * @param read reads up to `limit` pages that follow those that were read before
 */
export async function readPiece(
  read: (before: readonly StoredValues[], limit: number) => Promise<StoredValues[]>,
): Promise<StoredValues[]> {
  const pages: StoredValues[] = [];
  let characters = 0;
  let batch: StoredValues[];
  do {
    batch = await read(pages, BATCH_SIZE);
    pages.push(...batch);
    for (const { json } of batch) characters += json.length;
  } while (batch.length === BATCH_SIZE && pages.length < MAX_PAGES && characters < MAX_CHARACTERS);
  return pages;
}
