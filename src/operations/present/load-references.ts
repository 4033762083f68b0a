import { MAX_RESPONSE_BYTES, MAX_SHOWN_LINKS, MAX_SHOWN_USER_BYTES } from "../../budgets.js";
import type { Schemas } from "../../domain/api-schemas.js";
import type { Page } from "../../domain/page.js";
import type { References } from "../../domain/properties/response-values.js";
import { computeRollup } from "../../domain/properties/compute-rollup.js";
import { isReferenceProperty, type PropertyDefinition, type Schema } from "../../domain/schema.js";
import { getOrCreate } from "../../get-or-create.js";
import { getIds } from "../../lists.js";
import { findLinks } from "../../storage/pages/read-links.js";
import { estimateSize } from "../execution/response-size.js";
import { getLinks, NO_LINKS, selectRelationIds } from "./links.js";
import { presentUserId } from "./object.js";
import { loadRollupSources, type RollupSources } from "./rollup-sources.js";
import { type ByteBudget, createIncompleteRollup, createRollupBudget, loadRollups } from "./rollups.js";
import { loadUsers } from "./user.js";
import type { Scope } from "../execution/scope.js";

/** References for values that refer to nothing: users have only their id, relations have no links, and rollups no values. */
export const NO_REFERENCES: References = {
  getUser: presentUserId,
  getLinks: () => NO_LINKS,
  computeRollup: ({ function: name }) => computeRollup(name, []),
};

/** Whether values of properties can refer to users or other pages. Mentions do not count, because resolveMentions completes them. */
export function canHaveReferences(properties: readonly PropertyDefinition[]): boolean {
  return properties.some(isReferenceProperty);
}

/** Creates a budget for the users of all pages that are presented in one turn of the event loop. */
export function createUserBudget(): ByteBudget {
  return { bytesLeft: MAX_SHOWN_USER_BYTES };
}

export interface ReferenceOptions {
  /** Budget from which the estimated bytes of rollups are subtracted; by default a new one. */
  readonly rollupBudget?: ByteBudget;
  /** Budget for the fields of users; by default a new one, see createUserBudget. */
  readonly userBudget?: ByteBudget;
  /** Sources of the rollups among the properties; loaded by default. */
  readonly sources?: RollupSources | undefined;
}

/**
 * Reads the users, links and linked pages to which the values of pages refer, for all pages together. The pages have the same
 * schema.
 *
 * @returns a function that returns the references of a page. The lists in its rollups have at most MAX_RESPONSE_BYTES together,
 *   because many rollups can list the same values. Rollups with further lists are incomplete.
 */
export async function loadReferences(
  scope: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
  pages: readonly Page[],
  {
    rollupBudget = createRollupBudget(scope),
    userBudget = createUserBudget(),
    sources: loadedSources,
  }: ReferenceOptions = {},
): Promise<(pageId: string) => References> {
  if (!canHaveReferences(properties)) return () => NO_REFERENCES;
  const pageIds = getIds(pages);
  const links = await findLinks(scope, pageIds, selectRelationIds(properties), MAX_SHOWN_LINKS);
  const sources = loadedSources ?? (await loadRollupSources(scope, schema, properties));
  const getRollup = await loadRollups(scope, sources, pageIds, rollupBudget);
  const getUser = limitUsers(await loadUsers(scope, pages, properties), userBudget);
  return (pageId) => {
    let listBytesLeft = MAX_RESPONSE_BYTES;
    return {
      getUser,
      getLinks: (property) => getLinks(links, pageId, property.id),
      computeRollup(rollup) {
        const result = getRollup(rollup, pageId);
        if (result.type !== "array") return result;
        if (listBytesLeft > 0) listBytesLeft -= estimateSize(result.array);
        return listBytesLeft > 0 ? result : createIncompleteRollup(rollup);
      },
    };
  };
}

/** Returns a function that returns the response body of a user: with all fields within the budget, and beyond it only with the id. */
function limitUsers(users: ReadonlyMap<string, Schemas["User"]>, budget: ByteBudget): References["getUser"] {
  const bytesById = new Map<string, number>();
  return (id) => {
    const user = users.get(id);
    if (user === undefined) return presentUserId(id);
    budget.bytesLeft -= getOrCreate(bytesById, id, () => estimateSize(user));
    return budget.bytesLeft < 0 ? presentUserId(id) : user;
  };
}
