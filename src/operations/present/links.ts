import type { Links } from "../../domain/properties/response-values.js";
import type { PropertyDefinition } from "../../domain/schema.js";
import { getIds } from "../../lists.js";
import type { LinksByPage } from "../../storage/pages/read-links.js";

export const NO_LINKS: Links = { pageIds: [], hasMore: false };

export function selectRelationIds(properties: readonly PropertyDefinition[]): string[] {
  return getIds(properties.filter(({ type }) => type === "relation"));
}

export function getLinks(links: LinksByPage, pageId: string, propertyId: string): Links {
  return links.get(pageId)?.get(propertyId) ?? NO_LINKS;
}
