import { collectMentions, type MentionName, hasNoMentions, fillMentionNames } from "../../domain/mentions.js";
import type { Mention } from "../../domain/rich-text.js";
import { truncate } from "../../domain/truncate.js";
import { findTitles, type TitledObject } from "../../storage/titles.js";
import { findUsers } from "../../storage/users.js";
import type { Scope } from "../scope.js";
import { createObjectUrl } from "./url.js";

/** Name of mentioned pages and databases without a title. */
const UNTITLED = "Untitled";

/** Maximum length of a title in a mention, in UTF-16 units. A title has up to a hundred times that. */
const MAX_MENTIONED_TITLE_LENGTH = 2000;

/**
 * Fills in the current titles and names of mentions.
 *
 * @param value part of a result, with rich text at any depth
 * @returns a copy; `value` itself when it mentions nothing
 */
export async function nameMentions<T>(scope: Scope, value: T): Promise<T> {
  const mentioned = collectMentions(value);
  if (hasNoMentions(mentioned)) return value;
  const titles = await findTitles(scope, mentioned);
  const users = await findUsers(scope, [...mentioned.users]);
  const userNames = new Map(users.map(({ id, name }) => [id, name]));
  return fillMentionNames(value, (mention) => findName(scope, mention, titles, userNames));
}

function findName(
  { urls }: Scope,
  mention: Mention,
  titles: ReadonlyMap<string, TitledObject>,
  userNames: ReadonlyMap<string, string>,
): MentionName | undefined {
  switch (mention.type) {
    case "page":
    case "database": {
      const { id } = mention.type === "page" ? mention.page : mention.database;
      return {
        text: truncate(titles.get(id)?.title ?? "", MAX_MENTIONED_TITLE_LENGTH) || UNTITLED,
        href: createObjectUrl(urls, id),
      };
    }
    case "user":
      return { text: `@${userNames.get(mention.user.id) ?? ""}`, href: null };
    default:
      return undefined;
  }
}
