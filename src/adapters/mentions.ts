import type { Kysely } from "kysely";
import { notFound } from "../domain/errors.js";
import {
  type Mentioned,
  mentionedIn,
  mentionsNothing,
  type MentionName,
  withNames,
} from "../domain/mentions.js";
import type { Mention } from "../domain/rich-text.js";
import type { Tables } from "../storage/tables.js";
import { findTitled, type Titled } from "../storage/titles.js";
import { findUsers } from "../storage/users.js";

/** What a page or database without a title is called where it is mentioned. */
const UNTITLED = "Untitled";

/** Address of a page or database in the web application. */
export function objectUrl(appUrl: string, id: string): string {
  return `${appUrl}/${id.replaceAll("-", "")}`;
}

/**
 * Makes sure that what the texts of a request mention is there.
 *
 * @param value what is to be stored; rich text may be anywhere in it
 * @throws DomainError (not found) for a page, database or user that the workspace does not have
 */
export async function checkMentions(tx: Kysely<Tables>, workspaceId: string, value: unknown): Promise<void> {
  const mentioned = mentionedIn(value);
  if (mentionsNothing(mentioned)) return;
  const { titled, users } = await findNames(tx, workspaceId, mentioned);
  for (const id of mentioned.pages) if (titled.get(id)?.kind !== "page") throw notFound("page", id);
  for (const id of mentioned.databases) {
    if (titled.get(id)?.kind !== "database") throw notFound("database", id);
  }
  for (const id of mentioned.users) if (!users.has(id)) throw notFound("user", id);
}

/**
 * Puts the titles and names into the mentions of what is to be shown, as they are now.
 *
 * @param value what an answer holds; rich text may be anywhere in it
 * @returns a copy where something is mentioned; `value` itself where nothing is
 */
export async function nameMentions<T>(
  db: Kysely<Tables>,
  workspaceId: string,
  appUrl: string,
  value: T,
): Promise<T> {
  const mentioned = mentionedIn(value);
  if (mentionsNothing(mentioned)) return value;
  const { titled, users } = await findNames(db, workspaceId, mentioned);
  return withNames(value, (mention) => nameOf(mention, titled, users, appUrl));
}

async function findNames(
  db: Kysely<Tables>,
  workspaceId: string,
  mentioned: Mentioned,
): Promise<{ titled: Map<string, Titled>; users: Map<string, string> }> {
  const titled = await findTitled(db, workspaceId, mentioned);
  const users = await findUsers(db, workspaceId, [...mentioned.users]);
  return { titled, users: new Map(users.map(({ id, name }) => [id, name])) };
}

function nameOf(
  mention: Mention,
  titled: ReadonlyMap<string, Titled>,
  users: ReadonlyMap<string, string>,
  appUrl: string,
): MentionName | undefined {
  switch (mention.type) {
    case "page":
    case "database": {
      const { id } = mention.type === "page" ? mention.page : mention.database;
      return { text: titled.get(id)?.title || UNTITLED, href: objectUrl(appUrl, id) };
    }
    case "user":
      return { text: `@${users.get(mention.user.id) ?? ""}`, href: null };
    default:
      return undefined;
  }
}
