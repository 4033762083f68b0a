import type { Schemas } from "../domain/api-schemas.js";
import { decodeCursor, encodeCursor } from "../domain/cursor.js";
import { normalizeId } from "../domain/ids.js";
import { toPropertyValue } from "../domain/properties/response-values.js";
import {
  findPropertyByIdFirst,
  getEncodedPublicId,
  type PropertyDefinition,
  requireProperty,
} from "../domain/schema.js";
import type { FoundPage } from "../storage/pages.js";
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
export type PropertyItems = SingleItem | PropertyItemList;

interface SingleItem {
  readonly kind: "item";
  readonly item: PropertyItem;
}

interface PropertyItemList {
  readonly kind: "list";
  readonly items: ListResult<PropertyItem>;
  readonly descriptor: Schemas["PropertyItemListOf"];
}

/** A request for a part of a value. */
interface ValueRequest {
  readonly found: FoundPage;
  readonly property: PropertyDefinition;
  readonly pagination: Pagination;
}

/** Items that follow the cursor: at least one more than requested, if the list continues after the requested ones. */
interface FoundItems {
  readonly kind: "found";
  readonly descriptor: ListDescriptor;
  /** Each item with its position in the whole list. */
  readonly items: readonly { readonly item: PropertyItem; readonly ordinal: number }[];
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
  const found = await requirePage(scope, normalizeId(pageId));
  const property = requireProperty(findPropertyByIdFirst(found.schema, idOrName), idOrName);
  const request = { found, property, pagination };
  const value = await (property.type === "relation" ? readLinks : readValue)(scope, request);
  return value.kind === "item" ? value : presentItems(scope, request, value);
}

/** Reads a part of the links of a relation, which can have any number of them. */
async function readLinks(scope: ReadScope, request: ValueRequest): Promise<FoundItems> {
  const { found, property, pagination } = request;
  const last = decodeLastOrdinal(request);
  const links = await findLinksAfter(scope, found.page.id, property.id, last, pagination.size + 1);
  const common = { id: getEncodedPublicId(property), type: "relation" } as const;
  const items = links.map(({ pageId: id, ordinal }) => ({
    item: { object: "property_item" as const, ...common, relation: { id } },
    ordinal,
  }));
  return { kind: "found", descriptor: { ...common, relation: {} }, items };
}

/** Reads the value of a property that is not a relation. */
async function readValue(scope: ReadScope, request: ValueRequest): Promise<FoundItems | SingleItem> {
  const { property } = request;
  const { page, schema } = request.found;
  const references = await loadReferences(scope, schema, [property], [page]);
  const value = toPropertyValue(property, page, references(page.id));
  const items = toPropertyItems(value);
  const descriptor = createListDescriptor(value);
  if (descriptor === undefined) return { kind: "item", item: takeOnly(items) };
  const first = decodeLastOrdinal(request) + 1;
  const rest = items.slice(first).map((item, index) => ({ item, ordinal: first + index }));
  return { kind: "found", descriptor, items: rest };
}

async function presentItems(
  scope: ReadScope,
  request: ValueRequest,
  { descriptor, items: found }: FoundItems,
): Promise<PropertyItemList> {
  const { size } = request.pagination;
  const { elements, nextCursor } = createListPart(found, size, ({ ordinal }) =>
    encodeCursor(getListName(request), [ordinal]),
  );
  const results = await resolveMentions(
    scope,
    elements.map(({ item }) => item),
  );
  const path = `pages/${request.found.page.id}/properties/${getEncodedPublicId(request.property)}`;
  const next_url = nextCursor && `${scope.urls.api}/v1/${path}?start_cursor=${nextCursor}&page_size=${size}`;
  return { kind: "list", items: { results, nextCursor }, descriptor: { ...descriptor, next_url } };
}

/** Returns the ordinal of the last item that the client has, from the cursor; -1 at the beginning. */
function decodeLastOrdinal(request: ValueRequest): number {
  const [ordinal = -1] = decodeCursor(getListName(request), request.pagination.cursor, ["ordinal"]);
  return Number(ordinal);
}

function getListName({ found, property }: ValueRequest): string {
  return `property ${found.page.id} ${property.id}`;
}
