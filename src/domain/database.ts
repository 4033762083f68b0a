import { type Cover, type CoverInput, type Icon, type IconInput, toCover, toIcon } from "./icon.js";
import { editedBy, newObject, type Edit, type Parent, type StoredObject } from "./object.js";
import { type RichText, type RichTextInput, toRichTexts } from "./rich-text.js";
import { makeSchema, type Schema } from "./schema.js";
import { archivedError } from "./trash.js";

/** A database. */
export interface Database extends StoredObject {
  readonly title: readonly RichText[];
  readonly description: readonly RichText[];
  readonly icon: Icon | null;
  readonly cover: Cover | null;
  readonly isInline: boolean;
  readonly schema: Schema;
}

/** Fields of a create request, except for the properties. */
export interface NewDatabase {
  readonly title?: readonly RichTextInput[] | undefined;
  readonly description?: readonly RichTextInput[] | undefined;
  readonly icon?: IconInput | null | undefined;
  readonly cover?: CoverInput | null | undefined;
  readonly is_inline?: boolean | undefined;
}

/** Fields of an update request; an omitted field keeps its value. */
export interface DatabaseChange extends NewDatabase {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/** Schema of a new database before its properties are added. */
const EMPTY_SCHEMA: Schema = makeSchema([]);

/**
 * Creates a database without properties.
 *
 * @throws DomainError (validation) for invalid rich text or an invalid icon
 */
export function createDatabase(id: string, parent: Parent, input: NewDatabase, edit: Edit): Database {
  return {
    ...newObject(id, parent, edit),
    title: toRichTexts(input.title ?? [], "body.title"),
    description: toRichTexts(input.description ?? [], "body.description"),
    icon: toIcon(input.icon ?? null),
    cover: toCover(input.cover ?? null),
    isInline: input.is_inline ?? false,
    schema: EMPTY_SCHEMA,
  };
}

/** Whether an update does more than move the database to or from the trash. */
export function editsDatabase(change: DatabaseChange): boolean {
  const { title, description, icon, cover, is_inline: isInline, properties = {} } = change;
  const fields = [title, description, icon, cover, isInline];
  return fields.some((field) => field !== undefined) || Object.keys(properties).length > 0;
}

/**
 * Applies an update to a database, except to its properties, and except for moving it to or from the trash.
 *
 * @throws DomainError (validation) for a database in the trash, invalid rich text or an invalid icon
 */
export function changeDatabase(database: Database, change: DatabaseChange, edit: Edit): Database {
  if (database.inTrash) throw archivedError();
  const { title, description, icon, cover, is_inline: isInline } = change;
  return {
    ...database,
    title: title === undefined ? database.title : toRichTexts(title, "body.title"),
    description:
      description === undefined ? database.description : toRichTexts(description, "body.description"),
    icon: icon === undefined ? database.icon : toIcon(icon),
    cover: cover === undefined ? database.cover : toCover(cover),
    isInline: isInline ?? database.isInline,
    ...editedBy(database, edit),
  };
}
