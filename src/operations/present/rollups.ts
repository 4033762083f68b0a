import type { Schemas } from "../../domain/api-schemas.js";
import type { Page } from "../../domain/page.js";
import {
  toNonRollupValue,
  type Links,
  type NonRollupValue,
  type References,
} from "../../domain/properties/response-values.js";
import { computeRollup } from "../../domain/properties/compute-rollup.js";
import type { RollupSource } from "../../domain/query/condition.js";
import type { DefinitionOf, PropertyDefinition } from "../../domain/schema.js";
import { getOrCreate } from "../../get-or-create.js";
import { MAX_PRESENTED_BYTES_PER_TURN } from "../../budgets.js";
import { getBytes } from "../../storage/row-limit.js";
import { readLinkBytes, readPageBytes } from "../../storage/pages/page-bytes.js";
import { findPages } from "../../storage/pages/pages.js";
import { findLinks, type LinksByPage } from "../../storage/pages/read-links.js";
import { createWaitIfLong } from "../../storage/wait-if-long.js";
import { chunk, getIds, indexById, splitByBytes, sumBy } from "../../lists.js";
import { getLinks, selectRelationIds } from "./links.js";
import { presentUserId } from "./object.js";
import { estimateRollupBytes, type RollupSources } from "./rollup-sources.js";
import { loadUsers } from "./user.js";
import type { Scope } from "../execution/scope.js";

/** Linked pages that are read or evaluated at once, before others get a turn. Dates of 250 pages take 3 ms. */
const PAGES_PER_STEP = 250;

/** Bytes that parts of a response can still use. */
export interface ByteBudget {
  bytesLeft: number;
}

/** Creates the budget that the rollups of one response share. */
export function createRollupBudget({ maxRollupBytes }: Scope): ByteBudget {
  return { bytesLeft: maxRollupBytes };
}

/** Data from which the rollups of pages are computed. */
interface RollupData {
  /** Ids of the pages whose rollups fit into the budget. Rollups of other pages are incomplete. */
  readonly completePageIds: ReadonlySet<string>;
  /** Links from these pages to the linked pages. */
  readonly links: LinksByPage;
  readonly linkedPages: ReadonlyMap<string, Page>;
  /** Links of the linked pages, for rollups whose target property is a relation. */
  readonly linksOfLinkedPages: LinksByPage;
}

/**
 * Computed rollups by page, relation, target property and function. A page can have hundreds of rollups with the same ones, of which
 * each took 11 ms for 1,000 pages with 100 options.
 */
type RollupResults = ReadonlyMap<string, Schemas["RollupResult"]>;

/** Computes the rollups of as many pages as fit into a budget, and subtracts their bytes from it. Returns a function that finds them. */
export async function loadRollups(
  scope: Scope,
  sources: RollupSources,
  pageIds: readonly string[],
  budget: ByteBudget,
): Promise<(rollup: DefinitionOf<"rollup">, pageId: string) => Schemas["RollupResult"]> {
  const estimatedBytes = await estimateRollupBytes(scope, sources.byRollupId.values(), pageIds);
  const load = async (): Promise<RollupResults> => {
    const data = await loadRollupData(scope, sources, pageIds, estimatedBytes, budget);
    const targets = [...sources.byRollupId.values()].map(({ target }) => target);
    const users = await loadUsers(scope, [...data.linkedPages.values()], targets);
    // Only the results, because the linked pages would take memory until the response is made.
    return computeRollups(scope, sources, data, (id) => users.get(id) ?? presentUserId(id));
  };
  const isLong = sumBy(estimatedBytes.values(), (bytes) => bytes) > MAX_PRESENTED_BYTES_PER_TURN;
  const results = isLong ? await scope.runRelatedReads(load) : await load();
  return (rollup, pageId) => presentRollup(rollup, sources, pageId, results);
}

async function loadRollupData(
  scope: Scope,
  sources: RollupSources,
  pageIds: readonly string[],
  estimatedBytes: ReadonlyMap<string, number>,
  budget: ByteBudget,
): Promise<RollupData> {
  const waitIfLong = createWaitIfLong(scope);
  const sourceList = [...sources.byRollupId.values()];
  const relationIds = [...new Set(sourceList.map(({ relation }) => relation.id))];
  const candidateIds = selectFittingPages(pageIds, estimatedBytes, budget);
  const candidateLinks = await findLinks(scope, [...candidateIds], relationIds, undefined, waitIfLong);
  const targetRelationIds = selectRelationIds(sourceList.map(({ target }) => target));
  const targetLinkBytes = await readTargetLinkBytes(scope, candidateLinks, targetRelationIds, waitIfLong);
  const completePageIds = selectFittingPages([...candidateIds], targetLinkBytes, budget);
  const links = new Map([...candidateLinks].filter(([pageId]) => completePageIds.has(pageId)));
  const linkedIds = new Set([...links.values()].flatMap(collectLinkedIds));
  const foundPages: Page[] = [];
  for (const ids of chunk([...linkedIds], PAGES_PER_STEP)) {
    const sizes = await readPageBytes(scope, ids);
    for (const part of splitByBytes(sizes, MAX_PRESENTED_BYTES_PER_TURN, getBytes)) {
      foundPages.push(...(await findPages(scope, getIds(part))));
      await waitIfLong();
    }
  }
  const linkedPages = indexById(foundPages);
  const linksOfLinkedPages = await findLinks(
    scope,
    getIds(foundPages),
    targetRelationIds,
    undefined,
    waitIfLong,
  );
  return { completePageIds, links, linkedPages, linksOfLinkedPages };
}

