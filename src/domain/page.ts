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

/** What a request says about a page besides its properties; what an update leaves out stays as it is. */
export interface PageInput {
  readonly icon?: IconInput | null | undefined;
  readonly cover?: CoverInput | null | undefined;
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
  input: PageInput,
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
 * Applies what an update says about icon, cover and properties.
 *
 * @param properties what is stored for the properties from now on
 * @param by The id of the user who edits it.
 * @param now Milliseconds since 1970; a page's time of last edit never goes back.
 */
export function changePage(
  page: Page,
  change: PageInput,
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
