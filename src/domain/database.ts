import { type Cover, type CoverInput, type Icon, type IconInput, toCover, toIcon } from "./icon.js";
import { newObject, type Parent, type StoredObject } from "./object.js";
import { type RichText, type RichTextInput, toRichTexts } from "./rich-text.js";
import type { Schema } from "./schema.js";
import { archivedError } from "./trash.js";

/** A database as the service keeps it. */
export interface Database extends StoredObject {
  readonly title: readonly RichText[];
  readonly description: readonly RichText[];
  readonly icon: Icon | null;
  readonly cover: Cover | null;
  readonly isInline: boolean;
  readonly schema: Schema;
}

/** What a create request says about the new database, besides its properties. */
export interface NewDatabase {
  readonly title?: readonly RichTextInput[] | undefined;
  readonly description?: readonly RichTextInput[] | undefined;
  readonly icon?: IconInput | null | undefined;
  readonly cover?: CoverInput | null | undefined;
  readonly is_inline?: boolean | undefined;
}

/** What an update request says; what is left out stays as it is. */
export interface DatabaseChange extends NewDatabase {
  readonly properties?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Makes a database, as yet without properties.
 *
 * @param empty The schema without any.
 * @param by The id of the user who creates it.
 * @param now Milliseconds since 1970.
 * @throws DomainError (validation) when a text or the icon is not just one of the kinds that there are.
 */
export function createDatabase(
  id: string,
  parent: Parent,
  input: NewDatabase,
  empty: Schema,
  by: string,
  now: number,
): Database {
  return {
    ...newObject(id, parent, by, now),
    title: toRichTexts(input.title ?? [], "body.title"),
    description: toRichTexts(input.description ?? [], "body.description"),
    icon: toIcon(input.icon ?? null),
    cover: toCover(input.cover ?? null),
    isInline: input.is_inline ?? false,
    schema: empty,
  };
}

/** Whether an update changes more than whether the database is in the trash. */
export function editsDatabase(change: DatabaseChange): boolean {
  const { title, description, icon, cover, is_inline: isInline, properties = {} } = change;
  const members = [title, description, icon, cover, isInline];
  return members.some((member) => member !== undefined) || Object.keys(properties).length > 0;
}

/**
 * Applies an update to all of a database but its properties and its place in the trash.
 *
 * @param by The id of the user who edits it.
 * @param now Milliseconds since 1970; the time of the last edit never goes back.
 * @throws DomainError (validation) when the database is in the trash, or a text or the icon is not just one of the kinds
 *   that there are.
 */
export function changeDatabase(
  database: Database,
  change: DatabaseChange,
  by: string,
  now: number,
): Database {
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
    lastEditedTime: Math.max(now, database.lastEditedTime),
    lastEditedBy: by,
  };
}
