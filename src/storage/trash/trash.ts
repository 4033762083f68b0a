import { sql, type SqlBool } from "kysely";
import type { Edit } from "../../domain/stored-object.js";
import { getIds, sumBy, takeWithinLimit } from "../../lists.js";
import type { RowLimit } from "../row-limit.js";
import { buildEditColumns, NEXT_VERSION } from "../objects/object-columns.js";
import { type ObjectRef, TABLE_BY_KIND } from "../objects/objects.js";
import { incrementPageVersions, recordPageEdit } from "../pages/pages.js";
import { buildRowBytes } from "../row-sizes.js";
import { readByIds } from "../sql-helpers.js";
import type { StorageScope } from "../tables.js";
import { type ObjectGroup, walkTrees } from "./walk-trees.js";
import { selectFrom, updateTable } from "../workspace-rows.js";

/** A move of an object, called the root, to the trash or back, with everything in it. */
export interface TrashMove {
  readonly rootId: string;
  readonly toTrash: boolean;
}

/** Builds the condition on objects that are not moved yet. Objects that were moved to the trash by themselves stay there. */
function buildIsUnmoved({ rootId, toTrash }: TrashMove) {
  return toTrash ? sql<SqlBool>`in_trash = 0` : sql<SqlBool>`in_trash = 1 and trash_root = ${rootId}`;
}

/** Moves the root, which must be outside of the trash, or a trash root to restore, and records an edit of it and of its page. */
export async function moveRoot(
  scope: StorageScope,
  move: TrashMove,
  kind: ObjectRef["kind"],
  edit: Edit,
): Promise<void> {
  for (const pageId of await setTrashState(scope, move, kind, [move.rootId], edit)) {
    await recordPageEdit(scope, pageId, edit);
  }
}

/**
 * Moves the contents of objects, up to a limit, see walkTrees. Increments the versions of the pages that contain moved blocks.
 * Returns the groups whose contents remain, and the number of moved objects.
 */
export async function moveContents(
  scope: StorageScope,
  move: TrashMove,
  groups: readonly ObjectGroup[],
  limit: RowLimit,
): Promise<{ readonly remainingGroups: readonly ObjectGroup[]; readonly count: number }> {
  const pageIds = new Set<string>();
  let [count, bytes] = [0, 0];
  let isFull = false;
  const remainingGroups = await walkTrees(scope, groups, {
    condition: buildIsUnmoved(move),
    hasReachedLimit: () => isFull,
    async handle(group) {
      const objects = group.filter(({ id }) => id !== move.rootId);
      const bytesById = await readBytes(scope, objects);
      const getObjectBytes = ({ id }: ObjectRef): number => bytesById.get(id) ?? 0;
      // A large object waits for the next transaction, unless it is the first one of this transaction.
      const minCount = count === 0 ? 1 : 0;
      const candidates = objects.slice(0, limit.count - count);
      const moved = takeWithinLimit(candidates, limit.bytes - bytes, getObjectBytes, minCount);
      isFull = moved.length < objects.length;
      count += moved.length;
      bytes += sumBy(moved, getObjectBytes);
      const [{ kind } = { kind: "block" as const }] = group;
      for (const pageId of await setTrashState(scope, move, kind, getIds(moved))) pageIds.add(pageId);
      return objects.slice(moved.length);
    },
  });
  await incrementPageVersions(scope, [...pageIds]);
  return { remainingGroups, count };
}

/** Reads the bytes of the rows of objects of the same kind, by id. */
async function readBytes(scope: StorageScope, objects: ObjectGroup): Promise<ReadonlyMap<string, number>> {
  const table = TABLE_BY_KIND[objects[0]?.kind ?? "block"];
  const rows = await readByIds(
    getIds(objects),
    selectFrom(scope, table).select(["id", buildRowBytes(table).as("bytes")]),
  );
  return new Map(rows.map(({ id, bytes }) => [id, bytes]));
}

/** Moves objects of the same kind, and records an edit of the root. Returns the ids of the pages that contain their blocks. */
async function setTrashState(
  scope: StorageScope,
  move: TrashMove,
  kind: ObjectRef["kind"],
  ids: readonly string[],
  edit?: Edit,
): Promise<string[]> {
  if (ids.length === 0) return [];
  const columns = {
    in_trash: move.toTrash ? 1 : 0,
    trash_root: move.toTrash ? move.rootId : null,
    version: NEXT_VERSION,
    ...(edit && buildEditColumns(edit)),
  };
  const condition = buildIsUnmoved(move);
  if (kind !== "block") {
    await updateTable(scope, TABLE_BY_KIND[kind])
      .set(columns)
      .where("id", "in", ids)
      .where(condition)
      .execute();
  }
  // Pages and databases inside of pages have a block too.
  const blocks = await updateTable(scope, "blocks")
    .set(columns)
    .where("id", "in", ids)
    .where(condition)
    .returning("page_id")
    .execute();
  return blocks.map((block) => block.page_id);
}
