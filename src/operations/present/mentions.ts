import { MAX_MENTIONED_TITLE_LENGTH, MAX_MENTIONED_TITLES_LENGTH } from "../../budgets.js";
import {
  collectMentions,
  fillMentionNames,
  hasObjectMentions,
  type MentionName,
} from "../../domain/mentions.js";
import { formatTitle } from "../../domain/text.js";
import { findTitledObjects } from "../../storage/objects/titles.js";
import { findUserNames } from "../../storage/users.js";
import type { Scope } from "../execution/scope.js";
import { createObjectUrl } from "./object.js";

/**
 * Fills in current titles and names of the mentions in any value. All titles together have at most MAX_MENTIONED_TITLES_LENGTH
 * characters. Returns a copy, or `value` itself when it mentions no page, database or user.
 */
export async function resolveMentions<T>(scope: Scope, value: T): Promise<T> {
  const mentioned = collectMentions(value);
  if (!hasObjectMentions(mentioned)) return value;
  const titles = await findTitledObjects(scope, mentioned, MAX_MENTIONED_TITLE_LENGTH);
  const userNames = await findUserNames(scope, mentioned.users);
  const maxLength = Math.min(
    MAX_MENTIONED_TITLE_LENGTH,
    Math.floor(MAX_MENTIONED_TITLES_LENGTH / mentioned.count),
  );
  const nameObject = ({ id }: { id: string }): MentionName => ({
    text: formatTitle(titles.get(id)?.title ?? "", maxLength),
    href: createObjectUrl(scope.urls, id),
  });
  return fillMentionNames(value, (mention) => {
    if (mention.type === "page") return nameObject(mention.page);
    if (mention.type === "database") return nameObject(mention.database);
    if (mention.type !== "user") return undefined;
    return { text: `@${userNames.get(mention.user.id) ?? ""}`, href: null };
  });
}