/** Computes the rollups of all pages of `data`, in several turns of the event loop: one of 2,000 dates takes 20 ms. */
export async function computeRollups(
  scope: Pick<Scope, "waitForTurn">,
  { byRollupId }: RollupSources,
  data: RollupData,
  getUser: References["getUser"],
): Promise<RollupResults> {
  const waitIfLong = createWaitIfLong(scope);
  const results = new Map<string, Schemas["RollupResult"]>();
  // Many rollups can read the same values.
  const valuesByProperty = new Map<PropertyDefinition, Map<string, NonRollupValue>>();
  for (const pageId of data.completePageIds) {
    for (const source of byRollupId.values()) {
      const key = formatResultKey(source, pageId);
      if (results.has(key)) continue;
      const { target } = source;
      const valuesById = getOrCreate(valuesByProperty, target, () => new Map<string, NonRollupValue>());
      const values: NonRollupValue[] = [];
      for (const linkedIds of chunk(
        getLinks(data.links, pageId, source.relation.id).pageIds,
        PAGES_PER_STEP,
      )) {
        const part = listValues(target, linkedIds, data, getUser, valuesById);
        // Only adds the dates and elements of these values, which take most of the time, to the caches of computeRollup.
        computeRollup(source.rollup.function, part);
        values.push(...part);
        await waitIfLong();
      }
      results.set(key, computeRollup(source.rollup.function, values));
    }
  }
  return results;
}

/** Returns a computed rollup of a page, or an incomplete one if its source, or the data of the page's rollups, was too large. */
export function presentRollup(
  rollup: DefinitionOf<"rollup">,
  { byRollupId, incompleteIds }: RollupSources,
  pageId: string,
  results: RollupResults,
): Schemas["RollupResult"] {
  if (incompleteIds.has(rollup.id)) return createIncompleteRollup(rollup);
  const source = byRollupId.get(rollup.id);
  if (source === undefined) return computeRollup(rollup.function, []);
  return results.get(formatResultKey(source, pageId)) ?? createIncompleteRollup(rollup);
}

function formatResultKey({ rollup, relation, target }: RollupSource, pageId: string): string {
  return [pageId, relation.id, target.id, rollup.function].join(" ");
}

/** Lists the values of a property of linked pages, and adds them to `valuesById`. */
function listValues(
  property: RollupSource["target"],
  linkedIds: readonly string[],
  { linkedPages, linksOfLinkedPages }: RollupData,
  getUser: References["getUser"],
  valuesById: Map<string, NonRollupValue>,
): NonRollupValue[] {
  const createValue = (linkedId: string): NonRollupValue | undefined => {
    const linkedPage = linkedPages.get(linkedId);
    const getLinksOf = ({ id }: PropertyDefinition): Links => getLinks(linksOfLinkedPages, linkedId, id);
    return linkedPage && toNonRollupValue(property, linkedPage, { getUser, getLinks: getLinksOf });
  };
  return linkedIds.flatMap((linkedId) => {
    const value = valuesById.get(linkedId) ?? createValue(linkedId);
    if (value !== undefined) valuesById.set(linkedId, value);
    return value ?? [];
  });
}

export function createIncompleteRollup({ function: name }: DefinitionOf<"rollup">): Schemas["RollupResult"] {
  return { type: "incomplete", incomplete: {}, function: name };
}

/** Returns the ids of the pages whose bytes fit into a budget, and subtracts these bytes from it. */
function selectFittingPages(
  pageIds: readonly string[],
  bytesById: ReadonlyMap<string, number>,
  budget: ByteBudget,
): ReadonlySet<string> {
  return new Set(
    pageIds.filter((id) => {
      const bytes = bytesById.get(id) ?? 0;
      if (bytes > budget.bytesLeft) return false;
      budget.bytesLeft -= bytes;
      return true;
    }),
  );
}

/**
 * Estimates the bytes of the links that rollups with a relation as their target read from the linked pages, by the id of the page
 * with the rollups.
 *
 * @param links links from the pages with the rollups to the linked pages
 * @param targetRelationIds id of the target of each rollup whose target is a relation, with duplicates
 */
async function readTargetLinkBytes(
  scope: Scope,
  links: LinksByPage,
  targetRelationIds: readonly string[],
  waitIfLong: () => Promise<void>,
): Promise<ReadonlyMap<string, number>> {
  const distinctIds = [...new Set(targetRelationIds)];
  // Each rollup reads the links of its target again. The largest number of rollups with the same target is an upper bound.
  const maxReads = Math.max(
    1,
    ...distinctIds.map((id) => targetRelationIds.filter((other) => other === id).length),
  );
  const linkedIdsByPage = [...links].map(
    ([pageId, linksOfPage]) => [pageId, collectLinkedIds(linksOfPage)] as const,
  );
  const linkedIds = new Set(linkedIdsByPage.flatMap(([, ids]) => ids));
  const bytesById = await readLinkBytes(scope, [...linkedIds], distinctIds, waitIfLong);
  return new Map(
    linkedIdsByPage.map(([pageId, ids]) => [pageId, sumBy(ids, (id) => maxReads * (bytesById.get(id) ?? 0))]),
  );
}

/** Returns the ids of the pages to which one page links, with duplicates. */
function collectLinkedIds(linksOfPage: ReadonlyMap<string, Links>): string[] {
  return [...linksOfPage.values()].flatMap(({ pageIds }) => pageIds);
}
