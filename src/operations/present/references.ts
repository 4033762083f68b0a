import { MAX_READ_BYTES } from "../../budgets.js";
import type { Page } from "../../domain/page.js";
import { renderPlain, type Links, type PlainValue, type References } from "../../domain/properties/render.js";
import { computeRollup } from "../../domain/properties/rollup.js";
import { getStoredValue } from "../../domain/properties/stored.js";
import type { PropertyDefinition, Schema } from "../../domain/schema.js";
import { readLinkBytes } from "../../storage/page-sizes.js";
import { findPages } from "../../storage/pages.js";
import { loadLinks, type LinksByPage } from "../../storage/relations.js";
import { findUsers } from "../../storage/users.js";
import { indexById } from "../by-id.js";
import { presentUserId } from "./object.js";
import { findRollupSources, readRollupBytes } from "./rollup-sources.js";
import { presentUser } from "./user.js";
import type { Scope } from "../scope.js";

/** Maximum number of links of a relation in a page's response body. */
const MAX_SHOWN_LINKS = 100;

const NO_LINKS: Links = { pageIds: [], hasMore: false };

/** References of a page without users, relations and rollups. */
export const NO_REFERENCES: References = {
  user: presentUserId,
  links: () => NO_LINKS,
  rollup: ({ function: name }) => computeRollup(name, []),
};

/** Whether the values of properties depend only on the page and these properties. */
export function isSelfContained(properties: readonly PropertyDefinition[]): boolean {
  return properties.every(({ type }) => {
    switch (type) {
      case "relation":
      case "rollup":
      case "people":
      case "created_by":
      case "last_edited_by":
        return false;
      default:
        return true;
    }
  });
}

/** Bytes that the rollups of one response can still read. */
export interface RollupBudget {
  bytesLeft: number;
}

/**
 * Reads the users, links and rollups in the values of pages, for all pages at once.
 *
 * @param schema schema of the pages
 * @param properties the properties to show
 * @param budget that of the response, from which the bytes of the rollups are subtracted
 * @returns the references of a page, by its id
 */
export async function loadReferences(
  scope: Scope,
  schema: Schema,
  properties: readonly PropertyDefinition[],
  pages: readonly Page[],
  budget: RollupBudget = { bytesLeft: MAX_READ_BYTES },
): Promise<(pageId: string) => References> {
  if (isSelfContained(properties)) return () => NO_REFERENCES;
  const pageIds = pages.map((page) => page.id);
  const links = await loadShownLinks(scope, pageIds, properties);

  const sources = await findRollupSources(scope, schema, properties);
  const targetProperties = [...sources.values()].map(({ target }) => target);
  const rollupRelationIds = [...new Set([...sources.values()].map(({ relation }) => relation.id))];
  const affordableIds = takeWithinBudget(pageIds, await readRollupBytes(scope, sources, pageIds), budget);
  const rollupLinks = await loadLinks(scope, [...affordableIds], rollupRelationIds);
  const targetLinkBytes = await readTargetLinkBytes(scope, rollupLinks, targetProperties);
  const readablePageIds = takeWithinBudget([...affordableIds], targetLinkBytes, budget);
  const readableLinks = new Map([...rollupLinks].filter(([pageId]) => readablePageIds.has(pageId)));
  const targets = await findLinkedPages(scope, readableLinks);
  const targetLinks = await loadShownLinks(scope, [...targets.keys()], targetProperties);

  const userIds = [
    ...collectUserIds(pages, properties),
    ...collectUserIds([...targets.values()], targetProperties),
  ];
  const foundUsers = await findUsers(scope, [...new Set(userIds)]);
  const users = new Map(foundUsers.map((found) => [found.id, presentUser(scope, found)]));
  const user: References["user"] = (id) => users.get(id) ?? presentUserId(id);

  return (pageId) => ({
    user,
    links: (property) => getLinks(links, pageId, property.id),
    rollup(rollup) {
      const source = sources.get(rollup.id);
      if (source === undefined) return computeRollup(rollup.function, []);
      if (!readablePageIds.has(pageId))
        return { type: "incomplete", incomplete: {}, function: rollup.function };
      const values = getLinks(rollupLinks, pageId, source.relation.id).pageIds.flatMap(
        (targetId): PlainValue[] => {
          const target = targets.get(targetId);
          if (target === undefined) return [];
          const linksOfTarget = (property: PropertyDefinition): Links =>
            getLinks(targetLinks, targetId, property.id);
          return [renderPlain(source.target, target, { user, links: linksOfTarget })];
        },
      );
      return computeRollup(rollup.function, values);
    },
  });
}

