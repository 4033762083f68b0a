import type { Schemas } from "../../domain/api-schemas.js";
import type { Page } from "../../domain/page.js";
import {
  toNonRollupValue,
  type Links,
  type NonRollupValue,
  type References,
} from "../../domain/properties/response-values.js";
import { computeRollup } from "../../domain/properties/rollup.js";
import type { RollupSource } from "../../domain/query/condition.js";
import type { DefinitionOf, PropertyDefinition } from "../../domain/schema.js";
import { readLinkBytes } from "../../storage/page-bytes.js";
import { findPages } from "../../storage/pages.js";
import { loadLinks, type LinksByPage } from "../../storage/relations.js";
import { indexById } from "../by-id.js";
import { getLinks, selectRelationIds } from "./links.js";
import { estimateRollupBytes, type RollupSources } from "./rollup-sources.js";
import type { Scope } from "../scope.js";

/** Bytes that the rollups of one response can still read. */
export interface RollupBudget {
  bytesLeft: number;
}

/** Data from which the rollups of pages are computed. */
export interface RollupData {
  /** Pages whose rollups fit into the budget. Rollups of other pages are incomplete. */
  readonly completePageIds: ReadonlySet<string>;
  /** Links from these pages to the linked pages. */
  readonly links: LinksByPage;
  /** The linked pages by id. */
  readonly linkedPages: ReadonlyMap<string, Page>;
  /** Links of the linked pages, which the rollups show or count. */
  readonly linksOfLinkedPages: LinksByPage;
  /** Values of the linked pages by property and page id, because many rollups can read the same values. */
  readonly valuesByProperty: Map<PropertyDefinition, Map<string, NonRollupValue>>;
}

/** Reads the linked pages of the rollups that fit into a budget, and subtracts their bytes from it. */
export async function loadRollupData(
  scope: Scope,
  sources: RollupSources,
  targetProperties: readonly PropertyDefinition[],
  pageIds: readonly string[],
  budget: RollupBudget,
): Promise<RollupData> {
  const relationIds = [...new Set([...sources.values()].map(({ relation }) => relation.id))];
  const affordableIds = takeWithinBudget(pageIds, await estimateRollupBytes(scope, sources, pageIds), budget);
  const affordableLinks = await loadLinks(scope, [...affordableIds], relationIds);
  const targetRelationIds = selectRelationIds(targetProperties);
  const targetLinkBytes = await readTargetLinkBytes(scope, affordableLinks, targetRelationIds);
  const completePageIds = takeWithinBudget([...affordableIds], targetLinkBytes, budget);
  const links = new Map([...affordableLinks].filter(([pageId]) => completePageIds.has(pageId)));
  const linkedIds = new Set([...links.values()].flatMap(collectLinkedIds));
  const linkedPages = indexById(await findPages(scope, [...linkedIds]));
  const linksOfLinkedPages = await loadLinks(scope, [...linkedPages.keys()], targetRelationIds);
  return { completePageIds, links, linkedPages, linksOfLinkedPages, valuesByProperty: new Map() };
}

/** Computes a rollup of a page; incomplete if it did not fit into the budget. */
export function presentRollup(
  rollup: DefinitionOf<"rollup">,
  source: RollupSource | undefined,
  pageId: string,
  { completePageIds, links, linkedPages, linksOfLinkedPages, valuesByProperty }: RollupData,
  getUser: References["getUser"],
): Schemas["RollupResult"] {
  if (source === undefined) return computeRollup(rollup.function, []);
  if (!completePageIds.has(pageId)) return createIncompleteRollup(rollup);
  const values = valuesByProperty.get(source.target) ?? new Map<string, NonRollupValue>();
  valuesByProperty.set(source.target, values);
  const createValue = (linkedId: string): NonRollupValue | undefined => {
    const linkedPage = linkedPages.get(linkedId);
    const getLinksOf = (property: PropertyDefinition): Links =>
      getLinks(linksOfLinkedPages, linkedId, property.id);
    return linkedPage && toNonRollupValue(source.target, linkedPage, { getUser, getLinks: getLinksOf });
  };
  const linkedValues = getLinks(links, pageId, source.relation.id).pageIds.flatMap((linkedId) => {
    const value = values.get(linkedId) ?? createValue(linkedId);
    if (value !== undefined) values.set(linkedId, value);
    return value ?? [];
  });
  return computeRollup(rollup.function, linkedValues);
}

export function createIncompleteRollup({ function: name }: DefinitionOf<"rollup">): Schemas["RollupResult"] {
  return { type: "incomplete", incomplete: {}, function: name };
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

/**
 * Estimates the bytes of the links of linked pages in target properties of rollups, by the id of the page with the rollups.
 *
 * @param relationIds the target of each rollup, with duplicates
 */
async function readTargetLinkBytes(
  scope: Scope,
  links: LinksByPage,
  relationIds: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  // Each rollup reads the links of its target again.
  const reads = Math.max(1, ...relationIds.map((id) => relationIds.filter((other) => other === id).length));
  const targetIdsByPage = [...links].map(
    ([pageId, linksOfPage]) => [pageId, collectLinkedIds(linksOfPage)] as const,
  );
  const targetIds = new Set(targetIdsByPage.flatMap(([, ids]) => ids));
  const bytesOf = await readLinkBytes(scope, [...targetIds], [...new Set(relationIds)]);
  return new Map(
    targetIdsByPage.map(([pageId, ids]) => [
      pageId,
      ids.reduce((sum, id) => sum + reads * (bytesOf.get(id) ?? 0), 0),
    ]),
  );
}

/** Returns the ids of the pages that the links of one page lead to, with duplicates. */
function collectLinkedIds(linksOfPage: ReadonlyMap<string, Links>): string[] {
  return [...linksOfPage.values()].flatMap(({ pageIds }) => pageIds);
}
