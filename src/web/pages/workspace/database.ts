import { getRollupKind } from "../../../domain/query/rollup.js";
import type { DatabaseView } from "../../../operations/view-database.js";
import type { RenderContext } from "../../render/context.js";
import { renderIcon } from "../../render/icon.js";
import { getContentPath } from "../../render/links.js";
import { renderPropertyValue } from "../../render/property-value.js";
import { renderRichText } from "../../render/rich-text.js";
import { html, type Html, type HtmlValue } from "../../html.js";
import { renderNotice } from "../elements.js";
import { renderOptions } from "../form-elements.js";
import { renderLayout, type SignedInPageContext } from "../layout.js";
import { renderObjectHeader } from "./object-header.js";
import { type Database, getTitle, listColumns, type Page } from "./objects.js";
import { type TableView, formatTableView, CONDITION_LABELS, isFilterable } from "./table-view.js";

export interface DatabaseContent extends DatabaseView, RenderContext {
  readonly database: Database;
  readonly view: TableView;
  /** A part of the view that does not fit the database, and was ignored. */
  readonly problem: string | undefined;
}

/** Renders a database as a table with a row for each of its pages. */
export function renderDatabasePage(content: DatabaseContent, pageContext: SignedInPageContext): Html {
  const { database, view, rows, problem, budget } = content;
  const { description } = database;
  const { session } = pageContext;
  const renderedDescription = description.length > 0 && html`<p>${renderRichText(description, budget)}</p>`;
  return renderLayout(
    getTitle(database),
    html`${renderObjectHeader(database, { ...content, session }, renderedDescription)}
    ${renderNotice(problem === undefined ? undefined : { kind: "bad", text: problem })}
    ${renderFilterForm(database, view)}
    ${rows.length === 0 ? renderEmptyTable(view) : renderDatabaseTable(content)}
    ${budget.isExhausted && html`<p class="muted">This table is too long to be shown whole.</p>`}
    ${renderPagingLinks(content)}`,
    { pageContext, isWide: true },
  );
}

function renderEmptyTable({ filter, cursor }: TableView): Html {
  if (filter !== undefined) return html`<p class="empty">No pages match the filter.</p>`;
  if (cursor !== undefined) return html`<p class="empty">There are no more pages.</p>`;
  return html`<p class="empty">
    This database has no pages yet. <a href="/docs">Create one with the API</a>.
  </p>`;
}

function renderDatabaseTable(content: DatabaseContent): Html {
  const { database, rows } = content;
  const columns = listColumns(database);
  return html`<div class="table-frame rows" tabindex="0" role="region" aria-label="Pages of the database">
    <table>
      <thead>
        <tr>
          ${columns.map((name) => renderColumnHeader(name, content))}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${columns.map((name) => renderCell(row, name, getColumnClass(database.properties[name]), content))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Renders a column header as a link that sorts by the column, or reverses the sort, from the first row on. */
function renderColumnHeader(name: string, { database, view, budget }: DatabaseContent): Html {
  const { properties } = database;
  const isSorted = view.sort?.property === name;
  const isAscending = isSorted && view.sort?.direction === "ascending";
  const nextDirection = isAscending ? "descending" : "ascending";
  const sort = { property: name, direction: nextDirection } as const;
  // Each link repeats the filter, which can be as long as the address of the table.
  const parameters = budget.isExhausted
    ? undefined
    : budget.reserveHtml(html`${formatTableView({ sort, filter: view.filter, cursor: undefined })}`);
  const arrow = isSorted && html`<span aria-hidden="true">${isAscending ? " ↑" : " ↓"}</span>`;
  const label = html`${name}${arrow}`;
  return html`<th
    scope="col"
    ${getColumnClass(properties[name])}
    ${isSorted && html`aria-sort="${view.sort?.direction}"`}
  >
    ${parameters ? html`<a href="?${parameters}">${label}</a>` : label}
  </th>`;
}

function renderCell(row: Page, name: string, columnClass: HtmlValue, context: RenderContext): Html {
  const value = row.properties[name];
  if (value?.type === "title") {
    return html`<th scope="row">
      <a href="${getContentPath(row.id)}">${renderIcon(row.icon)}${getTitle(row)}</a>
    </th>`;
  }
  const rendered: HtmlValue = value && renderPropertyValue(value, context);
  // The inner element limits the height.
  return html`<td ${columnClass}>${rendered && html`<div>${rendered}</div>`}</td>`;
}

/** Returns the class of a column: numbers are aligned to the right, and texts have more width and a limited height. */
function getColumnClass(property: Database["properties"][string] | undefined): HtmlValue {
  if (property?.type === "rich_text") return html`class="text"`;
  const isNumber =
    property?.type === "number" ||
    (property?.type === "rollup" && getRollupKind(property.rollup.function) === "number");
  return isNumber && html`class="number"`;
}

/** Renders the links to the first and the next rows; nothing when all rows are shown. */
function renderPagingLinks({ view, nextCursor }: DatabaseContent): HtmlValue {
  if (nextCursor === null && view.cursor === undefined) return undefined;
  return html`<nav class="paging" aria-label="Pages of the table">
    ${
      view.cursor !== undefined &&
      html`<a class="button quiet" href="?${formatTableView({ ...view, cursor: undefined })}">First rows</a>`
    }
    ${
      nextCursor !== null &&
      html`<a class="button quiet" rel="next" href="?${formatTableView({ ...view, cursor: nextCursor })}">
        Next rows
      </a>`
    }
  </nav>`;
}

function renderFilterForm(database: Database, { sort, filter }: TableView): Html {
  const names = listColumns(database).filter((name) => isFilterable(database.properties[name]));
  return html`<form class="filter" aria-label="Filter">
    ${
      sort !== undefined &&
      html`<input type="hidden" name="sort" value="${sort.property}" />
        <input type="hidden" name="direction" value="${sort.direction}" />`
    }
    <label class="visually-hidden" for="filter">Property</label>
    <select class="slim" id="filter" name="filter">
      ${renderOptions(
        names.map((name) => [name, name]),
        filter?.property,
      )}
    </select>
    <label class="visually-hidden" for="condition">Condition</label>
    <select class="slim" id="condition" name="condition">
      ${renderOptions(Object.entries(CONDITION_LABELS), filter?.condition)}
    </select>
    <label class="visually-hidden" for="value">Value</label>
    <input class="slim" id="value" name="value" value="${filter?.value ?? ""}" placeholder="Value" />
    <button class="quiet slim">Filter</button>
    ${filter !== undefined && html`<a href="?${formatTableView({ sort, filter: undefined, cursor: undefined })}">Clear</a>`}
  </form>`;
}
