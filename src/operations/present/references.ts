import { MAX_READ_BYTES, MAX_SHOWN_LINKS } from "../../budgets.js";
import type { Page } from "../../domain/page.js";
import {
  renderPlainValue,
  type Links,
  type PlainValue,
  type References,
} from "../../domain/properties/render.js";
import { computeRollup } from "../../domain/properties/rollup.js";
import { getUserIds } from "../../domain/properties/convert.js";
import type { RollupSource } from "../../domain/query/condition.js";
import type { DefinitionOf, PropertyDefinition, PropertyType, Schema } from "../../domain/schema.js";
import { readLinkBytes } from "../../storage/page-sizes.js";
import { findPages } from "../../storage/pages.js";
import { loadLinks, type LinksByPage } from "../../storage/relations.js";
import { findUsers } from "../../storage/users.js";
import { indexById } from "../by-id.js";
import { presentUserId } from "./object.js";
import { findRollupSources, readRollupBytes, type RollupSources } from "./rollup-sources.js";
import { presentUser } from "./user.js";
import type { Scope } from "../scope.js";

const NO_LINKS: Links = { pageIds: [], hasMore: false };

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

/** Bytes that the rollups of one response can still read. */
export interface RollupBudget {
  bytesLeft: number;
}

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
  const sources = await findRollupSources(scope, schema, properties);
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

/** Data from which the rollups of pages are computed. */
interface RollupData {
  /** Pages whose rollups fit into the budget. Rollups of other pages are incomplete. */
  readonly completePageIds: ReadonlySet<string>;
  /** Links from these pages to the linked pages. */
  readonly links: LinksByPage;
  /** The linked pages by id. */
  readonly linkedPages: ReadonlyMap<string, Page>;
  /** Links of the linked pages, which the rollups show. */
  readonly linksOfLinkedPages: LinksByPage;
  /** Rendered values of the linked pages by property and page id, because many rollups can read the same values. */
  readonly renderedValues: Map<PropertyDefinition, Map<string, PlainValue>>;
}

async function loadRollupData(
  scope: Scope,
  sources: RollupSources,
  targetProperties: readonly PropertyDefinition[],
  pageIds: readonly string[],
  budget: RollupBudget,
): Promise<RollupData> {
  const relationIds = [...new Set([...sources.values()].map(({ relation }) => relation.id))];
  const affordableIds = takeWithinBudget(pageIds, await readRollupBytes(scope, sources, pageIds), budget);
  const affordableLinks = await loadLinks(scope, [...affordableIds], relationIds);
  const targetLinkBytes = await readTargetLinkBytes(scope, affordableLinks, targetProperties);
  const completePageIds = takeWithinBudget([...affordableIds], targetLinkBytes, budget);
  const links = new Map([...affordableLinks].filter(([pageId]) => completePageIds.has(pageId)));
  const linkedIds = new Set([...links.values()].flatMap(collectLinkedIds));
  const linkedPages = indexById((await findPages(scope, [...linkedIds])).map(({ page }) => page));
  const linksOfLinkedPages = await loadShownLinks(scope, [...linkedPages.keys()], targetProperties);
  return { completePageIds, links, linkedPages, linksOfLinkedPages, renderedValues: new Map() };
}

function presentRollup(
  { function: name }: DefinitionOf<"rollup">,
  source: RollupSource | undefined,
  pageId: string,
  { completePageIds, links, linkedPages, linksOfLinkedPages, renderedValues }: RollupData,
  user: References["user"],
): ReturnType<References["rollup"]> {
  if (source === undefined) return computeRollup(name, []);
  if (!completePageIds.has(pageId)) return { type: "incomplete", incomplete: {}, function: name };
  let values = renderedValues.get(source.target);
  if (values === undefined) renderedValues.set(source.target, (values = new Map<string, PlainValue>()));
  const render = (linkedId: string): PlainValue | undefined => {
    const linkedPage = linkedPages.get(linkedId);
    const getLinksOf = (property: PropertyDefinition): Links =>
      getLinks(linksOfLinkedPages, linkedId, property.id);
    return linkedPage && renderPlainValue(source.target, linkedPage, { user, links: getLinksOf });
  };
  const linkedValues = getLinks(links, pageId, source.relation.id).pageIds.flatMap((linkedId) => {
    const value = values.get(linkedId) ?? render(linkedId);
    if (value !== undefined) values.set(linkedId, value);
    return value ?? [];
  });
  return computeRollup(name, linkedValues);
}

/** Reads users, and returns a function that converts their ids to response bodies. Removed users have only an id. */
async function loadUsers(scope: Scope, userIds: readonly string[]): Promise<References["user"]> {
  const found = await findUsers(scope, [...new Set(userIds)]);
  const users = new Map(found.map((user) => [user.id, presentUser(scope, user)]));
  return (id) => users.get(id) ?? presentUserId(id);
}

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

/** Reads the bytes of the links of linked pages in target properties of rollups, by the id of the page with the rollups. */
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
  return properties.flatMap((property) => pages.flatMap((page) => getUserIds(property, page)));
}
