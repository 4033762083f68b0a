import { sql } from "kysely";
import { formatCursor, orderName, parseCursor } from "../../domain/query/cursor.js";
import { fold } from "../../domain/fold.js";
import type { Sort } from "../../domain/query/sort.js";
import type { Reads } from "../store.js";
import { run } from "./rows.js";
import { allOf, type Fragment } from "./scope.js";
import { likePattern } from "./tests.js";

/** What a request looks for. */
export interface SearchQuery {
  /** Every word of it has to be in the title. */
  readonly text: string;
  /** Only these; both when it is left out. */
  readonly only?: "page" | "database" | undefined;
  /** By the time of the last edit. */
  readonly descending: boolean;
  /** Of the answer before; undefined for the beginning. */
  readonly cursor?: string | undefined;
  readonly pageSize: number;
}

/** A page or a database that a search found. */
export interface FoundObject {
  readonly object: "page" | "database";
  readonly id: string;
}

/** A part of what a search finds. */
export interface SearchResult {
  readonly found: readonly FoundObject[];
  /** Goes on after the last of them; null when there are no more. */
  readonly nextCursor: string | null;
}

/** SQL can only be so deep; nobody looks for so many words. */
const MAX_WORDS = 100;

/**
 * Finds pages and databases of a workspace by their titles. What is in the trash is passed over.
 *
 * @throws DomainError (validation) when the cursor is none, or that of another order
 */
export async function search(
  { read, scan }: Reads,
  workspaceId: string,
  query: SearchQuery,
): Promise<SearchResult> {
  const { only, descending, cursor, pageSize } = query;
  const sort: Sort = { key: { kind: "time", column: "last_edited_time" }, descending };
  const order = orderName("search", [sort]);
  const after = cursor === undefined ? undefined : parseCursor(cursor, order, ["integer"]);
  const count = pageSize + 1;
  const way = sql.raw(descending ? "desc" : "asc");
  const wanted = wordsOf(query.text).map((word) => sql`o.title_text like ${likePattern(word)} escape '\\'`);
  const begun =
    after === undefined || after.values[0] === undefined
      ? []
      : [
          sql`(o.last_edited_time, o.id) ${sql.raw(descending ? "<" : ">")} (${after.values[0]}, ${after.id})`,
        ];
  const arm = (object: "page" | "database"): Fragment => sql`
    select * from (
      select ${sql.lit(object)} as object, o.id, o.last_edited_time from ${sql.table(`${object}s`)} as o
      where ${allOf([sql`o.workspace_id = ${workspaceId} and o.in_trash = 0`, ...begun, ...wanted])}
      order by o.last_edited_time ${way}, o.id ${way} limit ${count}
    ) as ${sql.ref(object)}`;
  const arms = only === undefined ? [arm("page"), arm("database")] : [arm(only)];
  const rows = await run<FoundObject & { last_edited_time: number }>(
    wanted.length === 0 ? read : scan,
    sql`${sql.join(arms, sql` union all `)} order by last_edited_time ${way}, id ${way} limit ${count}`,
  );
  const found = rows.slice(0, pageSize);
  const last = found.at(-1);
  return {
    found,
    nextCursor:
      rows.length > pageSize && last !== undefined
        ? formatCursor(order, { id: last.id, values: [last.last_edited_time] })
        : null,
  };
}

/** The words of a text as titles are folded; those that are part of another say nothing more. */
function wordsOf(text: string): string[] {
  const words = [...new Set(fold(text).split(/\s+/u))].filter((word) => word !== "");
  return words
    .filter((word) => !words.some((other) => other !== word && other.includes(word)))
    .slice(0, MAX_WORDS);
}