/** Loads the links of relations that a response body shows. */
function loadShownLinks(
  scope: Scope,
  pageIds: readonly string[],
  properties: readonly PropertyDefinition[],
): Promise<LinksByPage> {
  const relationIds = properties.filter(({ type }) => type === "relation").map(({ id }) => id);
  return loadLinks(scope, pageIds, relationIds, MAX_SHOWN_LINKS);
}

/** Returns the pages whose rollups fit into a budget, and subtracts their bytes from it. The others get incomplete rollups. */
function takeWithinBudget(
  pageIds: readonly string[],
  bytesOf: ReadonlyMap<string, number>,
  budget: RollupBudget,
): ReadonlySet<string> {
  return new Set(
    pageIds.filter((id) => {
      const bytes = bytesOf.get(id) ?? 0;
      if (bytes > budget.bytesLeft) return false;
      budget.bytesLeft -= bytes;
      return true;
    }),
  );
}

function getLinks(links: LinksByPage, pageId: string, propertyId: string): Links {
  return links.get(pageId)?.get(propertyId) ?? NO_LINKS;
}

/** Reads the pages that links lead to, by id. */
async function findLinkedPages(scope: Scope, links: LinksByPage): Promise<ReadonlyMap<string, Page>> {
  const ids = new Set([...links.values()].flatMap(collectLinkedIds));
  const found = await findPages(scope, [...ids]);
  return indexById(found.map(({ page }) => page));
}

/**
 * Reads the bytes of the links that the linked pages have in target properties of rollups.
 *
 * @returns the bytes by the id of the page with the rollups
 */
async function readTargetLinkBytes(
  scope: Scope,
  links: LinksByPage,
  targetProperties: readonly PropertyDefinition[],
): Promise<ReadonlyMap<string, number>> {
  const targetIdsByPage = [...links].map(
    ([pageId, linksOfPage]) => [pageId, collectLinkedIds(linksOfPage)] as const,
  );
  const targetIds = new Set(targetIdsByPage.flatMap(([, ids]) => ids));
  const relationIds = targetProperties.filter(({ type }) => type === "relation").map(({ id }) => id);
  const bytesOf = await readLinkBytes(scope, [...targetIds], relationIds);
  return new Map(
    targetIdsByPage.map(([pageId, ids]) => [
      pageId,
      ids.reduce((sum, id) => sum + (bytesOf.get(id) ?? 0), 0),
    ]),
  );
}

/** Returns the ids of the pages that the links of one page lead to, with duplicates. */
function collectLinkedIds(linksOfPage: ReadonlyMap<string, Links>): string[] {
  return [...linksOfPage.values()].flatMap(({ pageIds }) => pageIds);
}

/** Collects the ids of the users in the values of properties, with duplicates. */
function collectUserIds(pages: readonly Page[], properties: readonly PropertyDefinition[]): string[] {
  return properties.flatMap(({ id, type }) => {
    switch (type) {
      case "people":
        return pages.flatMap((page) => getStoredValue(page.properties, { id, type }) ?? []);
      case "created_by":
        return pages.map((page) => page.createdBy);
      case "last_edited_by":
        return pages.map((page) => page.lastEditedBy);
      default:
        return [];
    }
  });
}
