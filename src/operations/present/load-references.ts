import { MAX_RESPONSE_BYTES, MAX_SHOWN_LINKS } from "../../budgets.js";
import type { Page } from "../../domain/page.js";
import type { References } from "../../domain/properties/response-values.js";
import { computeRollup } from "../../domain/properties/rollup.js";
import { getUserIds } from "../../domain/properties/convert.js";
import { type PropertyDefinition, type Schema, VALUE_TRAITS } from "../../domain/schema.js";
import { findUsers } from "../../storage/users.js";
import { loadLinks } from "../../storage/relations.js";
import { estimateSize } from "../response-size.js";
import { getLinks, NO_LINKS, selectRelationIds } from "./links.js";
import { presentUserId } from "./object.js";
import { loadRollupSources } from "./rollup-sources.js";
import { createIncompleteRollup, loadRollupData, presentRollup, type RollupBudget } from "./rollups.js";
import { presentUser } from "./user.js";
import type { Scope } from "../scope.js";

/** References that find nothing: users have only an id, relations have no links, and rollups no values. */
export const NO_REFERENCES: References = {
  getUser: presentUserId,
  getLinks: () => NO_LINKS,
  computeRollup: ({ function: name }) => computeRollup(name, []),
};

/** Whether the values of properties refer to no other objects. Mentions do not count: resolveMentions fills them in later. */
export function needNoReferences(properties: readonly PropertyDefinition[]): boolean {
  return !properties.some(({ type }) => VALUE_TRAITS[type].isReference);
}

/**
 * Reads the users, links and rollups in the values of pages with the same schema, for all pages together. Subtracts the
 * bytes that the rollups read from `budget`. Returns a function that returns the references of a page, whose rollups show lists
 * of MAX_RESPONSE_BYTES together: many rollups can show the same values.
 */
export async function loadReferences(
  scope: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
  pages: readonly Page[],
  budget: RollupBudget,
): Promise<(pageId: string) => References> {
  if (needNoReferences(properties)) return () => NO_REFERENCES;
  const pageIds = pages.map((page) => page.id);
  const links = await loadLinks(scope, pageIds, selectRelationIds(properties), MAX_SHOWN_LINKS);
  const sources = await loadRollupSources(scope, schema, properties);
  const targetProperties = [...sources.values()].map(({ target }) => target);
  const rollupData = await loadRollupData(scope, sources, targetProperties, pageIds, budget);
  const getUser = await loadUsers(scope, [
    ...collectUserIds(pages, properties),
    ...collectUserIds([...rollupData.linkedPages.values()], targetProperties),
  ]);
  return (pageId) => {
    let bytesLeft = MAX_RESPONSE_BYTES;
    return {
      getUser,
      getLinks: (property) => getLinks(links, pageId, property.id),
      computeRollup(rollup) {
        const result = presentRollup(rollup, sources.get(rollup.id), pageId, rollupData, getUser);
        if (result.type !== "array") return result;
        if (bytesLeft > 0) bytesLeft -= estimateSize(result.array);
        return bytesLeft > 0 ? result : createIncompleteRollup(rollup);
      },
    };
  };
}

/** Reads users, and returns a function that converts their ids to response bodies. Removed users have only an id. */
async function loadUsers(scope: Scope, userIds: readonly string[]): Promise<References["getUser"]> {
  const found = await findUsers(scope, [...new Set(userIds)]);
  const users = new Map(found.map((user) => [user.id, presentUser(scope, user)]));
  return (id) => users.get(id) ?? presentUserId(id);
}

/** Collects the ids of the users in the values of properties, with duplicates. */
function collectUserIds(pages: readonly Page[], properties: readonly PropertyDefinition[]): string[] {
  return properties.flatMap((property) => pages.flatMap((page) => getUserIds(property, page)));
}
