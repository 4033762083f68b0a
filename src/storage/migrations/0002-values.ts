import type { Kysely } from "kysely";

/*
 * Gives the pages that there are before 0002 what it adds for filters and search. Properties were of four types then, and
 * what is stored of them is told here once more, and how texts were folded: later versions may do that in another way, and
 * change what is stored by migrations of their own.
 */

interface Property {
  readonly id: string;
  readonly type: "title" | "rich_text" | "number" | "checkbox";
}

type Value = readonly { readonly plain_text: string }[] | number | boolean;

interface PagesThen {
  workspace_id: string;
  id: string;
  parent_id: string;
  title_text: string;
  properties: string;
}

interface ValueRow {
  workspace_id: string;
  page_id: string;
  database_id: string;
  property_id: string;
  ordinal: number;
  text_key: string | null;
  long_text: string | null;
  number_key: number | null;
}

type TablesThen = {
  databases: { workspace_id: string; id: string; properties: string };
  pages: PagesThen;
  property_values: ValueRow;
};

/** Pages that are read at once, and rows that are written. */
const BATCH = 500;

const KEY_LENGTH = 128;

/** Fills `pages.title_text` and `property_values`. */
export async function indexPages(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped.withTables<TablesThen>();
  const databases = await db.selectFrom("databases").selectAll().execute();
  for (const database of databases) {
    const properties: Property[] = JSON.parse(database.properties);
    let after = "";
    for (;;) {
      const pages = await db
        .selectFrom("pages")
        .select(["workspace_id", "id", "parent_id", "properties"])
        .where("workspace_id", "=", database.workspace_id)
        .where("parent_id", "=", database.id)
        .where("id", ">", after)
        .orderBy("id")
        .limit(BATCH)
        .execute();
      const last = pages.at(-1);
      if (last === undefined) break;
      after = last.id;
      await indexBatch(db, pages, properties);
    }
  }
}

async function indexBatch(
  db: Kysely<TablesThen>,
  pages: readonly Omit<PagesThen, "title_text">[],
  properties: readonly Property[],
): Promise<void> {
  const rows: ValueRow[] = [];
  for (const page of pages) {
    const values: Readonly<Record<string, Value>> = JSON.parse(page.properties);
    for (const { id, type } of properties) {
      const value = Object.hasOwn(values, id) ? values[id] : undefined;
      if (value === undefined) continue;
      const keys = keysOf(value);
      if (keys !== undefined) {
        const { workspace_id, id: page_id, parent_id: database_id } = page;
        rows.push({ workspace_id, page_id, database_id, property_id: id, ordinal: 0, ...keys });
      }
      if (type === "title") {
        await db
          .updateTable("pages")
          .set({ title_text: textOf(value) })
          .where("workspace_id", "=", page.workspace_id)
          .where("id", "=", page.id)
          .execute();
      }
    }
  }
  for (let start = 0; start < rows.length; start += BATCH) {
    await db
      .insertInto("property_values")
      .values(rows.slice(start, start + BATCH))
      .execute();
  }
}

/** What a value is found by; undefined for one that is empty. */
function keysOf(value: Value): Pick<ValueRow, "text_key" | "long_text" | "number_key"> | undefined {
  if (typeof value === "number") return { text_key: null, long_text: null, number_key: value };
  if (typeof value === "boolean") return { text_key: null, long_text: null, number_key: value ? 1 : 0 };
  const text = textOf(value);
  if (text === "") return undefined;
  const key = Array.from(text).slice(0, KEY_LENGTH).join("");
  return { text_key: key, long_text: key === text ? null : text, number_key: null };
}

function textOf(value: Value): string {
  const text = Array.isArray(value) ? value.map((run) => run.plain_text).join("") : "";
  return text
    .replace(/[\0\p{Cs}]/gu, "\ufffd")
    .normalize("NFC")
    .toLowerCase();
}
