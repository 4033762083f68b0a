import { MAX_MENTIONED_TITLE_LENGTH, MAX_MENTIONED_TITLES_LENGTH } from "../../budgets.js";
import { collectMentions, type MentionName, hasNoMentions, fillMentionNames } from "../../domain/mentions.js";
import type { Mention } from "../../domain/rich-text.js";
import { findTitles } from "../../storage/titles.js";
import { findUsers } from "../../storage/users.js";
import type { Scope } from "../scope.js";
import { createObjectUrl } from "./url.js";
import { truncate } from "../../domain/text.js";

/** Name of mentioned pages and databases without a title. */
const UNTITLED = "Untitled";

/**
 * Fills in the current titles and names of mentions. When there are so many mentions that their titles could have more than
 * MAX_MENTIONED_TITLES_LENGTH characters together, long titles are cut accordingly.
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
  const titleLength = Math.min(
    MAX_MENTIONED_TITLE_LENGTH,
    Math.floor(MAX_MENTIONED_TITLES_LENGTH / mentioned.count),
  );
  return fillMentionNames(value, (mention) =>
    findName(scope, mention, (id) => truncate(titles.get(id)?.title ?? "", titleLength), userNames),
  );
}

function findName(
  { urls }: Scope,
  mention: Mention,
  findTitle: (id: string) => string,
  userNames: ReadonlyMap<string, string>,
): MentionName | undefined {
  switch (mention.type) {
    case "page":
    case "database": {
      const { id } = mention.type === "page" ? mention.page : mention.database;
      return {
        text: findTitle(id) || UNTITLED,
        href: createObjectUrl(urls, id),
      };
    }
    case "user":
      return { text: `@${userNames.get(mention.user.id) ?? ""}`, href: null };
    default:
      return undefined;
  }
}
