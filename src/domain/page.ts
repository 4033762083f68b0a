import { DomainError } from "./errors.js";
import { toCover, toIcon, type Cover, type CoverInput, type Icon, type IconInput } from "./icon.js";
import { applyProperties, type StoredProperties } from "./properties.js";
import { newId } from "./ids.js";
import type { StoredObject } from "./object.js";
import type { Schema } from "./schema.js";

/** A page as the service keeps it. */
export interface Page extends StoredObject {
  readonly icon: Icon | null;
  readonly cover: Cover | null;
  readonly properties: StoredProperties;
}

/** What a create request says about the new page. */
export interface NewPage {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly icon?: IconInput | null | undefined;
  readonly cover?: CoverInput | null | undefined;
}

/** What an update request says; what is left out stays as it is. `archived` is the older name of `in_trash`. */
export interface PageChange {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
  readonly icon?: IconInput | null | undefined;
  readonly cover?: CoverInput | null | undefined;
  readonly archived?: boolean | undefined;
  readonly in_trash?: boolean | undefined;
}

/**
 * Makes a page.
 *
 * @param parent The database that it goes into, and that database's properties.
 * @param by The id of the user who creates it.
 * @param now Milliseconds since 1970.
 * @throws DomainError (validation) when the properties do not fit the schema.
 */
export function createPage(
  parent: { readonly databaseId: string; readonly schema: Schema },
  input: NewPage,
  by: string,
  now: number,
): Page {
  return {
    id: newId(),
    parent: { type: "database_id", id: parent.databaseId },
    createdTime: now,
    lastEditedTime: now,
    createdBy: by,
    lastEditedBy: by,
    icon: toIcon(input.icon ?? null),
    cover: toCover(input.cover ?? null),
    inTrash: false,
    trashRoot: null,
    properties: applyProperties(parent.schema, {}, input.properties),
  };
}

/**
 * Applies an update to a page.
 *
 * @param by The id of the user who edits it.
 * @param now Milliseconds since 1970; a page's time of last edit never goes back.
 * @returns The page as it is to be stored; `page` itself when the request changes nothing.
 * @throws DomainError (validation) when the properties do not fit the schema, or when the page is in the
 *   trash and the request does not restore it.
 */
export function changePage(page: Page, schema: Schema, change: PageChange, by: string, now: number): Page {
  const { archived, in_trash: trashed } = change;
  if (archived !== undefined && trashed !== undefined && archived !== trashed) {
    throw new DomainError("validation", "archived and in_trash must be equal when both are given.");
  }
  const inTrash = trashed ?? archived ?? page.inTrash;
  const edits =
    change.icon !== undefined ||
    change.cover !== undefined ||
    (change.properties !== undefined && Object.keys(change.properties).length > 0);
  if (!edits && inTrash === page.inTrash) return page;
  if (edits && page.inTrash && inTrash) {
    throw new DomainError(
      "validation",
      "Can't edit block that is archived. You must unarchive the block before editing.",
    );
  }
  return {
    ...page,
    icon: change.icon === undefined ? page.icon : toIcon(change.icon),
    cover: change.cover === undefined ? page.cover : toCover(change.cover),
    inTrash,
    trashRoot: inTrash ? page.id : null,
    properties:
      change.properties === undefined
        ? page.properties
        : applyProperties(schema, page.properties, change.properties),
    lastEditedTime: Math.max(now, page.lastEditedTime),
    lastEditedBy: by,
  };
}
