import { sql, type SqlBool } from "kysely";
import { MAX_PARENTS_PER_READ, MAX_WAITING_PARENTS } from "../budgets.js";
import type { Edit } from "../domain/stored-object.js";
import { buildRowBytes } from "./row-sizes.js";
import { findBlock } from "./blocks.js";
import { buildEditColumns, NEXT_VERSION } from "./object-columns.js";
import { incrementPageVersions, recordPageEdit } from "./pages.js";
import type { StorageScope } from "./tables.js";
import { BEFORE_FIRST_ID, readBothById, readByIds } from "./sql-helpers.js";
import { takeWithinBytes, type ContentSize } from "./content-size.js";
import { getObjectKind, OBJECT_TABLES, type ObjectRef, type ObjectTable, TABLE_BY_KIND } from "./objects.js";
import { selectFrom, updateTable } from "./workspace-rows.js";

/** A move of an object, called the root, to the trash or back, with everything in it. */
export interface TrashMove {
  readonly rootId: string;
  readonly toTrash: boolean;
}

/** An object that has been moved, and whose contents remain to be moved. */
export interface MovedObject extends ObjectRef {
  /** Position or id of the last moved child, or BEFORE_FIRST_ID. Undefined to read the children together with those of others. */
  readonly after?: string;
}

const OUTSIDE_TRASH = sql<SqlBool>`in_trash = 0`;

/** Builds the condition that an object was moved to the trash with a root. */
function buildMovedWith(rootId: string) {
  return sql<SqlBool>`in_trash = 1 and trash_root = ${rootId}`;
}

/**
 * Moves the root itself, and records an edit of the root and of the page that contains it. To be moved to the trash, the root
 * must be outside of it. To be restored, it must be a trash root whose parent is outside of the trash.
 */
export async function moveRoot(
  scope: StorageScope,
  move: TrashMove,
  kind: ObjectRef["kind"],
  edit: Edit,
): Promise<void> {
  // Pages and databases inside of pages have a block too.
  for (const table of new Set([TABLE_BY_KIND[kind], "blocks"] as const)) {
    await setTrashState(scope, move, table, [move.rootId], edit);
  }
  const block = await findBlock(scope, move.rootId);
  if (block !== undefined) await recordPageEdit(scope, block.pageId, edit);
}

/**
 * Moves descendants in batches, depth first from the end of `parents`, until a limit is reached. Increments the versions of the
 * pages that contain moved blocks. Contents that were moved to the trash before, by themselves, stay there and keep their own
 * trash root. A parent is moved before its contents, so that nothing can be added to it in the meantime, and an interrupted move
 * can start again at its root. Returns the objects whose contents remain, and the number of objects that were read.
 */
export async function moveContents(
  scope: StorageScope,
  move: TrashMove,
  parents: readonly MovedObject[],
  limit: ContentSize,
): Promise<{ readonly remainingParents: readonly MovedObject[]; readonly count: number }> {
  const remainingParents = [...parents];
  const pageIds = new Set<string>();
  let [count, bytes] = [0, 0];
  while (remainingParents.length > 0 && count < limit.count && bytes < limit.bytes) {
    const maxBytes = limit.bytes - bytes;
    const batch = await readNextBatch(scope, move, remainingParents, { count: limit.count, bytes: maxBytes });
    // A large child waits for the next call, unless it is the first one of this call.
    if (batch.bytes > maxBytes && bytes > 0) break;
    remainingParents.splice(-batch.parents.length);
    const continueAfter = (after: string): void => {
      remainingParents.push(...batch.parents.map((parent) => ({ ...parent, after })));
    };
    if (batch.mayHaveMore && batch.parents.length > 1) {
      // Too many children for one statement, so each parent is read alone.
      continueAfter(BEFORE_FIRST_ID);
      continue;
    }
    for (const table of OBJECT_TABLES)
      await setTrashState(scope, move, table, selectIds(batch.children, table));
    for (const { pageId } of batch.children) {
      if (pageId !== undefined) pageIds.add(pageId);
    }
    count += batch.parents.length + batch.children.length;
    bytes += batch.bytes;
    const last = batch.children.at(-1);
    if (batch.mayHaveMore && last !== undefined) continueAfter(last.position);
    remainingParents.push(...batch.children.map(({ id, kind }) => ({ id, kind })));
  }
  await incrementPageVersions(scope, [...pageIds]);
  return { remainingParents, count };
}

/**
 * Reads as many children of the last parents as fit into a limit, but at least one. The parents may have further children.
 * Includes children that are moved already, because a move that was interrupted starts again at its root, and passes through them.
 */
