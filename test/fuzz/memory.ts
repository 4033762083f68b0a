import type { Random } from "../support/random.js";

/** A property of a database in a response. */
export interface KnownProperty {
  readonly id: string;
  readonly name: string;
  readonly type: string;
}

/** Maximum number of values of a kind. Older values are dropped, so that requests name existing objects. */
const MAX_VALUES = 60;

/** Values seen in responses, for later requests: ids by kind of object, properties by database, cursors. */
export class Memory {
  private readonly ids = new Map<string, string[]>();
  private readonly properties = new Map<string, KnownProperty[]>();
  private readonly databases = new Map<string, string>();
  readonly cursors: string[] = [];

  constructor(ids: Record<string, string>) {
    for (const [kind, id] of Object.entries(ids)) this.keep(kind, id);
  }

  /** Remembers the ids, cursors, properties and parents in the body of a response. */
  learn(body: unknown): void {
    const open: unknown[] = [body];
    for (
      let value = open.pop(), left = 2_000;
      value !== undefined && left > 0;
      value = open.pop(), left -= 1
    ) {
      if (typeof value !== "object" || value === null) continue;
      const object = value as Record<string, unknown>;
      if (typeof object.id === "string" && typeof object.object === "string") this.learnObject(object);
      if (typeof object.discussion_id === "string") this.keep("discussion", object.discussion_id);
      if (typeof object.next_cursor === "string") remember(this.cursors, object.next_cursor);
      if (object.object === "page") this.learnParent(object);
      if (object.object === "database") this.learnProperties(object);
      for (const member of Object.values(object)) if (typeof member === "object" && member) open.push(member);
    }
  }

  /** Picks an id for a parameter or field with this name; in 10 % of the cases it may be of the wrong kind. */
  idFor(name: string, random: Random): string | undefined {
    const kind = KINDS[name] ?? "page";
    const kinds = random.chance(0.1) ? [...this.ids.keys()] : [kind];
    const known = [random.pick(kinds), "page", "database"].map((each) => this.ids.get(each) ?? []);
    const ids = known.find((each) => each.length > 0);
    return ids && random.pick(ids);
  }

  /** Returns the last known parent database of a page. */
  databaseOf(page: string | undefined): string | undefined {
    return page === undefined ? undefined : this.databases.get(page);
  }

  /** Returns the properties of a database, or of a random database if the given one is unknown. */
  propertiesOf(database: string | undefined, random: Random): readonly KnownProperty[] {
    const own = database === undefined ? undefined : this.properties.get(database);
    return own ?? (this.properties.size === 0 ? [] : random.pick([...this.properties.values()]));
  }

  /** Remembers trashed objects separately, because most requests would soon name trashed objects. */
  private learnObject({ id, object, in_trash }: Record<string, unknown>): void {
    if (in_trash === true) {
      const known = this.ids.get(String(object)) ?? [];
      if (known.includes(String(id)) && known.length > 1) known.splice(known.indexOf(String(id)), 1);
    }
    this.keep(in_trash === true ? "trashed" : String(object), String(id));
  }

  private keep(kind: string, id: string): void {
    let known = this.ids.get(kind);
    if (!known) this.ids.set(kind, (known = []));
    remember(known, id);
  }

  private learnParent({ id, parent }: Record<string, unknown>): void {
    const { database_id } = parent as { database_id?: string };
    if (database_id !== undefined) this.databases.set(String(id), database_id);
  }

  private learnProperties(database: Record<string, unknown>): void {
    if (typeof database.properties !== "object" || database.properties === null) return;
    const all = Object.values(database.properties) as KnownProperty[];
    this.properties.delete(String(database.id));
    this.properties.set(String(database.id), all);
    const [oldest] = this.properties.keys();
    if (this.properties.size > MAX_VALUES && oldest !== undefined) this.properties.delete(oldest);
  }
}

const KINDS: Record<string, string> = {
  page_id: "page",
  database_id: "database",
  block_id: "block",
  after: "block",
  user_id: "user",
  discussion_id: "discussion",
  comment_id: "comment",
  user: "user",
  database: "database",
  people: "user",
  created_by: "user",
  last_edited_by: "user",
};

function remember(known: string[], value: string): void {
  if (known.includes(value)) return;
  known.push(value);
  if (known.length > MAX_VALUES) known.shift();
}
