import { MAX_READ_BYTES } from "../../budgets.js";
import type { Page } from "../../domain/page.js";
import type { References } from "../../domain/properties/render.js";
import { computeRollup } from "../../domain/properties/rollup.js";
import { getUserIds } from "../../domain/properties/convert.js";
import type { PropertyDefinition, PropertyType, Schema } from "../../domain/schema.js";
import { findUsers } from "../../storage/users.js";
import { getLinks, loadShownLinks, NO_LINKS } from "./links.js";
import { presentUserId } from "./object.js";
import { loadRollupSources } from "./rollup-sources.js";
import { loadRollupData, presentRollup, type RollupBudget } from "./rollups.js";
import { presentUser } from "./user.js";
import type { Scope } from "../scope.js";

/** References of a page without users, relations and rollups. */
export const NO_REFERENCES: References = {
  user: presentUserId,
  links: () => NO_LINKS,
  rollup: ({ function: name }) => computeRollup(name, []),
};

/** Whether the values of properties depend only on the page and these properties. */
export function areSelfContained(properties: readonly PropertyDefinition[]): boolean {
  return !properties.some(({ type }) => REFERRING_TYPES.has(type));
}

const REFERRING_TYPES: ReadonlySet<PropertyType> = new Set<PropertyType>([
  "relation",
  "rollup",
  "people",
  "created_by",
  "last_edited_by",
]);

/**
 * Reads the users, links and rollups in the values of pages with the same schema, for all pages together. Subtracts the
 * bytes of the rollups from the budget of the response. Returns a function that returns the references of a page.
 */
export async function loadReferences(
  scope: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
  pages: readonly Page[],
  budget: RollupBudget = { bytesLeft: MAX_READ_BYTES },
): Promise<(pageId: string) => References> {
  if (areSelfContained(properties)) return () => NO_REFERENCES;
  const pageIds = pages.map((page) => page.id);
  const links = await loadShownLinks(scope, pageIds, properties);
  const sources = await loadRollupSources(scope, schema, properties);
  const targetProperties = [...sources.values()].map(({ target }) => target);
  const rollupData = await loadRollupData(scope, sources, targetProperties, pageIds, budget);
  const user = await loadUsers(scope, [
    ...collectUserIds(pages, properties),
    ...collectUserIds([...rollupData.linkedPages.values()], targetProperties),
  ]);
  return (pageId) => ({
    user,
    links: (property) => getLinks(links, pageId, property.id),
    rollup: (rollup) => presentRollup(rollup, sources.get(rollup.id), pageId, rollupData, user),
  });
}

/** Reads users, and returns a function that converts their ids to response bodies. Removed users have only an id. */
async function loadUsers(scope: Scope, userIds: readonly string[]): Promise<References["user"]> {
  const found = await findUsers(scope, [...new Set(userIds)]);
  const users = new Map(found.map((user) => [user.id, presentUser(scope, user)]));
  return (id) => users.get(id) ?? presentUserId(id);
}

/** Collects the ids of the users in the values of properties, with duplicates. */
function collectUserIds(pages: readonly Page[], properties: readonly PropertyDefinition[]): string[] {
  return properties.flatMap((property) => pages.flatMap((page) => getUserIds(property, page)));
}
