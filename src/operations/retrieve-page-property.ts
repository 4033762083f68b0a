import type { Schemas } from "../domain/api-schemas.js";
import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { requireId } from "../domain/ids.js";
import { renderProperty } from "../domain/properties/render.js";
import { type DefinitionOf, type PropertyDefinition, getApiId } from "../domain/schema.js";
import type { PageWithSchema } from "../storage/pages.js";
import { listLinks } from "../storage/relations.js";
import { createListPart, type Pagination, type ListResult } from "./list.js";
import { requirePage } from "./load/pages-and-databases.js";
import { describeList, toItems, type ListDescriptor, type PropertyItem } from "./present/property-items.js";
import { loadReferences } from "./present/load-references.js";
import { requireProperty } from "./property-filter.js";
import type { ReadScope } from "./scope.js";

/** The value of a property: one item, or part of a list of items. */
export type PropertyItems =
  | { readonly kind: "item"; readonly item: PropertyItem }
  | {
      readonly kind: "list";
      readonly items: ListResult<PropertyItem>;
      readonly descriptor: Schemas["PropertyItemListOf"];
    };

/**
 * Retrieves the value of a property of a page: a list for types whose values can be long, and one item for the others. Throws a
 * DomainError: (not_found) when the page does not exist, or (validation) when it lacks the property or the cursor is invalid.
 *
 * @param propertyKey name or id of the property
 */
export async function retrievePageProperty(
  scope: ReadScope,
  pageId: string,
  propertyKey: string,
  range: Pagination,
): Promise<PropertyItems> {
  const found = await requirePage(scope, requireId(pageId));
  const property = requireProperty(found.schema, propertyKey);
  const source =
    property.type === "relation"
      ? await readLinks(scope, found.page.id, property, range)
      : await readValue(scope, found, property, range);
  if (source.descriptor === undefined) return { kind: "item", item: source.item };

  const listName = formatListName(found.page.id, property);
  const { elements, nextCursor } = createListPart(source.items, range.size, ({ ordinal }) =>
    encodeCursor(listName, [ordinal]),
  );
  const url = `${scope.urls.api}/v1/pages/${found.page.id}/properties/${getApiId(property)}`;
  const nextUrl = nextCursor === null ? null : `${url}?start_cursor=${nextCursor}&page_size=${range.size}`;
  return {
    kind: "list",
    items: { results: elements.map(({ item }) => item), nextCursor },
    descriptor: { ...source.descriptor, next_url: nextUrl },
  };
}

interface ItemPosition {
  readonly item: PropertyItem;
  readonly ordinal: number;
}

type ItemSource =
  | { readonly descriptor: ListDescriptor; readonly items: readonly ItemPosition[] }
  | { readonly descriptor: undefined; readonly item: PropertyItem };

/** Reads part of the links of a relation, because a relation can have any number of links. */
async function readLinks(
  scope: ReadScope,
  pageId: string,
  property: DefinitionOf<"relation">,
  range: Pagination,
): Promise<ItemSource> {
  const after = readLastOrdinal(pageId, property, range);
  const links = await listLinks(scope, pageId, property.id, after, range.size + 1);
  const id = getApiId(property);
  return {
    descriptor: { id, type: "relation", relation: {} },
    items: links.map(({ pageId: target, ordinal }) => ({
      item: { object: "property_item", id, type: "relation", relation: { id: target } },
      ordinal,
    })),
  };
}

async function readValue(
  scope: ReadScope,
  { page, schema }: PageWithSchema,
  property: PropertyDefinition,
  range: Pagination,
): Promise<ItemSource> {
  const references = await loadReferences(scope, schema, [property], [page]);
  const value = renderProperty(property, page, references(page.id));
  const items = toItems(value);
  const descriptor = describeList(value);
  if (descriptor === undefined) {
    const [item] = items;
    if (item === undefined) throw new Error(`a value of type ${value.type} has no item`);
    return { descriptor, item };
  }
  const first = readLastOrdinal(page.id, property, range) + 1;
  return {
    descriptor,
    items: items.slice(first).map((item, index) => ({ item, ordinal: first + index })),
  };
}

/** Returns the ordinal of the last item that the client has, from the cursor; -1 at the beginning. */
function readLastOrdinal(pageId: string, property: PropertyDefinition, { cursor }: Pagination): number {
  const [ordinal = -1] = decodeCursor(formatListName(pageId, property), cursor, ["ordinal"]);
  return Number(ordinal);
}

function formatListName(pageId: string, { id }: PropertyDefinition): string {
  return `property ${pageId} ${id}`;
}
