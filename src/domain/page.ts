import { DomainError } from "./errors.js";
import { toCover, toIcon, type Cover, type CoverInput, type Icon, type IconInput } from "./icon.js";
import { newId } from "./ids.js";
import { newObject, type Parent, type StoredObject } from "./object.js";
import type { StoredProperties } from "./properties/stored.js";

/** A page as the service keeps it. */
export interface Page extends StoredObject {
  readonly icon: Icon | null;
  readonly cover: Cover | null;
  readonly properties: StoredProperties;
}

/** What a create request says about the new page besides its properties. */
export interface NewPage {
  readonly icon?: IconInput | null | undefined;
  readonly cover?: CoverInput | null | undefined;
}

/** What an update request says besides new properties; what is left out stays as it is. */
export interface PageChange extends NewPage {
  /** The older name of `in_trash`. */
  readonly archived?: boolean | undefined;
  readonly in_trash?: boolean | undefined;
}

/**
 * Makes a page.
 *
 * @param properties what is stored for its properties
 * @param by The id of the user who creates it.
 * @param now Milliseconds since 1970.
 */
export function createPage(
  parent: Parent,
  properties: StoredProperties,
  input: NewPage,
  by: string,
  now: number,
): Page {
  return {
    ...newObject(newId(), parent, by, now),
    icon: toIcon(input.icon ?? null),
    cover: toCover(input.cover ?? null),
    properties,
  };
}

/**
 * Whether a page is to be in the trash after an update.
 *
 * @param edits whether the request changes something else as well
 * @throws DomainError (validation) when the request contradicts itself, or would change a page that is, and stays, in the
 *   trash
 */
export function staysInTrash(page: Page, change: PageChange, edits: boolean): boolean {
  const { archived, in_trash: trashed } = change;
  if (archived !== undefined && trashed !== undefined && archived !== trashed) {
    throw new DomainError("validation", "archived and in_trash must be equal when both are given.");
  }
  const inTrash = trashed ?? archived ?? page.inTrash;
  if (edits && page.inTrash && inTrash) throw archivedError();
  return inTrash;
}

/** The error for a change of something that is in the trash, or of what is in it. */
export function archivedError(): DomainError {
  return new DomainError(
    "validation",
    "Can't edit block that is archived. You must unarchive the block before editing.",
  );
}

/**
 * Applies what an update says about icon, cover and properties.
 *
 * @param properties what is stored for the properties from now on
 * @param by The id of the user who edits it.
 * @param now Milliseconds since 1970; a page's time of last edit never goes back.
 */
export function changePage(
  page: Page,
  change: NewPage,
  properties: StoredProperties,
  by: string,
  now: number,
): Page {
  return {
    ...page,
    icon: change.icon === undefined ? page.icon : toIcon(change.icon),
    cover: change.cover === undefined ? page.cover : toCover(change.cover),
    properties,
    lastEditedTime: Math.max(now, page.lastEditedTime),
    lastEditedBy: by,
  };
}
