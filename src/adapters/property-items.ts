import type { Kysely } from "kysely";
import type { components } from "../../generated/types.js";
import { DomainError } from "../domain/errors.js";
import { renderProperty } from "../domain/properties/render.js";
import type { PlainValue, PropertyValue } from "../domain/properties/values.js";
import type { DefinitionOf, PropertyDefinition } from "../domain/schema.js";
import type { PageWithSchema } from "../storage/pages.js";
import { listLinks } from "../storage/relations.js";
import type { Tables } from "../storage/tables.js";
import { referencesOf, type UserBody, type Viewer } from "./page-view.js";
import { listBody, type PageWanted } from "./paging.js";

type PropertyItem = components["schemas"]["PropertyItem"];
type PropertyItemList = components["schemas"]["PropertyItemList"];
type ListOf = components["schemas"]["PropertyItemListOf"];

/** Where the items of a property are listed. */
export interface ItemRequest {
  readonly requestId: string;
  readonly wanted: PageWanted;
  /** The address of the operation, which the address of the next items begins with. */
  readonly address: string;
}

/**
 * Makes the answer for one property of a page: a list for values that can be long, one item for the others.
 *
 * @throws DomainError (validation) when the cursor is not one of this property
 */
export async function retrieveItems(
  db: Kysely<Tables>,
  viewer: Viewer,
  { page, schema }: PageWithSchema,
  property: PropertyDefinition,
  request: ItemRequest,
): Promise<PropertyItem | PropertyItemList> {
  if (property.type === "relation") return listRelation(db, viewer, page.id, property, request);
  const references = await referencesOf(db, viewer, schema, [property], [page]);
  const value = renderProperty(property, page, references(page.id));
  const descriptor = describeList(value);
  if (descriptor === undefined) {
    const [item] = value.type === "rollup" ? [] : itemsOf(value.id, value);
    if (item === undefined) throw new Error(`a value of the type ${value.type} has no item`);
    return item;
  }
  const items =
    value.type !== "rollup"
      ? itemsOf(value.id, value)
      : value.rollup.type === "array"
        ? value.rollup.array.flatMap((element) => itemsOf(value.id, element))
        : [];
  const { cursor } = request.wanted;
  const begin = cursor === undefined ? 0 : parseCursor(property.id, cursor) + 1;
  const found = items.slice(begin).map((item, index) => ({ item, place: begin + index }));
  return itemList(property.id, found, descriptor, request);
}

/** Relations are read a piece at a time: they can lead to any number of pages. */
async function listRelation(
  db: Kysely<Tables>,
  { workspaceId }: Viewer,
  pageId: string,
  { id: propertyId }: DefinitionOf<"relation">,
  request: ItemRequest,
): Promise<PropertyItemList> {
  const { cursor, size } = request.wanted;
  const after = cursor === undefined ? -1 : parseCursor(propertyId, cursor);
  const links = await listLinks(db, workspaceId, pageId, propertyId, after, size + 1);
  const id = encodeURIComponent(propertyId);
  const found = links.map(({ pageId: target, ordinal }) => ({
    item: { object: "property_item" as const, id, type: "relation" as const, relation: { id: target } },
    place: ordinal,
  }));
  return itemList(propertyId, found, { id, type: "relation", next_url: null, relation: {} }, request);
}

function itemList(
  propertyId: string,
  found: readonly { readonly item: PropertyItem; readonly place: number }[],
  descriptor: ListOf,
  { requestId, wanted: { size }, address }: ItemRequest,
): PropertyItemList {
  const list = listBody(
    requestId,
    found,
    size,
    ({ place }) => formatCursor(propertyId, place),
    ({ item }) => item,
  );
  const { next_cursor: next } = list;
  const nextUrl = next === null ? null : `${address}?start_cursor=${next}&page_size=${size}`;
  return { ...list, type: "property_item", property_item: { ...descriptor, next_url: nextUrl } };
}

/** What a list says about its property; undefined for a value that is no list. */
function describeList(value: PropertyValue<UserBody>): ListOf | undefined {
  const { id } = value;
  switch (value.type) {
    case "title":
      return { id, type: "title", next_url: null, title: {} };
    case "rich_text":
      return { id, type: "rich_text", next_url: null, rich_text: {} };
    case "people":
      return { id, type: "people", next_url: null, people: {} };
    case "rollup": {
      const rollup = value.rollup.type === "array" ? { ...value.rollup, array: [] } : value.rollup;
      return { id, type: "rollup", next_url: null, rollup };
    }
    default:
      return undefined;
  }
}

/** The items of a value: one for each element of what is listed, else one. */
function itemsOf(id: string, value: PlainValue<UserBody>): PropertyItem[] {
  const common = { object: "property_item" as const, id };
  switch (value.type) {
    case "title":
      return value.title.map((run) => ({ ...common, type: "title", title: run }));
    case "rich_text":
      return value.rich_text.map((run) => ({ ...common, type: "rich_text", rich_text: run }));
    case "people":
      return value.people.map((user) => ({ ...common, type: "people", people: user }));
    case "relation":
      return value.relation.map((page) => ({ ...common, type: "relation", relation: page }));
    default:
      return [{ ...value, ...common }];
  }
}

function formatCursor(propertyId: string, place: number): string {
  return Buffer.from(JSON.stringify([propertyId, place])).toString("base64url");
}

/** The place of the item that a list goes on after. */
function parseCursor(propertyId: string, cursor: string): number {
  const invalid = new DomainError("validation", `The start_cursor provided is invalid: ${cursor}`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw invalid;
  }
  if (!Array.isArray(parsed) || parsed[0] !== propertyId || !Number.isSafeInteger(parsed[1])) throw invalid;
  return Number(parsed[1]);
}
