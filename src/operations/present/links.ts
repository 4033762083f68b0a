import type { Links } from "../../domain/properties/response-values.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import { MAX_SHOWN_LINKS } from "../../budgets.js";
import { loadLinks, type LinksByPage } from "../../storage/relations.js";
import type { Scope } from "../scope.js";

export const NO_LINKS: Links = { pageIds: [], hasMore: false };

/** Reads the links of pages in the relations among properties, up to the limit of a response. */
export function loadShownLinks(
  scope: Scope,
  pageIds: readonly string[],
  properties: readonly PropertyDefinition[],
): Promise<LinksByPage> {
  return loadLinks(scope, pageIds, selectRelationIds(properties), MAX_SHOWN_LINKS);
}

export function selectRelationIds(properties: readonly PropertyDefinition[]): string[] {
  return properties.filter(({ type }) => type === "relation").map(({ id }) => id);
}

export function getLinks(links: LinksByPage, pageId: string, propertyId: string): Links {
  return links.get(pageId)?.get(propertyId) ?? NO_LINKS;
}
