import type { Schemas } from "../domain/api-schemas.js";
import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { normalizeId } from "../domain/ids.js";
import { toPropertyValue } from "../domain/properties/response-values.js";
import { findPropertyByIdFirst, getEncodedPublicId, requireProperty } from "../domain/schema.js";
import { findLinksAfter } from "../storage/relations.js";
import { takeOnly } from "./by-id.js";
import { createListPart, type Pagination, type ListResult } from "./list-parts.js";
import { requirePage } from "./load/pages-and-databases.js";
import {
  createListDescriptor,
  toPropertyItems,
  type ListDescriptor,
  type PropertyItem,
} from "./present/property-items.js";
import { resolveMentions } from "./present/mentions.js";
import { loadReferences } from "./present/load-references.js";
import type { ReadScope } from "./scope.js";

/** The value of a property: one item, or part of a list of items. */
export type PropertyItems =
  | { readonly kind: "item"; readonly item: PropertyItem }
  | {
      readonly kind: "list";
      readonly items: ListResult<PropertyItem>;
      readonly descriptor: Schemas["PropertyItemListOf"];
    };

/** An item and its position in the whole list. */
interface ItemPosition {
  readonly item: PropertyItem;
  readonly ordinal: number;
}

/**
 * Retrieves the value of a property of a page: a list for types whose values can be long, and one item for the others. Throws a
 * DomainError: (not_found) when the page does not exist, (validation) when it lacks the property, or (invalid_cursor).
 */
export async function retrievePageProperty(
  scope: ReadScope,
  pageId: string,
  idOrName: string,
  pagination: Pagination,
): Promise<PropertyItems> {
  const { page, schema } = await requirePage(scope, normalizeId(pageId));
  const property = requireProperty(findPropertyByIdFirst(schema, idOrName), idOrName);
  const listName = `property ${page.id} ${property.id}`;
  const toList = async (
    descriptor: ListDescriptor,
    found: readonly ItemPosition[],
  ): Promise<PropertyItems> => {
    const { elements, nextCursor } = createListPart(found, pagination.size, ({ ordinal }) =>
      encodeCursor(listName, [ordinal]),
    );
    const url = `${scope.urls.api}/v1/pages/${page.id}/properties/${getEncodedPublicId(property)}`;
    const nextUrl =
      nextCursor === null ? null : `${url}?start_cursor=${nextCursor}&page_size=${pagination.size}`;
    const results = await resolveMentions(
      scope,
      elements.map(({ item }) => item),
    );
    const items = { results, nextCursor };
    return { kind: "list", items, descriptor: { ...descriptor, next_url: nextUrl } };
  };
  /** Returns the ordinal of the last item that the client has, from the cursor; -1 at the beginning. */
  const decodeLastOrdinal = (): number =>
    Number(decodeCursor(listName, pagination.cursor, ["ordinal"])[0] ?? -1);

  if (property.type === "relation") {
    // Reads only a part, because a relation can have any number of links.
    const links = await findLinksAfter(scope, page.id, property.id, decodeLastOrdinal(), pagination.size + 1);
    const common = { id: getEncodedPublicId(property), type: "relation" } as const;
    const found = links.map(({ pageId: id, ordinal }) => ({
      item: { object: "property_item" as const, ...common, relation: { id } },
      ordinal,
    }));
    return toList({ ...common, relation: {} }, found);
  }
  const references = await loadReferences(scope, schema, [property], [page]);
  const value = toPropertyValue(property, page, references(page.id));
  const items = toPropertyItems(value);
  const descriptor = createListDescriptor(value);
  if (descriptor === undefined) return { kind: "item", item: takeOnly(items) };
  const first = decodeLastOrdinal() + 1;
  const found = items.slice(first).map((item, index) => ({ item, ordinal: first + index }));
  return toList(descriptor, found);
}
