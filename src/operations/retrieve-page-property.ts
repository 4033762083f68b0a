import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { normalizeId } from "../domain/ids.js";
import { toPropertyValue } from "../domain/properties/response-values.js";
import { findPropertyByIdFirst, getEncodedPublicId, requireProperty } from "../domain/schema.js";
import { findLinksAfter } from "../storage/pages/read-links.js";
import { takeOnly } from "../lists.js";
import { createListPart, type Pagination } from "./load/list-parts.js";
import { requirePage } from "./load/pages-and-databases.js";
import {
  createListDescriptor,
  toPropertyItems,
  type ListDescriptor,
  type PropertyItem,
} from "./present/property-items.js";
import { resolveMentions } from "./present/mentions.js";
import { loadReferences } from "./present/load-references.js";
import type { ReadScope } from "./execution/scope.js";

/** Retrieves a property: one item, or a list if its values can be long. Throws a DomainError (not_found, validation or invalid_cursor). */
export async function retrievePageProperty(
  scope: ReadScope,
  pageId: string,
  idOrName: string,
  { cursor, size }: Pagination,
) {
  const { page, schema, property } = await requirePageProperty(scope, normalizeId(pageId), idOrName);
  const id = getEncodedPublicId(property);
  const listName = `property ${page.id} ${property.id}`;
  /** Returns the ordinal of the last item that the client has; -1 at the beginning. */
  const decodeLastOrdinal = () => Number(decodeCursor(listName, cursor, ["ordinal"])[0] ?? -1);

  let descriptor: ListDescriptor | undefined;
  /** Items after the cursor with their positions: at least one more than requested, if the list continues after the requested ones. */
  let items: { item: PropertyItem; ordinal: number }[];
  if (property.type === "relation") {
    descriptor = { id, type: "relation", relation: {} };
    // A relation can have any number of links, so only a part of them is read.
    const links = await findLinksAfter(scope, page.id, property.id, decodeLastOrdinal(), size + 1);
    items = links.map(({ pageId: linkedId, ordinal }) => ({
      item: { object: "property_item", id, type: "relation", relation: { id: linkedId } },
      ordinal,
    }));
  } else {
    const references = await loadReferences(scope, schema, [property], [page]);
    const value = toPropertyValue(property, page, references(page.id));
    const allItems = toPropertyItems(value);
    descriptor = createListDescriptor(value);
    if (descriptor === undefined) return { kind: "item" as const, item: takeOnly(allItems) };
    items = allItems.map((item, ordinal) => ({ item, ordinal })).slice(decodeLastOrdinal() + 1);
  }
  const { elements, nextCursor } = createListPart(items, size, ({ ordinal }) =>
    encodeCursor(listName, [ordinal]),
  );
  const results = await resolveMentions(
    scope,
    elements.map(({ item }) => item),
  );
  const url = `${scope.urls.api}/v1/pages/${page.id}/properties/${id}`;
  const next_url = nextCursor && `${url}?start_cursor=${nextCursor}&page_size=${size}`;
  return { kind: "list" as const, items: { results, nextCursor }, descriptor: { ...descriptor, next_url } };
}

/** Reads a page with only the value of one property, because all values would take memory while a rollup waits for its turn. */
async function requirePageProperty(scope: ReadScope, pageId: string, idOrName: string) {
  const { page, schema } = await requirePage(scope, pageId);
  const property = requireProperty(findPropertyByIdFirst(schema, idOrName), idOrName);
  const value = page.properties[property.id];
  const properties = value === undefined ? {} : { [property.id]: value };
  return { page: { ...page, properties }, schema, property };
}
