import type { Mention, MentionRun } from "./rich-text.js";

/** What texts refer to, by id. */
export interface Mentioned {
  readonly pages: Set<string>;
  readonly databases: Set<string>;
  readonly users: Set<string>;
}

/** The name or title of what a mention refers to, and its address where it has one. */
export interface MentionName {
  readonly text: string;
  readonly href: string | null;
}

/** Collects what all rich text within a value refers to. */
export function mentionedIn(value: unknown): Mentioned {
  const found: Mentioned = { pages: new Set(), databases: new Set(), users: new Set() };
  visit(value, ({ mention }) => {
    if (mention.type === "page") found.pages.add(mention.page.id);
    else if (mention.type === "database") found.databases.add(mention.database.id);
    else if (mention.type === "user") found.users.add(mention.user.id);
  });
  return found;
}

/** Whether there is anything whose name is to be found. */
export function mentionsNothing({ pages, databases, users }: Mentioned): boolean {
  return pages.size + databases.size + users.size === 0;
}

/**
 * Puts names and addresses into all mentions within a value.
 *
 * @param nameOf gives undefined for what is not to be named anew
 * @returns a copy as far as something has changed; `value` itself when nothing has
 */
export function withNames<T>(value: T, nameOf: (mention: Mention) => MentionName | undefined): T {
  // The cast: a copy has the shape of what it is a copy of.
  return copy(value) as T;

  function copy(node: unknown): unknown {
    if (typeof node !== "object" || node === null) return node;
    if (isMentionRun(node)) {
      const name = nameOf(node.mention);
      return name === undefined ? node : { ...node, plain_text: name.text, href: name.href };
    }
    if (Array.isArray(node)) {
      const copies = node.map(copy);
      return copies.every((item, index) => item === node[index]) ? node : copies;
    }
    const entries = Object.entries(node).map(([key, child]) => ({ key, child, copied: copy(child) }));
    if (entries.every(({ child, copied }) => child === copied)) return node;
    return Object.fromEntries(entries.map(({ key, copied }) => [key, copied]));
  }
}

function visit(node: unknown, seen: (run: MentionRun) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (isMentionRun(node)) seen(node);
  else for (const child of Object.values(node)) visit(child, seen);
}

/** Only runs of rich text have both a type of this name and annotations. */
function isMentionRun(node: object): node is MentionRun {
  return "type" in node && node.type === "mention" && "mention" in node && "annotations" in node;
}
