import type { Schemas } from "./api-schemas.js";
import { type ExternalFile, type Icon, parseCover, parseIcon } from "./icon.js";
import {
  createEditFields,
  createStoredObject,
  type Edit,
  type Parent,
  type StoredObject,
} from "./stored-object.js";
import { newId } from "./ids.js";
import { type RichText, parseRichText } from "./rich-text.js";
import { createSchema, type Schema } from "./schema.js";

export interface Database extends StoredObject {
  readonly title: readonly RichText[];
  readonly description: readonly RichText[];
  readonly icon: Icon | null;
  readonly cover: ExternalFile | null;
  readonly isInline: boolean;
  readonly schema: Schema;
}

type NewDatabase = Omit<Schemas["CreateDatabaseBody"], "parent" | "properties">;
type DatabaseChange = Schemas["UpdateDatabaseBody"];

/** Creates a database without properties. Throws a DomainError (validation) for invalid rich text or an invalid icon. */
export function createDatabaseObject(parent: Parent, input: NewDatabase, edit: Edit): Database {
  const fields = { title: [], description: [], icon: null, cover: null, isInline: false };
  const empty = { ...createStoredObject(newId(), parent, edit), ...fields, schema: createSchema([]) };
  return changeDatabase(empty, input, edit);
}

/** Whether an update changes anything besides moving the database to the trash or restoring it. */
export function editsDatabase(change: DatabaseChange): boolean {
  const { title, description, icon, cover, is_inline: isInline, properties = {} } = change;
  const fields = [title, description, icon, cover, isInline];
  return fields.some((field) => field !== undefined) || Object.keys(properties).length > 0;
}

/** Applies an update except for the schema. Throws a DomainError (validation) for invalid values. */
export function changeDatabase(database: Database, change: DatabaseChange, edit: Edit): Database {
  const { title, description, icon, cover, is_inline: isInline } = change;
  return {
    ...database,
    title: title === undefined ? database.title : parseRichText(title, "body.title"),
    description:
      description === undefined ? database.description : parseRichText(description, "body.description"),
    icon: icon === undefined ? database.icon : parseIcon(icon),
    cover: cover === undefined ? database.cover : parseCover(cover),
    isInline: isInline ?? database.isInline,
    ...createEditFields(database, edit),
  };
}
