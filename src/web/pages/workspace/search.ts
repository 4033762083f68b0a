import type { ListResult } from "../../../operations/load/list-parts.js";
import { abbreviate } from "../../../domain/text.js";
import { html, type Html } from "../../html.js";
import { renderNextLink } from "../elements.js";
import { renderLayout, type LayoutData } from "../layout.js";
import { renderObjectList } from "./object-list.js";
import type { ListedObject } from "../../../operations/views/list-objects.js";

/** Renders the form that searches the titles of pages and databases. */
export function renderSearchForm(query: string): Html {
  return html`<form class="search" role="search" action="/search">
    <label class="visually-hidden" for="q">Search pages and databases</label>
    <input id="q" name="q" type="search" value="${query}" placeholder="Search titles" maxlength="200" />
    <button class="quiet">Search</button>
  </form>`;
}

/** Renders the page with the results of a search. */
export function renderSearchPage(
  { query, results, nextCursor }: ListResult<ListedObject> & { readonly query: string },
  layoutData: LayoutData,
): Html {
  const quoted = `“${abbreviate(query)}”`;
  const emptyMessage =
    query === ""
      ? "This workspace has no pages or databases."
      : `No page or database has ${quoted} in its title.`;
  return renderLayout(
    query === "" ? "Search" : `Search for ${quoted}`,
    html`<div class="page-head">
        <h1>Search</h1>
        ${renderSearchForm(query)}
      </div>
      ${renderObjectList(results, emptyMessage, { showsDatabaseBadges: true })}
      ${renderNextLink("More results", nextCursor, { q: query })}`,
    { layoutData, currentPath: "/search" },
  );
}