async function readNextBatch(
  scope: StorageScope,
  { rootId }: TrashMove,
  remainingParents: readonly MovedObject[],
  limit: ContentSize,
) {
  const parents = selectNextParents(remainingParents);
  // With many waiting parents, reads one child at a time and goes into it first, so that each level adds one parent to the list.
  const isCrowded = remainingParents.length - parents.length >= MAX_WAITING_PARENTS;
  const maxCount = isCrowded ? 1 : limit.count;
  const ids = parents.map(({ id }) => id);
  // The children of a single parent are read in order, so that the next batch can continue after the last one.
  const after = parents.length === 1 ? (parents[0]?.after ?? BEFORE_FIRST_ID) : undefined;
  const findChildren = parents[0]?.kind === "database" ? findChildPages : findChildBlocks;
  const found = await findChildren(scope, rootId, ids, after, maxCount);
  const bytesById = await readBytes(scope, found);
  const getBytes = ({ id }: Child): number => bytesById.get(id) ?? 0;
  const children = takeWithinBytes(found, limit.bytes, getBytes);
  return {
    parents,
    children,
    bytes: children.reduce((sum, child) => sum + getBytes(child), 0),
    mayHaveMore: children.length < found.length || found.length === maxCount,
  };
}

/** Selects the last parent, and the parents before it whose children the same statement can read. */
function selectNextParents(parents: readonly MovedObject[]): readonly MovedObject[] {
  const last = parents.at(-1);
  const canReadTogether = (parent: MovedObject | undefined): boolean =>
    parent !== undefined &&
    parent.after === undefined &&
    (parent.kind === "database") === (last?.kind === "database");
  let count = 1;
  if (canReadTogether(last))
    while (count < MAX_PARENTS_PER_READ && canReadTogether(parents.at(-1 - count))) count += 1;
  return parents.slice(-count);
}

interface Child extends ObjectRef {
  /** The page that contains the child; undefined for a page of a database. */
  readonly pageId?: string;
  /** Orders the children of one parent. */
  readonly position: string;
}

/** Selects the ids of the children that have a row in a table. Pages and databases inside of pages have a row in `blocks` too. */
function selectIds(children: readonly Child[], table: ObjectTable): string[] {
  const hasRow = ({ kind, pageId }: Child): boolean =>
    table === TABLE_BY_KIND[kind] || (table === "blocks" && pageId !== undefined);
  return children.filter(hasRow).map(({ id }) => id);
}

/** @param after id of the last page that was read; undefined to read the pages of several databases in any order */
async function findChildPages(
  scope: StorageScope,
  rootId: string,
  databaseIds: readonly string[],
  after: string | undefined,
  limit: number,
): Promise<Child[]> {
  const part = (condition: typeof OUTSIDE_TRASH) => {
    const pages = selectFrom(scope, "pages")
      .select("id")
      .where("parent_id", "in", databaseIds)
      .where(condition);
    return (after === undefined ? pages : pages.where("id", ">", after).orderBy("id")).limit(limit);
  };
  const rows = await readBothById(scope.db, part(OUTSIDE_TRASH), part(buildMovedWith(rootId)), limit);
  return rows.map(({ id }) => ({ id, kind: "page", position: id }));
}

/** @param after position of the last block that was read; undefined to read the blocks of several parents in any order */
async function findChildBlocks(
  scope: StorageScope,
  rootId: string,
  parentIds: readonly string[],
  after: string | undefined,
  limit: number,
): Promise<Child[]> {
  const blocks = selectFrom(scope, "blocks")
    .select(["id", "type", "position", "page_id"])
    .where("parent_id", "in", parentIds)
    .where(sql<SqlBool>`(${OUTSIDE_TRASH} or ${buildMovedWith(rootId)})`);
  const ordered = after === undefined ? blocks : blocks.where("position", ">", after).orderBy("position");
  const rows = await ordered.limit(limit).execute();
  return rows.map(({ id, type, position, page_id: pageId }) => {
    return { id, kind: getObjectKind(type), pageId, position };
  });
}

/** Reads the bytes of the rows of children, by id. */
async function readBytes(
  scope: StorageScope,
  children: readonly Child[],
): Promise<ReadonlyMap<string, number>> {
  const bytesById = new Map<string, number>();
  for (const table of OBJECT_TABLES) {
    const rows = await readByIds(
      selectIds(children, table),
      selectFrom(scope, table).select(["id", buildRowBytes(table).as("bytes")]),
    );
    for (const { id, bytes } of rows) bytesById.set(id, (bytesById.get(id) ?? 0) + bytes);
  }
  return bytesById;
}

/** @param edit recorded as the last edit of the objects; omitted for the contents of the moved object */
async function setTrashState(
  scope: StorageScope,
  { rootId, toTrash }: TrashMove,
  table: ObjectTable,
  ids: readonly string[],
  edit?: Edit,
): Promise<void> {
  if (ids.length === 0) return;
  await updateTable(scope, table)
    .set({
      in_trash: toTrash ? 1 : 0,
      trash_root: toTrash ? rootId : null,
      version: NEXT_VERSION,
      ...(edit && buildEditColumns(edit)),
    })
    .where("id", "in", ids)
    .where(toTrash ? OUTSIDE_TRASH : buildMovedWith(rootId))
    .execute();
}
