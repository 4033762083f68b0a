import { html, type Html, type Part } from "../../html.js";
import { layout, type Notice, noticeBox, type PageContext } from "../layout.js";
import { type Database, objectList, type Page } from "./parts.js";

/** Results of a search. */
export interface SearchContent {
  readonly query: string;
  readonly results: readonly (Page | Database)[];
  readonly nextCursor: string | null;
  readonly notice?: Notice | undefined;
}

/** Renders the field to search for pages and databases. */
export function searchForm(query: string): Html {
  return html`<form class="search" role="search" action="/search">
    <label class="visually-hidden" for="q">Search pages and databases</label>
    <input id="q" name="q" type="search" value="${query}" placeholder="Search titles" maxlength="200" />
    <button class="quiet">Search</button>
  </form>`;
}

/** Renders the results of a search. */
export function searchPage(
  { query, results, nextCursor, notice }: SearchContent,
  context: PageContext,
): Html {
  return layout(
    query === "" ? "Search" : `“${query}”`,
    html`<div class="page-head">
        <h1>Search</h1>
        ${searchForm(query)}
      </div>
      ${noticeBox(notice)} ${objectList(results, `No page or database has “${query}” in its title.`)}
      ${more(query, nextCursor)}`,
    { context },
  );
}

function more(query: string, cursor: string | null): Part {
  if (cursor === null) return undefined;
  const parameters = new URLSearchParams({ q: query, cursor });
  return html`<p>
    <a class="button quiet" rel="next" href="/search?${parameters.toString()}">More results</a>
  </p>`;
}
