import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { findTrashedObjects, hasTrashedBlocks, type TrashedObject } from "../storage/trash-roots.js";
import { formatLinkTitle } from "./views/linked-titles.js";
import { createListPart, type Pagination, type ListResult } from "./list-parts.js";
import type { ReadScope } from "./scope.js";

export type { TrashedObject };

const LIST_NAME = "trash";

/**
 * Lists the pages and databases that were moved to the trash by themselves, the last moved ones first. `hasBlocks` tells
 * whether blocks were too. Throws a DomainError (invalid_cursor).
 */
export async function listTrash(
  scope: ReadScope,
  { cursor, size }: Pagination,
): Promise<ListResult<TrashedObject> & { readonly hasBlocks: boolean }> {
  const [id, time] = decodeCursor(LIST_NAME, cursor, ["id", "integer"]);
  const after = id === undefined ? undefined : { id, lastEditedTime: Number(time) };
  const found = await findTrashedObjects(scope.scanScope, after, size + 1);
  const { elements, nextCursor } = createListPart(found, size, (last) =>
    encodeCursor(LIST_NAME, [last.id, last.lastEditedTime]),
  );
  const results = elements.map((object) => ({ ...object, title: formatLinkTitle(object.title) }));
  return { results, nextCursor, hasBlocks: await hasTrashedBlocks(scope) };
}
