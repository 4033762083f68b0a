import { MAX_SEARCH_WORDS, MAX_SORTED_PAGES } from "../../budgets.js";
import type { StorageScope } from "../tables.js";
import type { QueryScope } from "./page-list-query.js";
import { selectPagesWithText } from "../pages/text-index.js";
import { buildFromPageIds } from "./from-clauses.js";
import {
  ALWAYS_TRUE,
  joinWithAnd,
  buildSortOperator,
  buildDirection,
  type Fragment,
  runStatement,
  sql,
} from "./sql.js";
import { buildContains } from "./predicates.js";
import type { TimePosition } from "../../domain/cursor.js";
import { foldText } from "../../domain/text.js";

export interface TitleQuery {
  /** A title must contain every word of this text. */
  readonly text: string;
  /** Finds only pages or only databases; both when omitted. */
  readonly kind?: "page" | "database" | undefined;
  /** Whether the last edited objects come first. */
  readonly descending: boolean;
  /** The result to continue after; undefined for the beginning. */
  readonly after: TimePosition | undefined;
  readonly limit: number;
}

/** A page or database. */
export interface SearchResult {
  readonly kind: "page" | "database";
  readonly id: string;
  /** Milliseconds since 1970. */
  readonly lastEditedTime: number;
  /** Id of the database itself, or of the parent of a page, which may be a database; null when the parent is the workspace. */
  readonly databaseId: string | null;
  /** Bytes of the values of a page; 0 for a database. */
  readonly bytes: number;
}

/** Finds pages and databases outside of the trash by their titles, in the order of their last edit. */
export async function searchTitles(
  scope: QueryScope,
  { text, kind, descending, after, limit }: TitleQuery,
): Promise<SearchResult[]> {
  const words = splitWords(text);
  const { scanScope } = scope;
  const pageIds = kind === "database" ? undefined : await findFewPages(scanScope, words);
  const direction = buildDirection(descending);
  const contained = words.map((word) => buildContains(sql`o.title_text`, word));
  const remaining =
    after === undefined
      ? []
      : [sql`(o.last_edited_time, o.id) ${buildSortOperator(descending)} (${after.time}, ${after.id})`];
  const select = (kind: "page" | "database"): Fragment => {
    const few = kind === "page" && pageIds !== undefined ? buildFromPageIds(sql`o`, pageIds) : undefined;
    // The plus sign keeps SQLite from using the index of edit times to search for these few pages.
    const time = few === undefined ? sql`o.last_edited_time` : sql`+o.last_edited_time`;
    const { tables, where } = few ?? { tables: sql`${sql.raw(`${kind}s`)} as o`, where: ALWAYS_TRUE };
    return sql`
      select * from (
        select ${sql.raw(`'${kind}'`)} as kind, o.id, o.last_edited_time as ${sql.ref("lastEditedTime")},
          ${kind === "page" ? sql`o.parent_id` : sql`o.id`} as ${sql.ref("databaseId")},
          ${kind === "page" ? sql`octet_length(o.properties)` : sql`0`} as bytes
        from ${tables}
        where ${joinWithAnd([where, sql`o.workspace_id = ${sql.workspaceId} and o.in_trash = 0`, ...remaining, ...contained])}
        order by ${time} ${direction}, o.id ${direction} limit ${limit}
      ) as ${sql.ref(kind)}`;
  };
  const selects = kind === undefined ? [select("page"), select("database")] : [select(kind)];
  const time = sql.ref("lastEditedTime");
  return runStatement<SearchResult>(
    contained.length === 0 ? scope : scanScope,
    sql`${sql.join(selects, " union all ")} order by ${time} ${direction}, id ${direction} limit ${limit}`,
  );
}

/** Finds the pages whose titles may contain all words; undefined when there are too many, or the words are too short. */
async function findFewPages(
  scanScope: StorageScope,
  words: readonly string[],
): Promise<string[] | undefined> {
  const pages = selectPagesWithText(scanScope, "title", words);
  if (pages === undefined) return undefined;
  const rows = await runStatement<{ page_id: string }>(
    scanScope,
    sql`select page_id from (${pages}) as f limit ${MAX_SORTED_PAGES + 1}`,
  );
  return rows.length > MAX_SORTED_PAGES ? undefined : rows.map((row) => row.page_id);
}

/** Returns the folded words of a text, except words that another word contains. */
function splitWords(text: string): string[] {
  const words = [...new Set(foldText(text).split(/\s+/u))].filter((word) => word !== "");
  return words
    .filter((word) => !words.some((other) => other !== word && other.includes(word)))
    .slice(0, MAX_SEARCH_WORDS);
}
