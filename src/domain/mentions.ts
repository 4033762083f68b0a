import type { Mention, MentionRun } from "./rich-text.js";

export interface MentionedIds {
  readonly pages: Set<string>;
  readonly databases: Set<string>;
  readonly users: Set<string>;
  /** Number of mentions, including those of dates and emoji. */
  count: number;
}

/** The name or title of a mentioned object, and its URL if it has one. */
export interface MentionName {
  readonly text: string;
  readonly href: string | null;
}

/** Collects the objects that a value mentions. The rich text can be at any depth of the value. */
export function collectMentions(value: unknown): MentionedIds {
  const found: MentionedIds = { pages: new Set(), databases: new Set(), users: new Set(), count: 0 };
  visitMentions(value, ({ mention }) => {
    found.count += 1;
    if (mention.type === "page") found.pages.add(mention.page.id);
    else if (mention.type === "database") found.databases.add(mention.database.id);
    else if (mention.type === "user") found.users.add(mention.user.id);
  });
  return found;
}

/** Whether anything is mentioned whose name or title can change. */
export function hasObjectMentions({ pages, databases, users }: MentionedIds): boolean {
  return pages.size + databases.size + users.size > 0;
}

/** Fills in the names that `getName` returns for mentions in a value. Returns a copy that shares unchanged parts with the value. */
export function fillMentionNames<T>(value: T, getName: (mention: Mention) => MentionName | undefined): T {
  // Safe cast: a copy has the type of the original.
  return copy(value) as T;

  function copy(node: unknown): unknown {
    if (typeof node !== "object" || node === null) return node;
    if (isMentionRun(node)) {
      const name = getName(node.mention);
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

function visitMentions(node: unknown, onMention: (run: MentionRun) => void): void {
  if (typeof node !== "object" || node === null) return;
  if (isMentionRun(node)) onMention(node);
  else for (const child of Object.values(node)) visitMentions(child, onMention);
}

/** Whether an object is a mention in rich text. No other object has both this type and annotations. */
function isMentionRun(node: object): node is MentionRun {
  return "type" in node && node.type === "mention" && "mention" in node && "annotations" in node;
}
