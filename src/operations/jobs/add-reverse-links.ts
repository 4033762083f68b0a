import { MAX_REVERSE_LINKS } from "../../budgets.js";
import type { DefinitionOf } from "../../domain/schema.js";
import { STORAGE_LIMIT_BYTES } from "../../domain/plans.js";
import { getIds } from "../../lists.js";
import { findDatabase } from "../../storage/databases/databases.js";
import { insertJob } from "../../storage/jobs.js";
import type { Link } from "../../storage/pages/relations.js";
import { addReverseLinks, countLinks, STORED_LINK_BYTES } from "../../storage/pages/reverse-links.js";
import { checkSpaceForJobs } from "../check/storage-limit.js";
import type { WriteScope } from "../execution/scope.js";
import type { JobHandler } from "./job-handler.js";

/**
 * Adds the reverse links of relations that have become two-way: MAX_REVERSE_LINKS of the first one in this transaction, and the others
 * in jobs, because a request can change 100 relations. Throws a DomainError (restricted) without space for all of them.
 */
export async function startAddingReverseLinks(
  scope: WriteScope,
  databaseId: string,
  relations: readonly DefinitionOf<"relation">[],
): Promise<void> {
  const [first, ...others] = relations;
  if (first === undefined) return;
  await checkSpace(scope, databaseId, relations);
  const lastLink = await addReverseLinks(scope, databaseId, first, undefined);
  for (const { id } of lastLink === undefined ? others : relations) {
    scope.jobs.push(
      await insertJob(scope, { kind: "add_reverse_links", objectId: databaseId, propertyIds: [id] }),
    );
  }
}

/** Throws a DomainError (restricted) when the workspace has no space for the reverse of all links of relations. */
async function checkSpace(
  scope: WriteScope,
  databaseId: string,
  relations: readonly DefinitionOf<"relation">[],
): Promise<void> {
  const { plan, countedBytes, writtenBytes } = scope.principal;
  // The links take at most these bytes, and so does their reverse. Counting a million links takes 0.15 s.
  if (2 * (countedBytes + writtenBytes) <= STORAGE_LIMIT_BYTES[plan]) return;
  checkSpaceForJobs(scope, (await countLinks(scope, databaseId, getIds(relations))) * STORED_LINK_BYTES);
}

/** Adds reverse links that do not exist yet. Stops if the relation has become one-way. The state is the last handled link. */
export const ADDING_REVERSE_LINKS: JobHandler<Link> = {
  isForeground: true,
  async runBatch(scope, { objectId, propertyIds }, lastLink) {
    const database = await findDatabase(scope, objectId);
    // The job has the id of the relation as its only property id.
    const relation = database?.schema.byId.get(propertyIds[0] ?? "");
    if (relation?.type !== "relation") return { doneCount: 0, nextState: null };
    const link = await addReverseLinks(scope, objectId, relation, lastLink);
    return { doneCount: MAX_REVERSE_LINKS, nextState: link ?? null };
  },
};
