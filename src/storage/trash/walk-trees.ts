import { type RawBuilder, sql, type SqlBool } from "kysely";
import { MAX_CONTENTS_PER_READ, MAX_WAITING_GROUPS, TREE_READS_SOFT_LIMIT } from "../../budgets.js";
import { getIds } from "../../lists.js";
import { getObjectKind, type ObjectRef } from "../objects/objects.js";
import type { StorageScope } from "../tables.js";
import { selectFrom } from "../workspace-rows.js";

/** Objects of the same kind, whose contents one statement can read. */
export type ObjectGroup = readonly ObjectRef[];

interface TreeWalk {
  /** Condition on the rows of `pages` and `blocks` to visit; all rows by default. */
  readonly condition?: RawBuilder<SqlBool>;
  /** Whether the transaction has reached a limit, so that the next one must continue. */
  hasReachedLimit(): boolean;
  /** Handles objects without contents. Returns the objects that are left because a limit was reached. */
  handle(group: ObjectGroup): Promise<ObjectGroup>;
}

/**
 * Visits objects with everything in them, up to the limits of a transaction, and contents before their parent, so that an interrupted
 * walk can start again at its root. Once handled, an object must be deleted or no longer meet the condition, because contents
 * are read until there are none. Begins with the last group, and returns the remaining groups.
 */
export async function walkTrees(
  scope: StorageScope,
  groups: readonly ObjectGroup[],
  { condition = sql<SqlBool>`1 = 1`, hasReachedLimit, handle }: TreeWalk,
): Promise<readonly ObjectGroup[]> {
  const remainingGroups = [...groups];
  for (let reads = 0; reads < TREE_READS_SOFT_LIMIT && !hasReachedLimit(); reads += 1) {
    const group = remainingGroups.pop();
    if (group === undefined) break;
    const limit = remainingGroups.length < MAX_WAITING_GROUPS ? MAX_CONTENTS_PER_READ : 1;
    const contents = await findContents(scope, group, condition, limit);
    if (contents.length > 0) {
      remainingGroups.push(group, ...groupByKind(contents));
      continue;
    }
    const rest = await handle(group);
    if (rest.length > 0) remainingGroups.push(rest);
  }
  return remainingGroups;
}

/** Groups objects by their kind. */
export function groupByKind(objects: readonly ObjectRef[]): ObjectGroup[] {
  return (["block", "page", "database"] as const)
    .map((kind) => objects.filter((object) => object.kind === kind))
    .filter((group) => group.length > 0);
}

async function findContents(
  scope: StorageScope,
  parents: ObjectGroup,
  condition: RawBuilder<SqlBool>,
  limit: number,
): Promise<ObjectRef[]> {
  const ids = getIds(parents);
  if (parents[0]?.kind === "database") {
    const pages = await selectFrom(scope, "pages")
      .select("id")
      .where("parent_id", "in", ids)
      .where(condition)
      .limit(limit)
      .execute();
    return pages.map(({ id }) => ({ id, kind: "page" }));
  }
  const blocks = await selectFrom(scope, "blocks")
    .select(["id", "type"])
    .where("parent_id", "in", ids)
    .where(condition)
    .limit(limit)
    .execute();
  return blocks.map(({ id, type }) => ({ id, kind: getObjectKind(type) }));
}
