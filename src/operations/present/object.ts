import type { Schemas } from "../../domain/api-schemas.js";
import { formatBareId } from "../../domain/ids.js";
import type { Parent, StoredObject } from "../../domain/stored-object.js";
import type { Urls } from "../execution/scope.js";

/** Returns the address of a page or database in the web application. */
export function createObjectUrl(urls: Urls, id: string): string {
  return `${urls.app}/${formatBareId(id)}`;
}

/** Converts the fields that pages, databases and blocks have in common. */
export function presentObject(object: StoredObject) {
  return {
    id: object.id,
    created_time: new Date(object.createdTime).toISOString(),
    last_edited_time: new Date(object.lastEditedTime).toISOString(),
    created_by: presentUserId(object.createdBy),
    last_edited_by: presentUserId(object.lastEditedBy),
    parent: presentParent(object.parent),
    archived: object.inTrash,
    in_trash: object.inTrash,
  };
}

/** Converts a user id to the reference that most response bodies contain. */
export function presentUserId(id: string): Schemas["PartialUser"] {
  return { object: "user", id };
}

function presentParent(parent: Parent): Schemas["Parent"] {
  switch (parent.type) {
    case "workspace":
      return { type: "workspace", workspace: true };
    case "database_id":
      return { type: "database_id", database_id: parent.id };
    case "page_id":
      return { type: "page_id", page_id: parent.id };
    case "block_id":
      return { type: "block_id", block_id: parent.id };
  }
}
