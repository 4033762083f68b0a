import type { Schemas } from "./api-schemas.js";
import { type ExternalFile, type Icon, parseCover, parseIcon } from "./icon.js";
import { newId } from "./ids.js";
import {
  createEditFields,
  createStoredObject,
  type Edit,
  type Parent,
  type StoredObject,
} from "./stored-object.js";
import type { StoredProperties } from "./properties/stored-values.js";

export interface Page extends StoredObject {
  readonly icon: Icon | null;
  readonly cover: ExternalFile | null;
  readonly properties: StoredProperties;
}

/** Icon and cover of a create or update request. An update keeps the value of an omitted field. */
type PageInput = Pick<Schemas["UpdatePageBody"], "icon" | "cover">;

/** Creates a page. Throws a DomainError (validation) for an invalid icon. */
export function createPageObject(
  parent: Parent,
  properties: StoredProperties,
  input: PageInput,
  edit: Edit,
): Page {
  const empty = { icon: null, cover: null, properties, ...createStoredObject(newId(), parent, edit) };
  return changePage(empty, input, properties, edit);
}

/** Applies an update to a page, and replaces its property values. Throws a DomainError (validation) for an invalid icon. */
export function changePage(page: Page, input: PageInput, properties: StoredProperties, edit: Edit): Page {
  return {
    ...page,
    icon: input.icon === undefined ? page.icon : parseIcon(input.icon),
    cover: input.cover === undefined ? page.cover : parseCover(input.cover),
    properties,
    ...createEditFields(page, edit),
  };
}
