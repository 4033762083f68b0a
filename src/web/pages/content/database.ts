import type { RenderContext } from "../../content/budget.js";
import { renderIcon } from "../../content/icon.js";
import { contentPath } from "../../content/links.js";
import { renderPropertyValue } from "../../content/property-value.js";
import { renderRichText } from "../../content/rich-text.js";
import { html, type Html, type Part } from "../../html.js";
import { rollupKind } from "../../../domain/query/rollup.js";
import { layout, type Notice, noticeBox, type PageContext } from "../layout.js";
import { filterForm } from "./filter-form.js";
import { coverImage, editSummary, trashBadge } from "./page.js";
import { type Ancestor, breadcrumbs, columnsOf, type Database, type Page, titleOf } from "./parts.js";
import { type TableView, viewParameters } from "./table-view.js";

/** A database and a section of its rows, for one HTML page. */
export interface DatabaseContent {
  readonly database: Database;
  readonly workspaceName: string;
  readonly ancestors: readonly Ancestor[];
  /** The pages of the database that are shown. */
  readonly rows: readonly Page[];
  readonly view: TableView;
  /** Null when there are no further rows. */
  readonly nextCursor: string | null;
  /** Names of users, by id. */
  readonly userNames: ReadonlyMap<string, string>;
  readonly notice?: Notice | undefined;
  readonly rendering: RenderContext;
}

/** Renders a database as a table with a row for each of its pages. */
export function databasePage(content: DatabaseContent, context: PageContext): Html {
  const { database, workspaceName, ancestors, view, rows, notice, rendering } = content;
  const title = titleOf(database);
  return layout(
    title,
    html`${breadcrumbs(workspaceName, ancestors)} ${coverImage(database.cover)}
      <h1>${renderIcon(database.icon)} ${title}</h1>
      ${trashBadge(database)}
      ${database.description.length > 0 && html`<p>${renderRichText(database.description, rendering.budget)}</p>`}
      ${editSummary(database, content.userNames)} ${noticeBox(notice)} ${filterForm(database, view)}
      ${rows.length === 0 ? emptyTable(view) : table(content)} ${pagingLinks(content)}`,
    { context, isWide: true },
  );
}

/** Renders the reason why the table has no rows. */
function emptyTable({ filter, cursor }: TableView): Html {
  if (filter !== undefined) return html`<p class="empty">No pages match the filter.</p>`;
  if (cursor !== undefined) return html`<p class="empty">There are no more pages.</p>`;
  return html`<p class="empty">
    This database has no pages yet. <a href="/docs">Create one with the API</a>.
  </p>`;
}

function table({ database, rows, view, rendering }: DatabaseContent): Html {
  const columns = columnsOf(database);
  return html`<div class="table-frame rows" tabindex="0" role="region" aria-label="Pages of the database">
    <table>
      <thead>
        <tr>
          ${columns.map((name) => columnHeader(name, database, view))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((name) => cell(row, name, numberClass(database.properties[name]), rendering))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Renders a column header as a link that sorts by the column, or reverses the sort. */
function columnHeader(name: string, { properties }: Database, view: TableView): Html {
  const isSorted = view.sort?.property === name;
  const isAscending = isSorted && view.sort?.direction === "ascending";
  const nextDirection = isAscending ? "descending" : "ascending";
  const parameters = viewParameters({ ...view, sort: { property: name, direction: nextDirection } });
  const arrow = isSorted && (isAscending ? " ↑" : " ↓");
  return html`<th
    scope="col"
    ${numberClass(properties[name])}
    ${isSorted && html`aria-sort="${view.sort?.direction}"`}
  >
    <a href="?${parameters}">${name}${arrow && html`<span aria-hidden="true">${arrow}</span>`}</a>
  </th>`;
}

function cell(row: Page, name: string, alignment: Part, rendering: RenderContext): Html {
  const value = row.properties[name];
  if (value?.type === "title") {
    return html`<th scope="row">
      ${renderIcon(row.icon)}<a href="${contentPath(row.id)}">${titleOf(row)}</a>
    </th>`;
  }
  const shown: Part = value && renderPropertyValue(value, rendering);
  return html`<td ${alignment}>${shown}</td>`;
}

/** Returns the class that aligns number columns to the right. */
function numberClass(property: Database["properties"][string] | undefined): Part {
  const isNumber =
    property?.type === "number" ||
    (property?.type === "rollup" && rollupKind(property.rollup.function) === "number");
  return isNumber && html`class="number"`;
}

/** Renders the links to the first and the next rows; nothing when all rows are shown. */
function pagingLinks({ view, nextCursor }: DatabaseContent): Part {
  if (nextCursor === null && view.cursor === undefined) return undefined;
  return html`<nav class="paging" aria-label="Pages of the table">
    ${
      view.cursor !== undefined &&
      html`<a class="button quiet" href="?${viewParameters({ ...view, cursor: undefined })}">First rows</a>`
    }
    ${
      nextCursor !== null &&
      html`<a class="button quiet" rel="next" href="?${viewParameters({ ...view, cursor: nextCursor })}">
        Next rows
      </a>`
    }
  </nav>`;
}
